package pubquiz_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const seenElsewhere = "TestSeenElsewhere"

// TestSeenElsewhereIsTested compares docs/seen-elsewhere.md with the tests: each line names some, all of them exist, and none is left out.
func TestSeenElsewhereIsTested(t *testing.T) {
	index, err := os.ReadFile("docs/seen-elsewhere.md")
	if err != nil {
		t.Fatal(err)
	}
	existing := testsNamed(t, seenElsewhere)
	named := map[string]bool{}
	numbered := 0
	for line := range strings.Lines(string(index)) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || strings.Contains(line, "what went wrong") {
			continue
		}
		if number, err := strconv.Atoi(strings.TrimPrefix(cells[0], "| ")); err == nil {
			if numbered++; number != numbered {
				t.Errorf("line %d comes after line %d", number, numbered-1)
			}
		}
		tests := testNames.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(tests) == 0 {
			t.Errorf("no test is named: %s", line)
		}
		for _, test := range tests {
			named[test[1]] = true
			if !existing[test[1]] {
				t.Errorf("there is no test %s: %s", test[1], line)
			}
		}
	}
	if numbered != 20 {
		t.Errorf("there are %d numbered lines, want 20", numbered)
	}
	for name := range existing {
		if !named[name] {
			t.Errorf("%s is not in the index", name)
		}
	}
}

var testNames = regexp.MustCompile("`([a-z/]+\\." + seenElsewhere + "[A-Za-z]*)`")

// testsNamed finds the tests whose names begin like this, as "folder.Test".
func testsNamed(t *testing.T, beginning string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "node_modules" || name == "bench" || len(name) > 1 && strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		folder := path.Dir(filepath.ToSlash(file))
		if !strings.HasSuffix(file, "_test.go") || folder == "." {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range parsed.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, beginning) {
				found[folder+"."+f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
