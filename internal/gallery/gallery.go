// Package gallery makes docs/screens of the pictures that the browser tests take: every screen and state, with light beside dark, in the order and the words of
// screens.txt. A picture that nobody has named there, and a name without its pictures, fail: the gallery shows what there is.
package gallery

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/image/webp"
)

//go:embed screens.txt
var list string

// Sections is the list.
func Sections() []Section {
	sections, err := read(list)
	if err != nil {
		panic(err)
	}
	return sections
}

// State is something that a screen shows: its caption, and its pictures at several sizes or in several languages.
type State struct {
	Caption  string
	Pictures []string
}

// Section is a screen, or part of one.
type Section struct {
	Title, Words string
	States       []State
}

// read reads a list. A line with # begins a section, one with a colon names pictures and captions them, any other says something about the section.
func read(list string) ([]Section, error) {
	var sections []Section
	named := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(list), "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			sections = append(sections, Section{Title: title})
			continue
		}
		if line == "" {
			continue
		}
		if len(sections) == 0 {
			return nil, fmt.Errorf("line %d stands before every section", i+1)
		}
		section := &sections[len(sections)-1]
		names, caption, ok := strings.Cut(line, ": ")
		if !ok {
			section.Words = line
			continue
		}
		state := State{Caption: caption, Pictures: strings.Fields(names)}
		for _, name := range state.Pictures {
			if named[name] {
				return nil, fmt.Errorf("line %d names %s again", i+1, name)
			}
			named[name] = true
		}
		section.States = append(section.States, state)
	}
	return sections, nil
}

// Differences says what the list and the pictures do not have in common; names are those of the pictures without -light and -dark.
func Differences(sections []Section, names []string) error {
	var problems []error
	listed := map[string]bool{}
	for _, section := range sections {
		for _, state := range section.States {
			for _, name := range state.Pictures {
				listed[name] = true
				if !slices.Contains(names, name) {
					problems = append(problems, fmt.Errorf("%s is in the list, but no test takes it", name))
				}
			}
		}
	}
	for _, name := range names {
		if !listed[name] {
			problems = append(problems, fmt.Errorf("%s is not in the list", name))
		}
	}
	return errors.Join(problems...)
}

// Names are the pictures in a folder whose names end in one of the endings, each once.
func Names(folder fs.FS, endings ...string) ([]string, error) {
	var names []string
	for _, ending := range endings {
		files, err := fs.Glob(folder, "*"+ending)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			names = append(names, strings.TrimSuffix(file, ending))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Page is the gallery in Markdown. What is narrow, as phones are, stands three in a row.
func Page(sections []Section, pictures fs.FS) (string, error) {
	var links, walls []string
	count := 0
	for _, section := range sections {
		links = append(links, fmt.Sprintf("[%s](#%s)", section.Title, anchor(section.Title)))
		wall, err := section.wall(pictures)
		if err != nil {
			return "", err
		}
		walls = append(walls, wall)
		for _, state := range section.States {
			count += len(state.Pictures)
		}
	}
	return fmt.Sprintf("# Every screen\n\nWhat the browser tests see, %d pictures in light and in dark. `make screens` takes them and writes this page; a picture that [its list](../../internal/gallery/screens.txt) does not name fails it, and so does a name without its pictures. "+
		"The names end in the language where it is not English; en-XA is English in longer words, by which one sees what has too little room.\n\n%s\n%s", count, strings.Join(links, " · "), strings.Join(walls, "")), nil
}

// wall is a section in Markdown.
func (s Section) wall(pictures fs.FS) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n", s.Title)
	if s.Words != "" {
		fmt.Fprintf(&b, "\n%s\n", s.Words)
	}
	var row row
	for _, state := range s.States {
		for _, name := range state.Pictures {
			file, err := pictures.Open(name + ".webp")
			if err != nil {
				return "", err
			}
			size, err := webp.DecodeConfig(file)
			file.Close()
			if err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			caption, picture := fmt.Sprintf("%s<br>`%s`", state.Caption, name), fmt.Sprintf("![%s](%s.webp)", state.Caption, name)
			if size.Width > 2*narrow+gap {
				row.end(&b)
				fmt.Fprintf(&b, "\n%s\n\n%s\n", caption, picture)
			} else if row.add(caption, picture); len(row.pictures) == 3 {
				row.end(&b)
			}
		}
	}
	row.end(&b)
	return b.String(), nil
}

// row is a table of narrow pictures below their captions.
type row struct{ captions, pictures []string }

func (r *row) add(caption, picture string) {
	r.captions, r.pictures = append(r.captions, caption), append(r.pictures, picture)
}

func (r *row) end(b *strings.Builder) {
	if len(r.pictures) > 0 {
		fmt.Fprintf(b, "\n| %s |\n|%s\n| %s |\n", strings.Join(r.captions, " | "), strings.Repeat(" --- |", len(r.captions)), strings.Join(r.pictures, " | "))
	}
	*r = row{}
}

// anchor is where GitHub puts a heading.
func anchor(title string) string {
	return strings.NewReplacer(" ", "-", ",", "", ":", "", "'", "").Replace(strings.ToLower(title))
}
