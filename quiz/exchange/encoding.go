package exchange

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"

	"pubquiz/internal/words"
)

// decode returns a text file's text: UTF-8, UTF-16 with a byte order mark, or Windows-1252 where it is neither. Every line ends in "\n".
func decode(data []byte) (string, error) {
	for magic, detail := range notText {
		if bytes.HasPrefix(data, []byte(magic)) {
			return "", refuse(detail)
		}
	}
	var decoder *encoding.Decoder
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		decoder = utf.UTF16(utf.LittleEndian, utf.UseBOM).NewDecoder()
	case !utf8.Valid(data):
		decoder = charmap.Windows1252.NewDecoder()
	default:
		decoder = utf.UTF8BOM.NewDecoder()
	}
	decoded, err := decoder.Bytes(data)
	if err != nil {
		return "", refuse(words.T("This file's text cannot be read. Save it as UTF-8."))
	}
	if bytes.IndexByte(decoded, 0) >= 0 {
		return "", refuse(words.T("This is not a text file or a spreadsheet. The formats that can be read are listed on the import page."))
	}
	text := strings.ReplaceAll(string(decoded), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	if strings.TrimSpace(text) == "" {
		return "", refuse(words.T("This file is empty."))
	}
	return text, nil
}

// notText is what begins files that people try, with what to do instead.
var notText = map[string]words.Text{
	"\xd0\xcf\x11\xe0": words.T("This is an old Excel file, or one with a password. Open it in your spreadsheet program and save it as .xlsx without a password."),
	"%PDF":             words.T("A PDF cannot be read. Save the questions as a spreadsheet or as text."),
	"\x89PNG":          words.T("This is a picture. Save the questions as a spreadsheet or as text."),
	"\xff\xd8\xff":     words.T("This is a picture. Save the questions as a spreadsheet or as text."),
	"GIF8":             words.T("This is a picture. Save the questions as a spreadsheet or as text."),
}

// titleFrom makes a title of a file's name: "2-at_the-bar.csv" is "At the bar". Of a name that says nothing it is empty.
func titleFrom(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	name = strings.ReplaceAll(name, "_", " ")
	if !strings.Contains(name, " ") {
		name = strings.ReplaceAll(name, "-", " ")
	}
	name = strings.Trim(spaced(leadingNumber.ReplaceAllString(name, "")), "./ ")
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + name[size:]
}

// leadingNumber is what sorts files.
var leadingNumber = regexp.MustCompile(`^\d{1,3}[-. ]\s*`)
