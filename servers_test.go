package pubquiz_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// TestEveryServerIsBounded: whatever listens has all deadlines and a bound for headers. What http.ListenAndServe and its like start has none.
func TestEveryServerIsBounded(t *testing.T) {
	servers := 0
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			file := filepath.Join(p.Dir, name)
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if of, name := selected(n.Fun); of == "http" && slices.Contains([]string{"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"}, name) {
						t.Errorf("%s calls http.%s, whose server has no deadlines", file, name)
					}
				case *ast.CompositeLit:
					if of, name := selected(n.Type); of != "http" || name != "Server" || area(p.name()) == "internal" { // where only tests listen
						return true
					}
					servers++
					for _, field := range []string{"ReadHeaderTimeout", "ReadTimeout", "WriteTimeout", "IdleTimeout", "MaxHeaderBytes"} {
						if !sets(n, field) {
							t.Errorf("%s has a server without %s", file, field)
						}
					}
				}
				return true
			})
		}
	}
	if servers == 0 {
		t.Error("no server was found")
	}
}

// selected is an expression of the form of.name, or nothing.
func selected(e ast.Expr) (of, name string) {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name, s.Sel.Name
		}
	}
	return "", ""
}

// sets tells whether a literal gives the field a value.
func sets(literal *ast.CompositeLit, field string) bool {
	return slices.ContainsFunc(literal.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		key, ok := pair.Key.(*ast.Ident)
		return ok && key.Name == field
	})
}
