package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// keptPage is when the browser could show the phone's page without network.
const keptPage = `navigator.serviceWorker.getRegistration("/play/").then((registration) => registration?.active?.state === "activated")`

// TestReloadWithoutNetworkInBrowser reloads a phone while its WiFi is gone: the game is there as it was, marked as such, what was typed waits, and what was answered
// gets through when the WiFi is back.
func TestReloadWithoutNetworkInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(typedAndChosen)
	network := browsertest.NewNetwork(t)
	phone := e.browser.PersonOn(network, "the phone", browsertest.Phone)
	e.join(phone, "The Night Owls")
	e.step("Round introduction")
	e.step("Question open")
	phone.Fill("Your answer", "Canberra")
	phone.Await("the page to be kept", keptPage, nil)

	network.Break()
	phone.Reload()
	phone.See(".trouble", "This is how it was; trying again")
	phone.See("h1", "the capital of Australia")
	if typed := phone.Value("Your answer"); typed != "Canberra" {
		t.Errorf("after a reload without network the field has %q", typed)
	}
	show(phone, "phone-reload-offline")
	phone.Click("Send answer")
	phone.See(".answer-line", "Sending")
	phone.Reload()
	phone.See(".trouble", "This is how it was; trying again")
	phone.See(".answer-line", "Sending")

	network.Mend()
	phone.See(".answer-line", "Locked in")
	phone.See(".who", "The Night Owls")
	if n := e.count("answers"); n != 1 {
		t.Errorf("%d answers are stored, want 1", n)
	}

	// A phone that hears nothing for the whole next question finds its way all the same.
	network.Break()
	phone.Reload()
	phone.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	e.step("Question open")
	network.Mend()
	phone.See("h1", "Sydney")
	phone.Click("False")
	phone.See(".answer-line", "Locked in")
}

// TestKeptPageFollowsLanguageInBrowser chooses another language in the lobby: it leads back into the game, and the page that the phone keeps is in that language from then on.
func TestKeptPageFollowsLanguageInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(typedAndChosen)
	network := browsertest.NewNetwork(t)
	phone := e.browser.PersonOn(network, "the phone", browsertest.Phone)
	phone.Open(e.joinURL())
	phone.Click("Language: English")
	phone.See("h1", "Language")
	show(phone, "phone-languages")
	phone.Click("English")
	phone.See("h1", typedAndChosen.Title) // and not before: it is on its way there
	e.join(phone, "The Night Owls")
	phone.Await("the page to be kept", keptPage, nil)
	const version = `caches.keys().then((names) => names.join())`
	var english string
	phone.Ask(version, &english)

	phone.Click("Language: English")
	phone.Click("Deutsch")
	phone.See("h1", "The Night Owls")
	phone.Await("the language", `document.documentElement.lang === "de"`, nil)
	phone.Await("its page alone to be kept", `caches.keys().then((names) => names.length === 1 && names[0] !== "`+english+`")`, nil)
	network.Break()
	phone.Reload()
	phone.See("h1", "The Night Owls")
	phone.Await("the language without network", `document.documentElement.lang === "de" && document.fonts.check("1em 'Figtree de'")`, nil)
	show(phone, "phone-reload-offline-de")
}

var typedAndChosen = quiz.Content{Title: "Tuesday at The Crown", Rounds: []quiz.Round{{Title: "Down under", Questions: []quiz.Question{
	{Kind: quiz.Text, Text: "What is the capital of Australia?", Accepted: []string{"Canberra"}, Points: 2, Seconds: 300},
	{Kind: quiz.TrueFalse, Text: "Sydney is the capital of Australia.", Correct: []int{1}, Points: 2, Seconds: 300},
}}}}

// TestKeptPageIsNobodysInBrowser looks into what a phone keeps of its page: what is the same for everybody, and what only the browser's owner can see; nothing of it when
// the phone is out of the game.
func TestKeptPageIsNobodysInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(typedAndChosen)
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Tolerate("status of 403")
	e.join(phone, "The Night Owls")
	phone.Await("the page to be kept", keptPage, nil)
	phone.Reload()
	phone.See(".lobby", "The Night Owls")
	e.step("Round introduction")
	phone.See("h1", "Down under")
	var kept []string
	phone.Ask(`(async () => {
		const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
		return all.flat().map(({ url }) => new URL(url).pathname.replace(/-[^-]*\./, ".")).sort();
	})()`, &kept)
	if want := []string{"/static/en/phone.js", "/static/figtree-latin.woff2", "/static/icon.svg", "/static/phone.css"}; !slices.Equal(kept, want) {
		t.Errorf("the phone keeps %v, want %v", kept, want)
	}
	var scope string
	phone.Ask(`navigator.serviceWorker.getRegistration("/play/").then(({ scope }) => new URL(scope).pathname)`, &scope)
	if scope != "/play/" {
		t.Errorf("the worker governs %s", scope)
	}

	e.host.Click("The Night Owls")
	e.host.Click("Remove")
	e.host.See(".choices", "You can let it back in")
	e.host.Click("Remove")
	phone.See("h1", "You’re out of this quiz")
	phone.Await("nothing to be left", `navigator.serviceWorker.getRegistration("/play/").then((left) => !left && localStorage.getItem("last-state") === null)`, nil)
}

// TestNewVersionReplacesKeptPageInBrowser serves a phone a newer version of its page: at the next visit that is what it keeps, and nothing of the one before.
func TestNewVersionReplacesKeptPageInBrowser(t *testing.T) {
	t.Parallel()
	var server *url.URL
	var newer atomic.Bool
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(server)
			r.Out.Host = r.In.Host
			r.Out.Header.Del("Accept-Encoding") // so that the script can be read,
			r.Out.Header.Del("If-None-Match")   // and comes although it is no other yet
		},
		ModifyResponse: func(answer *http.Response) error {
			if answer.Request.URL.Path != "/play/worker.js" || !newer.Load() {
				return nil
			}
			script, err := io.ReadAll(answer.Body)
			script = bytes.Replace(script, []byte(`version:"`), []byte(`version:"newer `), 1)
			answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(script)), int64(len(script))
			answer.Header.Set("Content-Length", strconv.Itoa(len(script)))
			return err
		},
	})
	t.Cleanup(front.Close)
	s, base := startWith(t, environment{"BASE_URL": front.URL})
	var err error
	if server, err = url.Parse(base); err != nil {
		t.Fatal(err)
	}
	e := &evening{t: t, server: s, base: front.URL, browser: browsertest.Start(t)}
	e.begin(typedAndChosen)
	phone := e.browser.Person("the phone", browsertest.Phone)
	e.join(phone, "The Night Owls")
	phone.Await("the page to be kept", keptPage, nil)
	newer.Store(true)
	phone.Reload()
	phone.Await("the newer version alone", `caches.keys().then((names) => names.length === 1 && names[0].startsWith("phone newer "))`, nil)
	phone.See(".lobby", "The Night Owls")
}
