package web

import (
	"fmt"
	"html/template"
	"net/http"
	"path"
	"sync"
	"time"

	"pubquiz/internal/openid"
	"pubquiz/internal/words"
	"pubquiz/internal/words/when"
	"pubquiz/quiz"
)

// edition is what the server shows to those who read one language.
type edition struct {
	language  *words.Language
	templates *template.Template
	shell     shell
}

// newEditions returns the editions, each of which is made when somebody first asks for it. headers are those of every page.
func newEditions(c Config, headers http.Header) map[*words.Language]func() (*edition, error) {
	editions := map[*words.Language]func() (*edition, error){}
	for _, l := range append([]*words.Language{words.Pseudo}, words.All...) {
		editions[l] = sync.OnceValues(func() (*edition, error) {
			e := &edition{language: l}
			var err error
			if e.templates, err = parseTemplates(l, c); err != nil {
				return nil, fmt.Errorf("the pages in %s: %w", l.Name, err)
			}
			if e.shell, err = newShell(l, e.templates, headers); err != nil {
				return nil, fmt.Errorf("the phone's page in %s: %w", l.Name, err)
			}
			return e, nil
		})
	}
	return editions
}

// edition is the one in the request's language.
func (s *Server) edition(r *request) (*edition, error) { return s.editions[s.languageOf(r)]() }

// languageOf is the language that the sender chose (language.go), or else the one of theirs that their browser names first.
func (s *Server) languageOf(r *request) *words.Language {
	if l, ok := words.Find(s.cookieValue(r, languageCookie)); ok {
		return l
	}
	return words.Match(r.Header.Get("Accept-Language"))
}

// parseTemplates reads the pages of a language. In them, t "English" says something in the language, with values by name: t "{who} is in" "who" .Name; n says
// what a number changes: n .Answers "{n} answer" "{n} answers"; rich and nrich do so with HTML among the values, such as bdi .Name, and strong, figure, tabular and link in the same way;
// day, date, weekday and clock say times, which a script says again as they are where the reader is; say is for a words.Text, and show for what may be one. asset "x.js" is the address
// of a bundled file, providers are those with whom one may sign in, passkeys says whether one may sign in with those, sendsMail whether letters can be sent, and
// plansSold whether there is anything to pay for. halves, signed and pointsWords write points, number a whole number.
func parseTemplates(l *words.Language, c Config) (*template.Template, error) {
	text, counted := words.T, words.N
	return template.New("").Funcs(template.FuncMap{
		"t":    func(english string, values ...any) string { return l.Say(text(english, values...)) },
		"n":    func(n int, one, other string, values ...any) string { return l.Say(counted(n, one, other, values...)) },
		"rich": func(english string, values ...any) template.HTML { return l.HTML(text(english, values...)) },
		"nrich": func(n int, one, other string, values ...any) template.HTML {
			return l.HTML(counted(n, one, other, values...))
		},
		"say": l.Say, "show": l.Show,
		"bdi":       func(text string) template.HTML { return element("bdi", "", text) },
		"language":  func() *words.Language { return l },
		"languages": func() []*words.Language { return words.All },
		"asset":     func(name string) (string, error) { return assetURL(l, name) },
		"dayText":   when.Day,
		"day":       func(t time.Time) template.HTML { return timeElement(l, t, "day", when.Day(t)) },
		"date":      func(t time.Time) template.HTML { return timeElement(l, t, "date", when.Date(t)) },
		"weekday":   func(t time.Time) template.HTML { return timeElement(l, t, "weekday", when.Weekday(t)) },
		"clock": func(t time.Time) template.HTML {
			return timeElement(l, t, "clock", words.T("{clock} UTC", "clock", t.UTC().Format("15:04")))
		},
		"minutes": func(seconds int) string { return fmt.Sprintf("%d:%02d", seconds/60, seconds%60) }, // as lib/minutes.ts
		"figure":  func(value any) template.HTML { return element("b", ` class="tabular"`, l.Show(value)) },
		"tabular": func(value any) template.HTML { return element("span", ` class="tabular"`, l.Show(value)) },
		"strong":  func(text string) template.HTML { return "<b>" + element("bdi", "", text) + "</b>" },
		"link": func(address, text string) template.HTML {
			return element("a", ` href="`+template.HTMLEscapeString(address)+`"`, text)
		},
		"number":    l.Number,
		"sendsMail": c.Accounts.SendsMail,
		"providers": func() []*openid.Provider { return c.Providers }, "passkeys": func() bool { return c.Passkeys != nil },
		"plansSold":   func() bool { return c.Billing != nil },
		"halves":      func(p quiz.Points) string { return halves(l, p) },
		"signed":      func(p quiz.Points) string { return signed(l, p) },
		"pointsWords": func(p quiz.Points) string { return pointsWords(l, p) },
	}).ParseFS(templateFiles, path.Join("templates", "*.html"))
}

// element is one of HTML with plain text in it. Its name and attributes are HTML already.
func element(name, attributes, text string) template.HTML {
	return template.HTML("<" + name + attributes + ">" + template.HTMLEscapeString(text) + "</" + name + ">")
}

// timeElement is a moment in words. The pages' script (app/pages/local-times.ts) writes it anew in the shape that is named.
func timeElement(l *words.Language, t time.Time, shape string, text words.Text) template.HTML {
	return element("time", ` datetime="`+t.UTC().Format(time.RFC3339)+`" data-local="`+shape+`"`, l.Say(text))
}
