package words

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const literal = `"(?:[^"\\\n]|\\.)*"`

var (
	// plainCall begins a call of t or rich in a script, with a text that no number changes.
	plainCall = regexp.MustCompile(`(\b(?:t|rich)\(\s*)(` + literal + `)`)
	// formsOf are the forms of one that a number changes.
	formsOf = regexp.MustCompile(`\{\s*one:\s*(` + literal + `),\s*other:\s*(` + literal + `),?\s*\}`)
)

// Script is a script's source with what it says said in the language: what it hands to t and rich, which fill in the values when it runs
// (web/app/lib/language.ts). So a browser loads the words of one language, and of the pages that it shows, and none of their names.
func (l *Language) Script(source string) string {
	if l == English {
		return source
	}
	source = plainCall.ReplaceAllStringFunc(source, func(call string) string {
		parts := plainCall.FindStringSubmatch(call)
		return parts[1] + quoted(l.form(T(unquoted(parts[2]))))
	})
	return formsOf.ReplaceAllStringFunc(source, func(object string) string {
		parts := formsOf.FindStringSubmatch(object)
		t := N(0, unquoted(parts[1]), unquoted(parts[2]))
		said := map[string]string{"one": l.disguise(t.One), "other": l.disguise(t.English)}
		if translated := l.catalogue[t.English]; translated["other"] != "" {
			said = translated
		}
		var written []string
		for _, category := range slices.Sorted(maps.Keys(said)) {
			if category != "other" && said[category] == said["other"] {
				continue // which is said where a form is not there
			}
			written = append(written, category+": "+quoted(said[category]))
		}
		return "{ " + strings.Join(written, ", ") + " }"
	})
}

// quoted and unquoted write and read what the formatter leaves of a script's literals, which JSON has as well.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// unquoted is empty for what is no literal, which no catalogue has.
func unquoted(literal string) (text string) {
	_ = json.Unmarshal([]byte(literal), &text)
	return text
}
