package main

import (
	"net/http"
	"strings"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestPhoneWaitsOutTheLimitInBrowser lets a phone scan when its address has used up first the page loads and then the joins. It gets in
// without doing anything but what anybody does: scan, type a name, join.
func TestPhoneWaitsOutTheLimitInBrowser(t *testing.T) {
	needsLimits(t)
	t.Parallel()
	needsLimits(t)
	s, base := startWith(t, environment{"LIMITS": "playerPageLoad=5/20s joinSession=5/20s"})
	w, err := s.welcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	address := base + "/j/" + w.joinCode
	phone := browsertest.Start(t).Person("the phone", browsertest.Phone)
	phone.Tolerate("status of 429")

	exhaust(t, func() (*http.Response, error) { return http.Get(address) })
	phone.Open(address)
	phone.See("h1", "A moment, please")
	phone.See("main", "this page tries again by itself")
	show(phone, "phone-page-refused")
	phone.See("h1", quiz.Sample().Title)

	phone.Fill("Your name", "The Latecomers")
	exhaust(t, func() (*http.Response, error) {
		return http.Post(base+"/api/v1/join/"+w.joinCode, "application/json", strings.NewReader("{}"))
	})
	phone.Click("Join")
	phone.See(".join-wait", "Your name is kept, and this page tries again by itself.")
	if typed := phone.Value("Your name"); typed != "The Latecomers" {
		t.Errorf("while it waits, the name is %q", typed)
	}
	show(phone, "phone-join-refused")
	phone.See("h1", "The Latecomers")
}

// exhaust repeats a request until a limit refuses it.
func exhaust(t *testing.T, request func() (*http.Response, error)) {
	t.Helper()
	for range 100 {
		answer, err := request()
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusTooManyRequests {
			return
		}
	}
	t.Fatal("nothing refuses a hundred requests")
}
