// Package pubquiz_test enforces the design's rules about who may know whom.
package pubquiz_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport says which of our areas each area may import besides itself. What is not listed may import all but commands.
var mayImport = map[string][]string{
	"quiz":       {"internal"},
	"account":    {"internal"},
	"billing":    {"internal", "account"},
	"session":    {"internal", "quiz"},
	"web":        {"internal", "quiz", "session", "account", "billing", "ratelimit"},
	"internal":   {"migrations"},
	"migrations": {},
	"ratelimit":  {}, // a library in all but name
	"loadtest":   {}, // a black box outside the server
}

// features could be driven by anything, so they do not know the web.
var features = []string{"quiz", "session", "account", "billing", "ratelimit"}

// pureFiles decide; they touch nothing and ask nobody for the time.
var pureFiles = []string{"session/state.go", "session/allowed.go", "session/command.go", "session/score.go", "session/groups.go", "quiz/marking.go", "quiz/given.go", "quiz/frozen.go", "quiz/numbers.go", "quiz/spoken.go",
	"quiz/typed.go", "quiz/forms.go", "quiz/names.go", "quiz/neighbours.go", "quiz/distance.go", "quiz/pattern.go", "quiz/fold.go", "quiz/rewrite.go", "quiz/numerals.go", "quiz/check.go"}

type goPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string // of what is built, not of tests
}

// name is the package's path inside the module, and area the folder at the top that it is in.
func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, "pubquiz/") }

func area(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		allowed, limited := mayImport[area(p.name())]
		for _, imported := range p.Imports {
			name, ours := strings.CutPrefix(imported, "pubquiz/")
			switch to := area(name); {
			case ours && to == "cmd":
				t.Errorf("%s imports the command %s", p.name(), name)
			case ours && limited && to != area(p.name()) && !slices.Contains(allowed, to):
				t.Errorf("%s imports %s", p.name(), name)
			case slices.Contains(features, area(p.name())) && isWeb(imported):
				t.Errorf("%s imports %s: a feature does not know the web", p.name(), imported)
			}
		}
	}
}

func isWeb(path string) bool {
	return path == "net/http" || strings.HasPrefix(path, "github.com/gorilla/") || strings.HasPrefix(path, "github.com/go-chi/")
}

func TestPureFiles(t *testing.T) {
	for _, name := range pureFiles {
		file, position := parse(t, filepath.FromSlash(name))
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if path == "context" || path == "log/slog" || strings.HasPrefix(path, "github.com/jackc/pgx/") {
				t.Errorf("%v: a pure file imports %s", position(spec), path)
			}
		}
		uses(file, "time", []string{"Now", "Since", "Until"}, func(call *ast.SelectorExpr) {
			t.Errorf("%v: a pure file asks for the time", position(call))
		})
	}
}

// partsOfTests may know whether they run in CI, and run programs of others.
var partsOfTests = []string{"internal/dbtest", "internal/browsertest", "internal/mailtest", "internal/oidctest", "internal/redistest", "internal/testprogram"}

func TestOnlyCommandsReadTheEnvironment(t *testing.T) {
	for _, p := range packages(t) {
		if area(p.name()) == "cmd" || slices.Contains(partsOfTests, p.name()) {
			continue
		}
		for _, name := range p.GoFiles {
			file, position := parse(t, filepath.Join(p.Dir, name))
			uses(file, "os", []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, func(call *ast.SelectorExpr) {
				t.Errorf("%v: only commands read the environment", position(call))
			})
		}
		if slices.ContainsFunc(p.Imports, func(path string) bool { return strings.HasPrefix(path, "github.com/caarlos0/env") }) {
			t.Errorf("%s parses the environment; only commands read it", p.name())
		}
	}
}

// TestTransactionsAreTriedAgain: two that locked each other are no fault of anybody's, and one of them is only late. What reads as of one moment is another thing: see pgx.BeginTxFunc.
func TestTransactionsAreTriedAgain(t *testing.T) {
	for _, p := range packages(t) {
		if p.name() == "internal/postgres" {
			continue
		}
		for _, name := range p.GoFiles {
			file, position := parse(t, filepath.Join(p.Dir, name))
			uses(file, "pgx", []string{"BeginFunc"}, func(call *ast.SelectorExpr) {
				t.Errorf("%v: a transaction that is not tried again when Postgres ends it; see postgres.InTx", position(call))
			})
		}
	}
}

// TestNames refuses the names that say nothing.
func TestNames(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "models", "manager", "misc", "types"}
	for _, p := range packages(t) {
		if slices.Contains(empty, filepath.Base(p.Dir)) {
			t.Errorf("package %s has a name that says nothing", p.name())
		}
		for _, name := range p.GoFiles {
			file, position := parse(t, filepath.Join(p.Dir, name))
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && (strings.HasSuffix(spec.Name.Name, "Manager") || strings.HasSuffix(spec.Name.Name, "Helper")) {
					t.Errorf("%v: %s says nothing about what it is", position(spec), spec.Name)
				}
				return true
			})
		}
	}
}

// uses reports each use of one of a package's functions.
func uses(file *ast.File, name string, functions []string, report func(*ast.SelectorExpr)) {
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if of, ok := selector.X.(*ast.Ident); ok && of.Name == name && slices.Contains(functions, selector.Sel.Name) {
			report(selector)
		}
		return true
	})
}

func parse(t *testing.T, path string) (file *ast.File, position func(ast.Node) token.Position) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file, func(n ast.Node) token.Position { return files.Position(n.Pos()) }
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...").Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("go list: %s", failed.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p goPackage
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("go list knows no packages")
	}
	return all
}
