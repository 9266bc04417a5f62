package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed catalogues/*.json
var catalogues embed.FS

// Language is one that the product speaks.
type Language struct {
	Code string // BCP 47: "de"
	Name string // as those who speak it call it: "Deutsch"

	tag       language.Tag
	catalogue map[string]forms // by the English; nil for English itself
	numbers   *message.Printer
	foreign   *regexp.Regexp // letters that are written in the other direction
}

// forms are what a language says in the place of one English text, by the plural category of CLDR: "other", and where a number decides "one", "few", ….
type forms map[string]string

// UnmarshalJSON takes a single text, which is that of every number, or one for each category.
func (f *forms) UnmarshalJSON(data []byte) error {
	var all string
	if err := json.Unmarshal(data, &all); err == nil {
		*f = forms{"other": all}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(f))
}

var (
	leftToRight = regexp.MustCompile(`\p{Latin}|\p{Greek}|\p{Cyrillic}`)
	rightToLeft = regexp.MustCompile(`\p{Arabic}|\p{Hebrew}|\p{Syriac}|\p{Thaana}|\p{Nko}`)
)

// English is what the code is written in.
var English = &Language{Code: "en", Name: "English", tag: language.English, numbers: message.NewPrinter(language.English), foreign: rightToLeft}

// All are the languages that one may choose, in the order in which they are offered.
var All = []*Language{English, load("de", "Deutsch"), load("fr", "Français"), load("es", "Español"), load("pt", "Português"), load("pl", "Polski"), load("ar", "العربية")}

// load reads a catalogue. It is embedded, so that it cannot be read is a mistake in it, which the first test finds.
func load(code, name string) *Language {
	// Digits are written in one way everywhere: what is counted in Arabic, and what is not text of ours, such as join codes and clocks.
	tag := language.MustParse(code + "-u-nu-latn")
	l := &Language{Code: code, Name: name, tag: tag, numbers: message.NewPrinter(tag), foreign: rightToLeft}
	if l.Direction() == "rtl" {
		l.foreign = leftToRight
	}
	content, err := catalogues.ReadFile("catalogues/" + code + ".json")
	if err == nil {
		err = json.Unmarshal(content, &l.catalogue)
	}
	if err != nil {
		panic(fmt.Sprintf("words: the catalogue of %s: %v", code, err))
	}
	return l
}

// Direction is "ltr", or "rtl" for what is written from right to left.
func (l *Language) Direction() string {
	if l.Code == "ar" {
		return "rtl"
	}
	return "ltr"
}

// Find returns the language with a code: of those that one may choose, or Pseudo.
func Find(code string) (l *Language, ok bool) {
	if code == Pseudo.Code {
		return Pseudo, true
	}
	i := slices.IndexFunc(All, func(l *Language) bool { return l.Code == code })
	if i < 0 {
		return nil, false
	}
	return All[i], true
}

var matcher = func() language.Matcher {
	tags := make([]language.Tag, len(All))
	for i, l := range All {
		tags[i] = language.Make(l.Code)
	}
	return language.NewMatcher(tags)
}()

// longestWish is how much of an Accept-Language header is read: more than any browser sends, and no work for whoever sends much.
const longestWish = 200

// Match returns the language that suits whoever sends this Accept-Language header best; English if none does.
func Match(acceptLanguage string) *Language {
	if len(acceptLanguage) > longestWish {
		acceptLanguage = acceptLanguage[:max(strings.LastIndexByte(acceptLanguage[:longestWish], ','), 0)]
	}
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return English
	}
	_, i, _ := matcher.Match(wanted...)
	return All[i]
}

// Say is the text in the language.
func (l *Language) Say(t Text) string {
	return t.fill(l.form(t), func(plain string) string { return plain }, l.Show)
}

// HTML is the text in the language as a piece of a page. Values that are HTML already stay as they are.
func (l *Language) HTML(t Text) template.HTML {
	return template.HTML(t.fill(l.form(t), html.EscapeString, func(value any) string {
		if ready, ok := value.(template.HTML); ok {
			return string(ready)
		}
		return html.EscapeString(l.Show(value))
	}))
}

// Number is a whole number with its thousands apart: 1,200.
func (l *Language) Number(n int) string { return l.numbers.Sprintf("%d", n) }

// form is what stands in the text's place. What has not been translated is said in English.
func (l *Language) form(t Text) string {
	category := ""
	if t.One != "" {
		category = l.category(t.Count)
	}
	if form := l.catalogue[t.English][category]; form != "" {
		return form
	}
	if form := l.catalogue[t.English]["other"]; form != "" {
		return form
	}
	if t.One != "" && (t.Count == 1 || t.Count == -1) {
		return l.disguise(t.One)
	}
	return l.disguise(t.English)
}

// category is CLDR's plural category of a whole number.
func (l *Language) category(n int) string {
	return categories[plural.Cardinal.MatchPlural(l.tag, max(n, -n), 0, 0, 0, 0)]
}

var categories = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other"}

// Show writes a value as plain text: a Text, a number, or what people typed. What is written in the other direction is kept apart from the words around it, which it would otherwise put in disorder.
func (l *Language) Show(value any) string {
	switch v := value.(type) {
	case Text:
		return l.Say(v)
	case int:
		return l.Number(v)
	case Money:
		return l.money(v)
	}
	text := fmt.Sprint(value)
	if l.foreign.MatchString(text) {
		const firstStrongIsolate, popDirectionalIsolate = "\u2068", "\u2069"
		return firstStrongIsolate + text + popDirectionalIsolate
	}
	return text
}

// Pseudo is English in disguise: longer, and accented, so that whatever has no room for other languages, or was never made a Text, is seen by those who read
// only English. Nobody is offered it.
var Pseudo = &Language{Code: "en-XA", Name: "Pseudo", tag: language.English, numbers: message.NewPrinter(language.English), foreign: rightToLeft}

var accents = strings.NewReplacer("a", "á", "b", "ƀ", "c", "ç", "d", "ð", "e", "é", "g", "ĝ", "h", "ĥ", "i", "î", "j", "ĵ", "k", "ķ", "l", "ļ", "n", "ñ", "o", "ö",
	"p", "þ", "r", "ŕ", "s", "š", "t", "ţ", "u", "û", "w", "ŵ", "y", "ý", "z", "ž", "A", "Å", "B", "Ɓ", "C", "Ç", "D", "Ð", "E", "É", "G", "Ĝ", "H", "Ĥ", "I", "Î",
	"J", "Ĵ", "K", "Ķ", "L", "Ļ", "N", "Ñ", "O", "Ö", "P", "Þ", "R", "Ŕ", "S", "Š", "T", "Ţ", "U", "Û", "W", "Ŵ", "Y", "Ý", "Z", "Ž")

// disguise leaves the text as it is, unless the language is Pseudo.
func (l *Language) disguise(english string) string {
	if l != Pseudo || english == "" {
		return english
	}
	long := Text{}.fill(english, accents.Replace, func(v any) string { return fmt.Sprint(v) })
	return "[" + long + strings.Repeat(" ·", (len(english)+4)/5) + "]"
}
