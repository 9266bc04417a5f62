package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// The bounds of a workbook, against files that are small until they are unpacked. A sheet of 1,000 long questions unpacks to less than 3 MB.
const (
	maxUnpacked = 16 << 20
	maxCells    = 1 << 20
	maxSheets   = 50
	maxTags     = 250_000 // of XML, outside worksheets: each becomes an object in memory. 60,000 different texts have as many
)

var errUnpacked = refuse("This workbook is too large once unpacked. Keep only the questions in it, without pictures.")

func isZip(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// readWorkbook returns the visible sheets of an XLSX file, its cells as the text that a person sees.
func readWorkbook(data []byte) ([]sheet, error) {
	if err := weigh(data); err != nil {
		return nil, err
	}
	// Both limits are one, so that nothing is unpacked into temporary files.
	file, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked})
	if err != nil {
		return nil, refuse("This file is not a spreadsheet that can be read. Save it as .xlsx without a password, or as .csv.")
	}
	defer file.Close()
	names := file.GetSheetList()
	if len(names) > maxSheets {
		return nil, refuse("This workbook has more than %d sheets. Keep only those with questions.", maxSheets)
	}
	var sheets []sheet
	cells := 0
	for _, name := range names {
		if visible, err := file.GetSheetVisible(name); err != nil || !visible {
			continue
		}
		s, err := readWorksheet(file, name, &cells)
		if err != nil {
			return nil, err
		}
		if len(s.rows) > 0 {
			sheets = append(sheets, s)
		}
	}
	if len(sheets) == 0 {
		return nil, refuse("This workbook is empty.")
	}
	return sheets, nil
}

// weigh unpacks a workbook without keeping anything, and refuses one that would cost too much.
func weigh(data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return refuse("This file is damaged. Save it anew in your spreadsheet program.")
	}
	left, tags := int64(maxUnpacked), 0
	chunk := make([]byte, 64<<10)
	for _, file := range archive.File {
		part, err := file.Open()
		if err != nil {
			return refuse("This file is damaged, or has a password. Save it anew in your spreadsheet program.")
		}
		defer part.Close()
		for {
			n, err := part.Read(chunk)
			if left -= int64(n); left < 0 {
				return errUnpacked
			}
			if !strings.HasPrefix(strings.ToLower(file.Name), "xl/worksheets/") {
				tags += bytes.Count(chunk[:n], []byte("<"))
			}
			if tags > maxTags {
				return errUnpacked
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return refuse("This file is damaged. Save it anew in your spreadsheet program.")
			}
		}
	}
	return nil
}

// readWorksheet reads one sheet. cells counts those of the whole workbook.
func readWorksheet(file *excelize.File, name string, cells *int) (sheet, error) {
	unreadable := refuse("The sheet %q cannot be read. Save the workbook anew in your spreadsheet program.", shorten(name, 40))
	s := sheet{name: name}
	rows, err := file.Rows(name)
	if err != nil {
		return sheet{}, unreadable
	}
	defer rows.Close()
	for number := 1; rows.Next(); number++ {
		columns, err := rows.Columns()
		if err != nil {
			return sheet{}, unreadable
		}
		if *cells += 1 + len(columns); *cells > maxCells {
			return sheet{}, refuse("The sheet %q has too many cells. Delete the empty rows and columns around the questions.", shorten(name, 40))
		}
		if columns = trimmed(columns); len(columns) == 0 {
			continue
		}
		if len(s.rows) > maxRows+maxPreamble {
			return sheet{}, errTooMany()
		}
		s.rows = append(s.rows, sheetRow{number, slices.Clone(columns)})
	}
	if rows.Error() != nil {
		return sheet{}, unreadable
	}
	return s, nil
}
