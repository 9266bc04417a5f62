package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"pubquiz/internal/browsertest"
)

func TestSmoke(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><html lang=en><title>x</title><main><h1>Hello</h1><label for=a>Name</label><input id=a><button onclick="document.querySelector('h1').textContent=document.querySelector('input').value">Go</button></main>`)
	}))
	defer s.Close()
	b := browsertest.Start(t)
	n := browsertest.NewNetwork(t)
	for _, p := range []*browsertest.Page{b.Person("a", browsertest.Laptop), b.PersonOn(n, "b", browsertest.Phone)} {
		p.Open(s.URL)
		p.See("h1", "Hello")
		p.Fill("Name", "Zoë 👩‍👩‍👧")
		p.Click("Go")
		p.See("h1", "Zoë 👩‍👩‍👧")
		p.MustFit()
		p.MustBeAccessible()
	}
}
