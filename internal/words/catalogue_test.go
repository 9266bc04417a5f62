package words

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"
)

var update = flag.Bool("update", false, "write what the code says into every catalogue, with nothing where it is not translated, and leave out what the code says no more")

const root = "../.."

// TestCatalogues holds every catalogue against what the code says: nothing is missing, nothing is left over, and every translation has the values of the English,
// and the forms that its language needs.
func TestCatalogues(t *testing.T) {
	said := everythingSaid(t)
	if len(said) < 100 {
		t.Fatalf("only %d texts were found in the code", len(said))
	}
	for _, l := range All[1:] {
		t.Run(l.Code, func(t *testing.T) {
			if *update {
				l.write(t, said)
				return
			}
			for english, text := range said {
				l.check(t, text.Text, text.where)
				delete(l.catalogue, english)
			}
			for english := range l.catalogue {
				t.Errorf("%q is translated, but said nowhere", english)
			}
		})
	}
}

// valueAlone is a text that says nothing but a value, so there is nothing to translate. How two values stand together, a language may say.
var valueAlone = regexp.MustCompile(`^\{\w+\}$`)

// found is a text, and where it is said.
type found struct {
	Text
	where string
}

func (l *Language) check(t *testing.T, text Text, where string) {
	t.Helper()
	translated := l.catalogue[text.English]
	needed := map[string]bool{"other": true}
	if text.One != "" {
		for n := range 201 {
			needed[l.category(n)] = true
		}
	}
	for category := range needed {
		form := translated[category]
		if form == "" {
			t.Errorf("%s: %q has no translation for %q", where, text.English, category)
			continue
		}
		names, of := namesIn(form), namesIn(text.English)
		// A form for one number alone need not write it: "one answer".
		alone := text.One != "" && category != "other"
		for _, name := range names {
			if !slices.Contains(of, name) {
				t.Errorf("%s: the translation %q of %q has a value called %s", where, form, text.English, name)
			}
		}
		for _, name := range of {
			if !slices.Contains(names, name) && !(alone && name == "n") {
				t.Errorf("%s: the translation %q of %q leaves out the value %s", where, form, text.English, name)
			}
		}
	}
	for category := range translated {
		if !needed[category] && !l.hasCategory(category) {
			t.Errorf("%s: %q is translated for %q, which the language does not need there", where, text.English, category)
		}
	}
}

// hasCategory tells of categories for numbers that are larger than those that are counted here.
func (l *Language) hasCategory(category string) bool { return l.category(1_000_000) == category }

// write writes the catalogue anew.
func (l *Language) write(t *testing.T, said map[string]found) {
	t.Helper()
	fresh := map[string]any{}
	for english, text := range said {
		old := l.catalogue[english]
		switch {
		case text.One == "":
			fresh[english] = old["other"]
		default:
			needed := map[string]string{"other": old["other"]}
			for n := range 201 {
				needed[l.category(n)] = old[l.category(n)]
			}
			fresh[english] = needed
		}
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(fresh); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("catalogues", l.Code+".json"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// everythingSaid are all texts of the code, by the English.
func everythingSaid(t *testing.T) map[string]found {
	t.Helper()
	said := map[string]found{}
	add := func(text Text, where string) {
		if text.English == "" {
			t.Errorf("%s: a text that is not written out where it is said", where)
			return
		}
		if valueAlone.MatchString(text.English) {
			return
		}
		before, known := said[text.English]
		if known && before.One != text.One {
			t.Errorf("%s: %q is said with other forms in %s", where, text.English, before.where)
		}
		said[text.English] = found{text, where}
	}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "vendor", "bench", "artifacts", "bin", "testdata"}, name) {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.Contains(name, ".test.") || strings.HasSuffix(name, "_test.go") || filepath.Base(filepath.Dir(path)) == "words" {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		where := strings.TrimPrefix(path, root+"/")
		switch filepath.Ext(name) {
		case ".go":
			return inGo(path, content, func(text Text, line int) { add(text, fmt.Sprintf("%s:%d", where, line)) })
		case ".ts", ".tsx":
			inScript(string(content), func(text Text) { add(text, where) })
		case ".html":
			return inTemplate(string(content), func(text Text) { add(text, where) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// inGo finds the calls of words.T and words.N. What they are called with must be written out there, and must name each of its values.
func inGo(path string, content []byte, add func(Text, int)) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if of, ok := selector.X.(*ast.Ident); !ok || of.Name != "words" {
			return true
		}
		line := files.Position(call.Pos()).Line
		switch {
		case selector.Sel.Name == "T" && len(call.Args) > 0:
			add(Text{English: withValues(constant(call.Args[0]), call.Args[1:])}, line)
		case selector.Sel.Name == "N" && len(call.Args) > 2:
			add(Text{One: constant(call.Args[1]), English: withValues(constant(call.Args[2]), append([]ast.Expr{&ast.BasicLit{Kind: token.STRING, Value: `"n"`}, nil}, call.Args[3:]...))}, line)
		}
		return true
	})
	return nil
}

// namesIn are the names of the values in a form: those of "{who} got {points}" are who and points.
func namesIn(form string) (names []string) {
	Text{}.fill(form, func(string) string { return "" }, func(v any) string {
		names = append(names, strings.Trim(fmt.Sprint(v), "{}"))
		return ""
	})
	return names
}

// withValues is the text, or empty where the values that are named beside it are not those that are in it.
func withValues(english string, values []ast.Expr) string {
	given := map[string]bool{}
	for i := 0; i < len(values); i += 2 {
		given[constant(values[i])] = true
	}
	of := map[string]bool{}
	for _, name := range namesIn(english) {
		of[name] = true
	}
	delete(given, "n")
	delete(of, "n")
	if len(values)%2 != 0 || !maps.Equal(given, of) {
		return ""
	}
	return english
}

// constant is the string that is written out, perhaps in several pieces, or empty.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		left, right := constant(e.X), constant(e.Y)
		if left == "" || right == "" {
			return ""
		}
		return left + right
	}
	return ""
}

var anyCall = regexp.MustCompile(`(?:^|[^.\w])(?:t|rich)\(\s*([^\s])`)

// inScript finds what a script says. That each call writes its text out, TypeScript cannot tell.
func inScript(source string, add func(Text)) {
	for _, text := range scriptTexts(source) {
		add(text)
	}
	for _, call := range anyCall.FindAllStringSubmatch(source, -1) {
		if call[1] != `"` && call[1] != "{" {
			add(Text{})
		}
	}
}

// scriptTexts are the texts that a script says, without values.
func scriptTexts(source string) (texts []Text) {
	for _, parts := range plainCall.FindAllStringSubmatch(source, -1) {
		texts = append(texts, T(unquoted(parts[2])))
	}
	for _, parts := range formsOf.FindAllStringSubmatch(source, -1) {
		texts = append(texts, Text{English: unquoted(parts[2]), One: unquoted(parts[1])})
	}
	return texts
}

// inTemplate finds the calls of t, n, rich and nrich.
func inTemplate(source string, add func(Text)) error {
	trees := map[string]*parse.Tree{}
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(source, "", "", trees); err != nil {
		return err
	}
	trees[""] = tree
	for _, tree := range trees {
		if tree.Root != nil {
			inNode(tree.Root, add)
		}
	}
	return nil
}

func inNode(node parse.Node, add func(Text)) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, child := range n.Nodes {
			inNode(child, add)
		}
	case *parse.ActionNode:
		inNode(n.Pipe, add)
	case *parse.IfNode:
		inBranch(&n.BranchNode, add)
	case *parse.WithNode:
		inBranch(&n.BranchNode, add)
	case *parse.RangeNode:
		inBranch(&n.BranchNode, add)
	case *parse.TemplateNode:
		inNode(n.Pipe, add)
	case *parse.PipeNode:
		if n == nil {
			return
		}
		for _, command := range n.Cmds {
			inNode(command, add)
		}
	case *parse.CommandNode:
		for _, arg := range n.Args {
			inNode(arg, add)
		}
		function, ok := n.Args[0].(*parse.IdentifierNode)
		if !ok {
			return
		}
		text := func(i int) string {
			if i < len(n.Args) {
				if literal, ok := n.Args[i].(*parse.StringNode); ok {
					return literal.Text
				}
			}
			return ""
		}
		switch function.Ident {
		case "t", "rich":
			add(Text{English: text(1)})
		case "n", "nrich":
			add(Text{One: text(2), English: text(3)})
		}
	}
}

func inBranch(n *parse.BranchNode, add func(Text)) {
	inNode(n.Pipe, add)
	inNode(n.List, add)
	if n.ElseList != nil {
		inNode(n.ElseList, add)
	}
}
