package exchange

import (
	"encoding/json"

	"pubquiz/internal/words"
)

// layouts are the sheets that can be read, CSV or XLSX, the most particular first.
var layouts = []layout{blooket, gimkit, kahoot, classQuiz, socrative, jovVix, quizizz, pubSheet, plainSheet}

// jsonFormat is a format of JSON files, told by the members of its object, or of the first object where the file is a list.
type jsonFormat struct {
	name    words.Text
	matches func(members map[string]json.RawMessage) bool
	read    func(data []byte, c *collector) error
}

// jsonFormats are the JSON files that can be read. Our own is not among them, since it is taken as it is: see own.go.
var jsonFormats = []jsonFormat{openTrivia, arsnova, razzia}

// textFormat is a format of text files.
type textFormat struct {
	name    words.Text
	matches func(text string) bool
	read    func(text string, c *collector) error
}

// textFormats are the texts that can be read, in the order in which they are tried.
var textFormats = []textFormat{aiken, gift, list}
