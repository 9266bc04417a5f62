package quiz

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// about is what a question's own words tell of the ways in which its answer may be said.
type about struct {
	surnames  bool
	person    bool
	said      map[string]bool // words of the question
	classes   []string        // of them, and of what they stand for
	articles  []string        // of the question's language, unless that is English
	capitalOf []string        // what comes after "capital of"
}

func (q Question) about() about {
	a := about{surnames: q.Surnames, said: map[string]bool{}, articles: articlesOf(q.Text)}
	words := foldWords(q.Text)
	for i, word := range words {
		a.said[word] = true
		if len(word) > 3 {
			a.said[strings.TrimSuffix(word, "s")] = true // "Homer Simpson's son"
		}
		if word == "capital" && i+2 < len(words) && words[i+1] == "of" {
			a.capitalOf = words[i+2:]
		}
	}
	for class := range classes {
		if a.said[class] || slices.ContainsFunc(classes[class], func(other string) bool { return a.said[other] }) {
			a.classes = append(a.classes, class)
		}
	}
	a.person = a.surnames || a.said["who"]
	return a
}

// forms are the ways to say an accepted answer, each as folded words, that may also hold a slip.
func (a about) forms(accepted string) (forms [][]string) {
	words := foldWords(accepted)
	forms = append(forms, words)
	if typed := typedWords(accepted); !slices.Equal(typed, words) {
		forms = append(forms, typed)
	}
	if full := withoutInitials(words); len(full) < len(words) {
		forms = append(forms, full)
	}
	if at := slices.Index(words, "and"); at > 0 && at+1 < len(words) && !slices.Contains(words[at+1:], "and") {
		first, second := words[:at], words[at+1:]
		forms = append(forms, slices.Concat(first, second), slices.Concat(second, []string{"and"}, first))
	}
	if rest := a.withoutArticle(words); rest != nil {
		forms = append(forms, rest)
	}
	bare := a.bare(words)
	if bare != nil {
		forms = append(forms, bare)
	} else {
		bare = words
	}
	for _, class := range a.classes {
		forms = append(forms, slices.Concat([]string{class}, bare), slices.Concat([]string{class, "of"}, bare), slices.Concat(bare, []string{class}))
	}
	if a.surnames {
		forms = append(forms, surnames(words)...)
	}
	if spelled := spelledOut.Replace(accepted); spelled != accepted {
		forms = append(forms, foldWords(spelled))
	}
	return forms
}

// variants are more ways to say an accepted answer, which must be typed as they are.
func (a about) variants(accepted string) (variants [][]string) {
	words := foldWords(accepted)
	for _, article := range a.articles {
		variants = append(variants, slices.Concat([]string{article}, words))
	}
	if a.person {
		if len(words) > 2 {
			variants = append(variants, initialsOf(words)) // "JFK"
		}
		for _, title := range titles {
			variants = append(variants, slices.Concat([]string{title}, words))
			if a.surnames {
				for _, name := range surnames(words) {
					variants = append(variants, slices.Concat([]string{title}, name))
				}
			}
		}
	}
	if a.capitalOf != nil {
		variants = append(variants, slices.Concat(words, a.capitalOf))
	}
	if short, ok := directions[words[0]]; ok && len(words) > 1 {
		variants = append(variants, slices.Concat([]string{short}, words[1:]))
	}
	if len(words) == 2 && (months[words[0]] != "" && isDigitByte(words[1][0]) || months[words[1]] != "" && isDigitByte(words[0][0])) {
		variants = append(variants, []string{words[1], words[0]}) // "July 4" and "4 July"
	}
	if digits := strings.TrimRight(words[0], "stndrh"); len(words) == 1 && digits != words[0] && !strings.ContainsFunc(digits, notDigit) {
		variants = append(variants, []string{digits}) // "21st"
	}
	if zero := letterOh.ReplaceAllString(words[0], "${1}0"); len(words) == 1 && zero != words[0] {
		variants = append(variants, []string{zero}) // "H20"
	}
	return variants
}

func notDigit(r rune) bool { return !isDigit(r) }

var letterOh = regexp.MustCompile(`([0-9])o`)

var (
	titles     = strings.Fields("sir dame lord lady king queen prince princess emperor president pope dr mr mrs st captain professor madame")
	directions = map[string]string{"north": "n", "south": "s", "east": "e", "west": "w"}
)

// classes are what answers are, and may be called or not when the question has said so: "Which ocean …?" "The Pacific." Each comes with
// other words by which a question may say it. Not "city", since Mexico is no city.
var classes = map[string][]string{
	"mt": {"mountain", "mountains", "peak", "volcano", "summit"}, "lake": {"lakes"}, "river": {"rivers"}, "sea": {"seas"}, "ocean": {"oceans"},
	"desert": {"deserts"}, "island": {"islands"}, "isle": nil, "peninsula": nil, "bay": nil, "gulf": nil, "strait": nil, "cape": nil, "canal": nil,
	"bridge": nil, "tower": nil, "falls": {"waterfall", "waterfalls"}, "palace": nil, "castle": nil, "cathedral": nil, "airport": nil, "stadium": nil,
	"king": {"monarch", "ruler"}, "queen": {"monarch", "ruler"}, "emperor": {"ruler", "tsar"}, "pope": nil, "president": {"presidents"},
	"prince": nil, "princess": nil, "duke": nil, "planet": {"planets"}, "constellation": nil, "county": nil, "battle": {"battles"}, "treaty": nil,
	"empire": nil, "dynasty": nil, "university": nil, "prize": nil, "award": nil, "scale": nil, "law": nil, "theorem": nil, "theory": nil, "effect": nil,
	"acid": nil, "gland": nil, "bone": nil, "vitamin": nil, "disease": nil, "syndrome": nil, "language": nil, "cheese": nil, "sauce": nil, "pasta": nil,
	"dance": nil,
}

// bare leaves out what the question has said already: a class before the name ("King Arthur"), or any word after it ("Bart
// Simpson", where the question is about the Simpsons' Homer Simpson). It returns nil if there is nothing to leave out.
func (a about) bare(words []string) []string {
	last := len(words) - 1
	switch {
	case last < 1:
		return nil
	case slices.Contains(a.classes, words[0]):
		if last > 1 && words[1] == "of" {
			return words[2:]
		}
		return words[1:]
	case a.person && slices.Contains(titles, words[0]) && !a.said[words[1]]:
		return words[1:]
	case a.said[words[last]] && !tellsApart[words[last]] && isLetters(words[last]) && letters(words[:last]) > 2:
		return words[:last]
	default:
		return nil
	}
}

// tellsApart are words that make another thing of one: Mexico City is not Mexico.
var tellsApart = map[string]bool{"city": true, "republic": true}

// withoutArticle leaves out the article of the question's language, where what remains is long enough to be the name itself. It
// returns nil if there is none.
func (a about) withoutArticle(words []string) []string {
	if len(words) < 2 || !slices.Contains(a.articles, words[0]) || letters(words[1:]) < 5 {
		return nil
	}
	return words[1:]
}

// withoutInitials leaves out the single letters inside a name: "John F. Kennedy".
func withoutInitials(words []string) []string {
	if len(words) < 3 {
		return words
	}
	full := []string{words[0]}
	for _, word := range words[1 : len(words)-1] {
		if len(word) > 1 || !isLetters(word) {
			full = append(full, word)
		}
	}
	return append(full, words[len(words)-1])
}

func letters(words []string) (n int) {
	for _, word := range words {
		n += utf8.RuneCountInString(word)
	}
	return n
}

// tongue is a language whose articles are left out, and the words that tell it from others.
type tongue struct{ articles, words []string }

var tongues = []tongue{
	{nil, strings.Fields("the of which what who is are was in how many on did does and name a")},
	{strings.Fields("der die das ein eine"), strings.Fields("der die das und ist welche welcher welches welchem welchen wie wer was wo heisst den dem eine von hat wird war")},
	{strings.Fields("le la les l un une"), strings.Fields("le la les est quel quelle quels quelles qui dans des du une pour combien ou de quoi en quelle s appelle comment dit on")},
	{strings.Fields("el la los las un una"), strings.Fields("el la los las que cual quien es en de del una como cuantos donde se por")},
	{strings.Fields("il lo la i gli le l un una"), strings.Fields("il lo la gli che quale chi e di della nel nella una come quanti si del in dove")},
	{strings.Fields("o a os as um uma"), strings.Fields("o a os as qual quem e em da do uma de no na quantos como que")},
	{strings.Fields("de het een"), strings.Fields("de het een welke wie is van wat hoe heet in op hoeveel welk")},
}

// articlesOf are the articles of the language that a text is in, by its small words; none for English, whose articles Fold
// leaves out, and where the words do not tell.
func articlesOf(text string) []string {
	words := typedWords(text)
	most, articles := 1, []string(nil)
	for _, tongue := range tongues {
		hits := 0
		for _, word := range words {
			if slices.Contains(tongue.words, word) {
				hits++
			}
		}
		if hits > most {
			most, articles = hits, tongue.articles
		}
	}
	return articles
}
