package words

import (
	"html/template"
	"strings"
	"testing"
)

// polish is a small catalogue of a language with more forms than English.
func polish() *Language {
	l := *All[5]
	l.catalogue = map[string]forms{
		"Join":               {"other": "Dołącz"},
		"{n} answers":        {"one": "{n} odpowiedź", "few": "{n} odpowiedzi", "many": "{n} odpowiedzi…", "other": "{n} odpowiedzi."},
		"{who} got {points}": {"other": "{points} dla {who}"},
	}
	return &l
}

func TestSay(t *testing.T) {
	answers := func(n int) Text { return N(n, "{n} answer", "{n} answers") }
	got := T("{who} got {points}", "who", "Ada", "points", N(2, "{n} point", "{n} points"))
	for _, c := range []struct {
		l    *Language
		text Text
		want string
	}{
		{English, T("Join"), "Join"},
		{English, Text{}, ""},
		{English, answers(1), "1 answer"},
		{English, answers(0), "0 answers"},
		{English, answers(1200), "1,200 answers"},
		{English, got, "Ada got 2 points"},
		{English, T("{who} is in", "who", "ليلى"), "\u2068ليلى\u2069 is in"},
		{English, T("{a} and {b", "a", 1), "1 and {b"},
		{English, T("{who} is in"), "{who} is in"},
		{polish(), T("Join"), "Dołącz"},
		{polish(), T("Not translated yet"), "Not translated yet"},
		{polish(), answers(1), "1 odpowiedź"},
		{polish(), answers(3), "3 odpowiedzi"},
		{polish(), answers(5), "5 odpowiedzi…"},
		{polish(), got, "2 points dla Ada"},
		{Pseudo, answers(1), "[1 áñšŵéŕ · ·]"},
	} {
		if said := c.l.Say(c.text); said != c.want {
			t.Errorf("%s: %+v is said %q, want %q", c.l.Code, c.text, said, c.want)
		}
	}
}

func TestHTML(t *testing.T) {
	said := English.HTML(T("{who} & {what} <won>", "who", template.HTML("<bdi>Ada</bdi>"), "what", "<b>"))
	if want := template.HTML("<bdi>Ada</bdi> &amp; &lt;b&gt; &lt;won&gt;"); said != want {
		t.Errorf("%q, want %q", said, want)
	}
}

func TestScript(t *testing.T) {
	source := `
const a = t("Join");
const b = t({ one: "{n} answer", other: "{n} answers" }, { n });
const c = rich(
  "{who} got {points}",
  { who: <bdi>{who}</bdi>, points },
);
const d = t("A \"quoted\" text");`
	if said := English.Script(source); said != source {
		t.Errorf("in English it is another script: %s", said)
	}
	said := polish().Script(source)
	for _, want := range []string{
		`t("Dołącz")`, `t({ few: "{n} odpowiedzi", many: "{n} odpowiedzi…", one: "{n} odpowiedź", other: "{n} odpowiedzi." }, { n })`,
		`"{points} dla {who}",`, `t("A \"quoted\" text")`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("want %s in %s", want, said)
		}
	}
	var english []string
	for _, text := range scriptTexts(source) {
		english = append(english, text.English)
	}
	if got, want := strings.Join(english, "|"), `Join|{who} got {points}|A "quoted" text|{n} answers`; got != want {
		t.Errorf("the script says %q, want %q", got, want)
	}
}

func TestMatch(t *testing.T) {
	for accepted, want := range map[string]string{
		"": "en", "de-AT,de;q=0.9,en;q=0.8": "de", "pt-BR": "pt", "ar-EG": "ar", "es-419,es": "es", "zh-CN": "en", "tlh, fr;q=0.5": "fr", "nonsense;;": "en", "fr," + strings.Repeat("aa,", 5000): "fr", strings.Repeat("a", 5000): "en",
	} {
		if got := Match(accepted).Code; got != want {
			t.Errorf("whoever accepts %q reads %s, want %s", accepted, got, want)
		}
	}
	if l, ok := Find("pl"); !ok || l.Name != "Polski" || l.Direction() != "ltr" {
		t.Errorf("pl is %+v", l)
	}
	if l, ok := Find("ar"); !ok || l.Direction() != "rtl" || l.Number(1200) != "1,200" {
		t.Errorf("ar is %+v, and writes %s", l, l.Number(1200))
	}
	if _, ok := Find("xx"); ok {
		t.Error("a language was found that there is not")
	}
}
