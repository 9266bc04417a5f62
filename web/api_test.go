package web

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"pubquiz/ratelimit"
	"pubquiz/web/openapi"
)

func TestDescriptionIsValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.JSON)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.AllowExtensionsWithRef()); err != nil {
		t.Error(err)
	}
}

// TestDescriptionHasAllRoutes compares it with the server's map, line by line: who may, by what they prove it, and what limits them.
func TestDescriptionHasAllRoutes(t *testing.T) {
	type line struct {
		For, Limit string
		Security   []string
	}
	proofs := map[access]line{
		anyone: {For: "anyone"}, participant: {For: "participant", Security: []string{"participantToken", "participantCookie"}}, screen: {For: "big screen", Security: []string{"screenCookie"}},
		host: {For: "host", Security: []string{"hostCookie"}}, driver: {For: "host of the session", Security: []string{"hostCookie"}}, owner: {For: "owner of the session", Security: []string{"hostCookie"}},
	}
	want := map[string]line{}
	for _, rt := range new(Server).routes() {
		if strings.HasPrefix(rt.pattern, "/api/") {
			l := proofs[rt.access]
			l.Limit = string(rt.limit.Name)
			want[rt.method+" "+rt.pattern] = l
		}
	}
	doc, err := openapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]line{}
	for _, operation := range doc.Operations("") {
		l := line{For: operation.For, Limit: operation.Limit}
		for _, proof := range operation.Security {
			l.Security = slices.AppendSeq(l.Security, maps.Keys(proof))
		}
		got[operation.Method+" "+operation.Path] = l
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the routes (-) and their description (+): %s", diff)
	}
}

func TestDescriptionHasAllLimits(t *testing.T) {
	type line struct {
		Name            ratelimit.Name
		Budget, Seconds int
		For             string
	}
	var want []line
	for _, limit := range ratelimit.Table {
		want = append(want, line{limit.Name, limit.Budget, int(limit.Window / time.Second), limit.Key.String()})
	}
	var doc struct {
		Limits []line `json:"x-limits"`
	}
	if err := json.Unmarshal(openapi.JSON, &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, doc.Limits); diff != "" {
		t.Errorf("the limits (-) and their description (+): %s", diff)
	}
}

// TestDescriptionHasAllProblems compares it with what the source makes: the slugs, the statuses that each comes with, and its titles.
func TestDescriptionHasAllProblems(t *testing.T) {
	want := problemsInSource(t)
	doc, err := openapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]madeProblem{}
	for _, p := range doc.Problems {
		made := madeProblem{set{}, set{}}
		for _, status := range p.Status {
			made.statuses[strconv.Itoa(status)] = true
		}
		for _, title := range p.Titles {
			made.titles[title] = true
		}
		if _, twice := got[p.Slug]; twice {
			t.Errorf("%s is listed twice", p.Slug)
		}
		got[p.Slug] = made
	}
	for slug, made := range want {
		if made.statuses[""] { // whatever it was told
			made.statuses = got[slug].statuses
		}
		delete(made.titles, "")
		want[slug] = made
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(madeProblem{})); diff != "" {
		t.Errorf("the problems of the source (-) and their description (+): %s", diff)
	}
	for _, operation := range doc.Operations("") {
		for _, slug := range operation.Problems {
			if _, ok := got[slug]; !ok {
				t.Errorf("%s %s: no problem is called %s", operation.Method, operation.Path, slug)
			}
		}
	}
}

type set = map[string]bool

// madeProblem is what the source has of a problem; "" stands for what is not written there as it is.
type madeProblem struct{ statuses, titles set }

// problemsInSource are all that the package makes, by slug.
func problemsInSource(t *testing.T) map[string]madeProblem {
	t.Helper()
	made := map[string]madeProblem{}
	note := func(slug, status, title string) {
		if _, ok := made[slug]; !ok {
			made[slug] = madeProblem{set{}, set{}}
		}
		made[slug].statuses[status], made[slug].titles[title] = true, true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			problemsMadeIn(declared, note)
		}
	}
	return made
}

// problemsMadeIn notes the problems that a declaration makes: literals with a slug, which may be a constant or one of several values that a variable is given.
func problemsMadeIn(declared ast.Node, note func(slug, status, title string)) {
	given := map[string][]string{} // to variables
	ast.Inspect(declared, func(n ast.Node) bool {
		if assigned, ok := n.(*ast.AssignStmt); ok && len(assigned.Lhs) == 1 {
			if variable, ok := assigned.Lhs[0].(*ast.Ident); ok {
				given[variable.Name] = append(given[variable.Name], asWritten(assigned.Rhs[0]))
			}
		}
		return true
	})
	ast.Inspect(declared, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		members := map[string]ast.Expr{}
		for _, element := range literal.Elts {
			if member, ok := element.(*ast.KeyValueExpr); ok {
				if name, ok := member.Key.(*ast.Ident); ok {
					members[name.Name] = member.Value
				}
			}
		}
		if members["Slug"] == nil || members["Title"] == nil {
			return true
		}
		slugs := []string{asWritten(members["Slug"])}
		if variable, ok := members["Slug"].(*ast.Ident); ok && given[variable.Name] != nil {
			slugs = given[variable.Name]
		}
		for _, slug := range slugs {
			note(slug, asWritten(members["Status"]), asWritten(said(members["Title"])))
		}
		return true
	})
}

// said is what a call of words.T says.
func said(e ast.Expr) ast.Expr {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 {
		return call.Args[0]
	}
	return e
}

// asWritten is the value of a literal, of net/http's name for a status and of our constants; "" of all else.
func asWritten(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text
		}
		return e.Value
	case *ast.Ident:
		return map[string]string{"restartingSlug": restartingSlug}[e.Name]
	case *ast.SelectorExpr:
		for status := 400; status < 600; status++ {
			if "Status"+strings.ReplaceAll(http.StatusText(status), " ", "") == e.Sel.Name {
				return strconv.Itoa(status)
			}
		}
	}
	return ""
}

// TestDescriptionIsServed fetches the document, again only when it has changed, and finds all of it on the page.
func TestDescriptionIsServed(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	b := s.browser()
	first := b.get("/api/v1/openapi.json")
	if first.status != http.StatusOK || first.body != string(openapi.JSON) || first.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v", first.status, first.header)
	}
	if again := b.get("/api/v1/openapi.json", "If-None-Match", first.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("what has not changed: %d, %d bytes", again.status, len(again.body))
	}
	page := b.get("/api")
	doc, err := openapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, operation := range doc.Operations("") {
		if !strings.Contains(page.body, `id="`+operation.OperationID+`"`) {
			t.Errorf("%s %s is not on the page", operation.Method, operation.Path)
		}
	}
	for _, schema := range doc.Components.Schemas {
		if !strings.Contains(page.body, `id="schema-`+schema.Name+`"`) {
			t.Errorf("%s is not on the page", schema.Name)
		}
	}
	for _, problem := range doc.Problems {
		if !strings.Contains(page.body, `id="problem-`+problem.Slug+`"`) {
			t.Errorf("%s is not on the page", problem.Slug)
		}
	}
	for _, limit := range s.server.limiters.Table() {
		if !strings.Contains(page.body, "<dd>"+inWords(limit)+"</dd>") {
			t.Errorf("%s is not on the page", limit.Name)
		}
	}
}
