package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pubquiz/ratelimit"
)

var update = flag.Bool("update", false, "write the documents' generated parts anew")

const updateCommand = "go test ./cmd/quizd -run Documented -update"

// TestConfigIsDocumented keeps .env.example and the README's table in step with config's tags.
func TestConfigIsDocumented(t *testing.T) {
	var example, table strings.Builder
	example.WriteString("# Every variable that quizd reads. Those that begin with # show their defaults or an example.\n")
	table.WriteString("| variable | default | what it is |\n| --- | --- | --- |\n")
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		tag := field.Tag.Get("env")
		if tag == "" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		about, standard := field.Tag.Get("about"), field.Tag.Get("envDefault")
		required := options == "notEmpty" || name == "SECRET_KEYS"
		comment := "#"
		if required {
			comment = ""
		}
		fmt.Fprintf(&example, "\n# %s\n%s%s=%s\n", about, comment, name, standard+field.Tag.Get("example"))
		switch {
		case standard != "":
			standard = "`" + standard + "`"
		case required:
			standard = "required"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", name, standard, about)
	}
	checkWhole(t, "../../.env.example", example.String())
	checkPart(t, "../../README.md", "configuration", table.String())
}

// TestLimitsAreDocumented keeps the README's table in step with the one in force.
func TestLimitsAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| limit | budget | counted for each | who is hurt when it trips, and why this number | while Redis does not answer |\n")
	table.WriteString("| --- | --- | --- | --- | --- |\n")
	whileDown := map[ratelimit.Fallback]string{ratelimit.Local: "each instance counts", ratelimit.Closed: "refused"}
	for _, limit := range ratelimit.Table {
		fmt.Fprintf(&table, "| `%s` | %d / %g min | %v | %s | %s |\n", limit.Name, limit.Budget, limit.Window.Minutes(), limit.Key, limit.Hurt,
			whileDown[limit.StoreDown])
	}
	checkPart(t, "../../README.md", "limits", table.String())
}

// checkPart compares what stands between a document's two markers of this name.
func checkPart(t *testing.T, path, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+": generated -->\n", "<!-- "+name+": end -->"
	before, rest, begins := strings.Cut(read(t, path), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no part between %q and %q", path, begin, end)
	}
	checkWhole(t, path, before+begin+want+end+after)
}

func checkWhole(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, path) != want {
		t.Errorf("%s is out of step; run: %s", path, updateCommand)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLinksLeadSomewhere follows every link between the documents.
func TestLinksLeadSomewhere(t *testing.T) {
	documents, err := filepath.Glob("../../*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join("..", "..", "docs"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			documents = append(documents, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)[^):]*\)`)
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", document, m[1])
			}
		}
	}
}
