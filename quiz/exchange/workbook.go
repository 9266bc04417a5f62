package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"pubquiz/internal/words"
)

// The bounds of a workbook, against files that are small until they are unpacked. A sheet of 1,000 long questions unpacks to less than 3 MB.
const (
	maxUnpacked = 16 << 20
	maxCells    = 1 << 20
	maxSheets   = 50
	maxTags     = 250_000 // of XML, outside worksheets: each becomes an object in memory. 60,000 different texts have as many
)

var errUnpacked = refuse(words.T("This workbook is too large once unpacked. Keep only the questions in it, without pictures."))

func isZip(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// readWorkbook returns the visible sheets of an XLSX file, its cells as the text that a person sees.
func readWorkbook(data []byte) ([]sheet, error) {
	if err := weigh(data); err != nil {
		return nil, err
	}
	// Both limits are one, so that nothing is unpacked into temporary files.
	file, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked})
	if err != nil {
		return nil, refuse(words.T("This file is not a spreadsheet that can be read. Save it as .xlsx without a password, or as .csv."))
	}
	defer file.Close()
	names := file.GetSheetList()
	if len(names) > maxSheets {
		return nil, refuse(words.T("This workbook has more than {most} sheets. Keep only those with questions.", "most", maxSheets))
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
		return nil, refuse(words.T("This workbook is empty."))
	}
	return sheets, nil
}

// weigh unpacks a workbook without keeping anything, and refuses one that would cost too much.
func weigh(data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return refuse(words.T("This file is damaged. Save it anew in your spreadsheet program."))
	}
	s := scales{left: maxUnpacked}
	for _, part := range archive.File {
		if err := s.weigh(part); err != nil {
			return err
		}
	}
	return nil
}

// perPart is what a part counts besides its bytes, since looking at one takes something though nothing is in it.
const perPart = 4 << 10

// scales weigh the parts of a workbook, one after the other.
type scales struct {
	left  int64 // bytes that may still come
	tags  int   // so far, outside worksheets
	chunk [64 << 10]byte
}

func (s *scales) weigh(part *zip.File) error {
	unpacked, err := part.Open()
	if err != nil {
		return refuse(words.T("This file is damaged, or has a password. Save it anew in your spreadsheet program."))
	}
	defer unpacked.Close() // before the next is opened
	s.left -= perPart
	isSheet := strings.HasPrefix(strings.ToLower(part.Name), "xl/worksheets/")
	for {
		n, err := unpacked.Read(s.chunk[:])
		if s.left -= int64(n); s.left < 0 {
			return errUnpacked
		}
		if !isSheet {
			s.tags += bytes.Count(s.chunk[:n], []byte("<"))
		}
		if s.tags > maxTags {
			return errUnpacked
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return refuse(words.T("This file is damaged. Save it anew in your spreadsheet program."))
		}
	}
}

// readWorksheet reads one sheet. cells counts those of the whole workbook.
func readWorksheet(file *excelize.File, name string, cells *int) (sheet, error) {
	unreadable := refuse(words.T("The sheet “{sheet}” cannot be read. Save the workbook anew in your spreadsheet program.", "sheet", shorten(name, 40)))
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
			return sheet{}, refuse(words.T("The sheet “{sheet}” has too many cells. Delete the empty rows and columns around the questions.", "sheet", shorten(name, 40)))
		}
		if columns = trimmed(columns); len(columns) == 0 {
			continue
		}
		if len(columns) > maxColumns {
			return sheet{}, errTooWide()
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
