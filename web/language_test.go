package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pubquiz/internal/words"
)

// TestChoosingALanguage: what somebody chose holds from then on, whatever their browser asks for, and leads back to where they were.
func TestChoosingALanguage(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	page := b.get("/language?next=/j/BCDF23%3Fa%3Db")
	wantShows(t, page, http.StatusOK, `name="next" value="/j/BCDF23?a=b"`, `value="en" aria-current="true"`)
	for _, l := range words.All {
		wantShows(t, page, http.StatusOK, `<bdi lang="`+l.Code+`">`+l.Name)
	}

	chosen := b.send("POST", "/language", url.Values{"language": {"ar"}, "next": {"/j/BCDF23?a=b"}})
	if chosen.status != http.StatusSeeOther || chosen.header.Get("Location") != "/j/BCDF23?a=b" {
		t.Errorf("the choice leads to %d %q", chosen.status, chosen.header.Get("Location"))
	}
	for _, part := range []string{"language=ar;", "Path=/;", "Max-Age=31536000;", "HttpOnly;", "SameSite=Lax"} {
		if cookie := chosen.header.Get("Set-Cookie"); !strings.Contains(cookie, part) {
			t.Errorf("the cookie %q lacks %q", cookie, part)
		}
	}
	wantShows(t, b.get("/", "Accept-Language", "fr"), http.StatusOK, `<html lang="ar" dir="rtl">`, "/static/ar/pages-")
	wantShows(t, b.get("/language"), http.StatusOK, `name="next" value="/"`, `value="ar" aria-current="true"`)
}

// TestLanguageLeadsNowhereElse: the choice sends nobody to another site.
func TestLanguageLeadsNowhereElse(t *testing.T) {
	b := newSite(t).browser()
	for _, next := range []string{"", "//evil.example", "https://evil.example/", `/\evil.example`} {
		wantShows(t, b.get("/language?next="+url.QueryEscape(next)), http.StatusOK, `name="next" value="/"`)
		if chosen := b.send("POST", "/language", url.Values{"language": {"de"}, "next": {next}}); chosen.header.Get("Location") != "/" {
			t.Errorf("next=%q leads to %q", next, chosen.header.Get("Location"))
		}
	}
}

// TestUnknownLanguages: what is not offered is not kept, and a cookie with it is worth nothing.
func TestUnknownLanguages(t *testing.T) {
	b := newSite(t).browser()
	for _, code := range []string{"", "xx", "de-AT", "../de", "DE"} {
		refused := b.send("POST", "/language", url.Values{"language": {code}})
		wantShows(t, refused, http.StatusUnprocessableEntity, "Choose a language from the list.")
		if cookie := refused.header.Get("Set-Cookie"); cookie != "" {
			t.Errorf("%q is kept: %q", code, cookie)
		}
		b.cookie(languageCookie, url.QueryEscape(code))
		wantShows(t, b.get("/", "Accept-Language", "pl"), http.StatusOK, `<html lang="pl" dir="ltr">`)
	}
}

// TestLanguageOfABrowser: without a choice it is the first that a browser names and that is there; English where none is.
func TestLanguageOfABrowser(t *testing.T) {
	b := newSite(t).browser()
	for accepted, want := range map[string]string{
		"": "en", "de-AT,de;q=0.9,en;q=0.8": "de", "tlh,fr-CA;q=0.8,en;q=0.5": "fr", "pt-BR": "pt", "es-419": "es", "ar-EG": "ar", "ja,zh;q=0.5": "en",
		"en-GB;q=0.4,pl": "pl", ";;;": "en", "*": "en", strings.Repeat("x-", 2_000): "en",
	} {
		if page := b.get("/", "Accept-Language", accepted); !strings.Contains(page.body, `<html lang="`+want+`"`) {
			t.Errorf("Accept-Language: %.40s is answered with %.60q, want %s", accepted, page.body, want)
		}
	}
	// Nobody is offered the language in which testers see what no other language would say.
	b.cookie(languageCookie, words.Pseudo.Code)
	if page := b.get("/"); !strings.Contains(page.body, `<html lang="en-XA"`) || strings.Contains(b.get("/language").body, `value="en-XA"`) {
		t.Error("the pseudo-language is not there, or is offered")
	}
}
