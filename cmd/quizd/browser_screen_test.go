package main

import (
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestNewScreenLinkInBrowsers ends the links to the big screen that were given out: the television goes out, and the new link works.
func TestNewScreenLinkInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Sample())
	e.tv.Tolerate("status of 401", "status of 404")
	e.host.Click("New screen link …")
	e.host.See(".renew", "Screens that are open now go out")
	e.host.Click("Keep")
	e.host.See(".renew", "Open the big screen")
	e.host.Click("New screen link …")
	e.host.Click("New screen link")
	e.tv.See(".ended", "This screen’s link is no longer valid")
	e.host.See(".renew", "Open the big screen")
	again := e.host.Follow("Open the big screen", "the other television", browsertest.Television)
	again.See(".lobby", "Be the first one in")
}
