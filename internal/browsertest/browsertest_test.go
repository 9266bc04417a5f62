package browsertest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/browsertest"
)

// serve serves one page, and what it fetches.
func serve(t *testing.T, body string) (address string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/word" {
			io.WriteString(w, "through")
			return
		}
		w.Header().Set("Content-Security-Policy", "style-src 'self'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>%s</main>`, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// witness is a test whose failures are expected.
type witness struct {
	*testing.T
	errors []string
}

func (w *witness) Errorf(format string, args ...any) {
	w.errors = append(w.errors, fmt.Sprintf(format, args...))
}

func TestPeopleUsePages(t *testing.T) {
	t.Parallel()
	address := serve(t, `
		<label for="name">Your name</label> <input id="name" value="old">
		<button onclick="document.querySelector('h1').textContent = document.getElementById('name').value">Rename the page</button>
		<a href="/word">Elsewhere</a>`)
	browser := browsertest.Start(t)
	for _, p := range []*browsertest.Page{
		browser.Person("somebody at a laptop", browsertest.Laptop),
		browser.Person("somebody with a phone", browsertest.Phone),
		browser.PersonOn(browsertest.NewNetwork(t), "somebody behind a proxy", browsertest.Phone),
	} {
		p.Open(address)
		p.Fill("Your name", "Zoë 👩‍👩‍👧")
		p.Click("Rename")
		p.See("h1", "Zoë 👩‍👩‍👧")
		p.MustFit()
		p.MustBeAccessible()
		p.MustShowFocus()
		if link := p.Link("Elsewhere"); link != address+"/word" {
			t.Errorf("the link leads to %s", link)
		}
		p.Click("Elsewhere")
		p.See("body", "through")
	}
}

func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body  string
		check func(*browsertest.Page)
		want  string
	}{
		"wider than the window": {`<p id="p">wide</p><script>p.style.width = "3000px"</script>`, (*browsertest.Page).MustFit, "is 30"},
		"cut off by its box": {`<div id="d"><p>a long line</p></div><script>Object.assign(d.style, { width: "20px", overflow: "hidden", whiteSpace: "nowrap" })</script>`,
			(*browsertest.Page).MustFit, `cut off: "a long line"`},
		"scrolled sideways": {`<div id="d"><p>a long line</p></div><script>Object.assign(d.style, { width: "20px", overflow: "auto", whiteSpace: "nowrap" })</script>`,
			(*browsertest.Page).MustFit, `cut off: "a long line"`},
		"longer than the window":   {`<p id="p">long</p><script>p.style.height = "3000px"</script>`, (*browsertest.Page).MustNotScroll, "in a window of 720"},
		"a field without a label":  {`<input>`, (*browsertest.Page).MustBeAccessible, "label"},
		"pale text":                {`<p id="p">pale</p><script>p.style.color = "#bbb"</script>`, (*browsertest.Page).MustBeAccessible, "color-contrast"},
		"an invisible focus":       {`<button id="b">Go</button><script>b.style.outline = "none"</script>`, (*browsertest.Page).MustShowFocus, "is not marked"},
		"a crowded target":         {`<button id="a">A</button><button id="b">B</button><script>for (const x of [a, b]) Object.assign(x.style, { width: "9px", height: "9px", padding: 0, border: 0, overflow: "hidden" })</script>`, (*browsertest.Page).MustBeAccessible, "target-size"},
		"a state that is a colour": {`<ul><li class="o" id="o" aria-current="true">One<li class="o">Two</ul><script>o.style.background = "yellow"</script>`, (*browsertest.Page).MustAdapt, "looks like the others"},
		"a bar that is a colour":   {`<div id="bar"></div><script>Object.assign(bar.style, { width: "90px", height: "9px", background: "navy" })</script>`, (*browsertest.Page).MustAdapt, "nothing is seen of"},
		"a drawing in the dark":    {`<svg width="9" height="9"><circle cx="4" cy="4" r="4" fill="black"/></svg>`, (*browsertest.Page).MustAdapt, "nothing is seen of <svg"},
		"words a little pale":      {`<p id="p">pale</p><script>p.style.color = "#666"</script>`, (*browsertest.Page).MustAdapt, "color-contrast-enhanced"},
		"a long movement":          {`<p id="p">slow</p><script>p.style.transition = "opacity 3s"</script>`, (*browsertest.Page).MustAdapt, "moves"},
		"a field to type into":     {`<label>Word <input onpaste="event.preventDefault()"></label>`, (*browsertest.Page).MustAdapt, "nothing can be pasted"},
		"a line of 400 pixels":     {`<p id="p">wide</p><script>p.style.width = "400px"</script>`, (*browsertest.Page).MustReflow, "in a window of 320"},
	}
	browser := browsertest.Start(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := &witness{T: t}
			p := browser.PersonFor(w, "somebody", browsertest.Laptop)
			p.Open(serve(t, test.body))
			test.check(p)
			if !strings.Contains(strings.Join(w.errors, "\n"), test.want) {
				t.Errorf("found %q, want %q", w.errors, test.want)
			}
		})
	}
}

func TestPagesMayNotComplain(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, script := range map[string]string{
		"an error":             `<script>console.error("broken")</script>`,
		"an exception":         `<script>throw new Error("broken")</script>`,
		"a lost promise":       `<script>Promise.reject(new Error("broken"))</script>`,
		"a missing file":       `<script src="http://127.0.0.1:1/broken.js"></script>`,
		"a policy's violation": `<style>h1 { color: red }</style>`,
	} {
		w := &witness{T: t}
		t.Run(name, func(t *testing.T) {
			w.T = t // whose end is the page's
			p := browser.PersonFor(w, "somebody", browsertest.Laptop)
			p.Open(serve(t, script))
			p.See("h1", "A page")
		})
		if len(w.errors) == 0 {
			t.Errorf("%s goes unnoticed", name)
		}
	}
}

func TestNetworksBreak(t *testing.T) {
	t.Parallel()
	address := serve(t, `<button onclick="fetch('/word').then((r) => r.text()).catch(() => 'lost').then((w) => { document.querySelector('h1').textContent += ' ' + w })">Fetch</button>`)
	network := browsertest.NewNetwork(t)
	p := browsertest.Start(t).PersonOn(network, "somebody", browsertest.Phone)
	p.Open(address)
	p.Click("Fetch")
	p.See("h1", "A page through")
	network.Break()
	p.Click("Fetch")
	p.See("h1", "A page through lost")
	network.Mend()
	p.Click("Fetch")
	p.See("h1", "A page through lost through")
}

// TestNetworksAreSlow: what comes late comes whole and in order, and what flickers is there again.
func TestNetworksAreSlow(t *testing.T) {
	t.Parallel()
	const page = `<button onclick="fetch('/word').then((r) => r.text()).catch(() => 'lost').then((w) => { document.querySelector('h1').textContent += ' ' + w })">Fetch</button>`
	address := serve(t, page+strings.Repeat("<p>a line</p>", 2_000)+"<footer>the end</footer>")
	network := browsertest.NewNetwork(t)
	network.Worsen(browsertest.Quality{Latency: 200 * time.Millisecond, Jitter: 150 * time.Millisecond, Speed: 200_000})
	p := browsertest.Start(t).PersonOn(network, "somebody", browsertest.Phone)
	p.Open(address)
	p.See("footer", "the end")
	p.Await("the latency", "performance.getEntriesByType('navigation')[0].responseStart >= 50", nil)
	network.Flicker(time.Millisecond, 2*time.Millisecond)
	p.Click("Fetch")
	p.See("h1", "lost")
}
