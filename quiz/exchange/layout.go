package exchange

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// layout is how a product lays out its sheets: which columns it has, and how a row becomes a question.
type layout struct {
	name    words.Text // what people call it: "Kahoot spreadsheet"
	marker  string     // the heading of a cell that stands above the row of headings; empty: none
	columns []column   // in the order in which their cells are handed over
	read    func(e entry, d *draft)
	before  func(above []sheetRow, c *collector) // reads what stands above the headings; nil: nothing does
	isHelp  func(e entry) bool                   // tells rows that explain the template; nil: there are none
}

// column is a column that a layout knows. The same heading may occur several times.
type column struct {
	role     role
	headings []string // as heading returns them; one that ends in * matches all that begin so
	required bool
}

// role is what a column is for.
type role string

// The roles.
const (
	asQuestion role = "text"
	asKind     role = "kind"
	asOption   role = "options"
	asWrong    role = "wrong"
	asCorrect  role = "correct" // which of the options, or the answer itself
	asSeconds  role = "seconds"
	asTimed    role = "timed" // whether there is a time at all
	asPoints   role = "points"
	asMedia    role = "media"
	asNotes    role = "notes"
	asRound    role = "round"
	asIntro    role = "introduction"
	asCategory role = "category"
	asTags     role = "tags"
	asUnit     role = "unit"
	asNear     role = "tolerance"
	asRules    role = "rules"
	asNothing  role = "nothing" // known, and not needed here
)

// maxPreamble is how many rows may stand above the headings.
const maxPreamble = 30

// found is a layout in a sheet.
type found struct {
	layout  layout
	header  int // index of the row of headings
	columns map[role][]int
}

// findLayout tells which layout a sheet has, by its headings.
func findLayout(s sheet) (found, bool) {
	above := s.rows[:min(len(s.rows), maxPreamble)]
	headings := make([][]string, len(above))
	for i, row := range above {
		for _, cell := range row.cells {
			headings[i] = append(headings[i], heading(cell))
		}
	}
	for _, l := range layouts {
		for i := range above {
			if columns, ok := l.match(headings[i]); ok && l.marked(headings[:i]) {
				return found{l, i, columns}, true
			}
		}
	}
	return found{}, false
}

// match finds the layout's columns in a row of headings.
func (l layout) match(headings []string) (columns map[role][]int, ok bool) {
	columns = map[role][]int{}
	taken := map[int]bool{}
	for _, c := range l.columns {
		there := false
		for i := range headings {
			if !taken[i] && c.is(headings[i]) {
				columns[c.role] = append(columns[c.role], i)
				taken[i], there = true, true
			}
		}
		if c.required && !there {
			return nil, false
		}
	}
	return columns, true
}

func (c column) is(heading string) bool {
	return slices.ContainsFunc(c.headings, func(known string) bool {
		if prefix, ok := strings.CutSuffix(known, "*"); ok {
			return strings.HasPrefix(heading, prefix)
		}
		return heading == known
	})
}

func (l layout) marked(above [][]string) bool {
	return l.marker == "" || slices.ContainsFunc(above, func(headings []string) bool { return slices.Contains(headings, l.marker) })
}

// readSheets reads the sheets that have a layout. Where several have, each is a round, unless it has rounds of its own.
func readSheets(sheets []sheet, c collector) (Import, error) {
	var used []found
	var names []string
	for _, s := range sheets {
		f, ok := findLayout(s)
		if ok {
			used = append(used, f)
		}
		names = append(names, s.name)
	}
	if len(used) == 0 {
		return Import{}, refuse(words.T("No questions were found in this workbook. A sheet needs a row of headings with a column for the question and one for the answer."))
	}
	for _, s := range sheets {
		name := ""
		if len(names) > 1 {
			name = s.name
		}
		f, ok := findLayout(s)
		if !ok {
			c.rows = append(c.rows, Row{Sheet: name, Status: Skipped, Text: shorten(s.name, maxText),
				Notes: []Note{{Detail: words.T("This sheet has no row of headings with a question and an answer.")}}})
			continue
		}
		round := ""
		if len(used) > 1 {
			round = s.name
		}
		if err := f.read(s, at{sheet: name}, round, &c); err != nil {
			return Import{}, err
		}
	}
	return c.result(used[0].layout.name, InRows)
}

// read takes every row below the headings.
func (f found) read(s sheet, where at, round string, c *collector) error {
	if f.layout.before != nil {
		f.layout.before(s.rows[:f.header], c)
	}
	if !s.warning.IsZero() {
		c.rows = append(c.rows, Row{Sheet: where.sheet, Status: Changed, Notes: []Note{{Detail: s.warning}}})
	}
	header := s.rows[f.header]
	if unknown := f.unknown(header); len(unknown) > 0 {
		c.rows = append(c.rows, Row{Row: header.number, Sheet: where.sheet, Status: Changed,
			Notes: []Note{{Found: shorten(strings.Join(unknown, ", "), maxFound), Detail: words.T("These columns are not taken along.")}}})
	}
	names := f.names(header)
	last := round // of the rows so far: many people name a round only where it begins
	for _, row := range s.rows[f.header+1:] {
		e := entry{f: f, header: header, row: row}
		if e.isBlank() || f.layout.isHelp != nil && f.layout.isHelp(e) {
			continue
		}
		d := draft{Question: quiz.Question{Text: e.first(asQuestion)}, round: round, names: maps.Clone(names), in: c.in}
		where.row = row.number
		if d.Text == "" {
			d.skip(d.names["text"], strings.Join(e.row.cells, " | "), words.T("There is no question in this row."))
		} else {
			f.layout.read(e, &d)
		}
		d.round = shorten(d.round, maxFound) // which many rows may share
		if e.first(asRound) != "" {
			last = d.round
		} else if len(f.columns[asRound]) > 0 {
			d.round = last
		}
		if stray := e.stray(); stray != "" {
			d.changed("", stray, words.T("Not taken along, since its column has no heading."))
		}
		c.introduce(where, d.round, e.first(asIntro))
		if err := c.add(where, d); err != nil {
			return err
		}
	}
	return nil
}

// unknown are the headings of columns that the layout does not know.
func (f found) unknown(header sheetRow) []string {
	known := map[int]bool{}
	for _, columns := range f.columns {
		for _, column := range columns {
			known[column] = true
		}
	}
	var unknown []string
	for i := range header.cells {
		if text := strings.Join(strings.Fields(header.cell(i)), " "); text != "" && !known[i] && !isNumber(text) {
			unknown = append(unknown, text)
		}
	}
	return unknown
}

// entry is a row below the headings.
type entry struct {
	f           found
	header, row sheetRow
}

// isBlank tells whether none of the layout's columns has anything in this row.
func (e entry) isBlank() bool {
	for r, columns := range e.f.columns {
		for _, column := range columns {
			if r != asNothing && e.row.cell(column) != "" {
				return false
			}
		}
	}
	return true
}

// first is the first column's cell of a role.
func (e entry) first(r role) string {
	if columns := e.f.columns[r]; len(columns) > 0 {
		return e.row.cell(columns[0])
	}
	return ""
}

// all are the cells of a role's columns, blank ones included.
func (e entry) all(r role) []string {
	var cells []string
	for _, column := range e.f.columns[r] {
		cells = append(cells, e.row.cell(column))
	}
	return cells
}

// filled are the cells of a role's columns that are not blank.
func (e entry) filled(r role) []string {
	return slices.DeleteFunc(e.all(r), func(cell string) bool { return cell == "" })
}

// stray is what stands in columns without a heading. Numbers there only count the questions.
func (e entry) stray() string {
	var texts []string
	for i := range e.row.cells {
		if text := e.row.cell(i); text != "" && e.header.cell(i) == "" && !isNumber(text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " | ")
}

// names are the columns' headings by the members of a question that they become.
func (f found) names(header sheetRow) map[string]string {
	names := map[string]string{}
	for r, columns := range f.columns {
		for i, column := range columns {
			name := shorten(strings.Join(strings.Fields(header.cell(column)), " "), 60)
			if i == 0 {
				names[string(r)] = name
			}
			if r == asOption {
				names["options["+strconv.Itoa(i)+"]"] = name
			}
		}
	}
	names["accepted"], names["number"] = names["correct"], names["correct"]
	return names
}
