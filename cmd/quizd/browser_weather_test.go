package main

import (
	"testing"
	"time"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// cookiesOnly is a browser that keeps nothing for a page but its cookies, and lets it have no socket.
const cookiesOnly = `
	for (const store of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
		Object.defineProperty(window, store, { get() { throw new DOMException("The operation is insecure.", "SecurityError"); } });
	}
	delete Navigator.prototype.serviceWorker;
	delete window.WebSocket;`

// TestEveningOnBadNetworksInBrowser plays a whole evening on four phones that have it bad, each in its own way. All of them join, answer, reload and hear how it
// ended, and every answer is stored once.
func TestEveningOnBadNetworksInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Content{Title: "Tuesday at The Crown", Rounds: []quiz.Round{{Title: "Whatever the weather", Questions: []quiz.Question{
		{Kind: quiz.Single, Text: "Which planet is closest to the sun?", Options: []string{"Venus", "Mercury", "Mars"}, Correct: []int{1}, Points: 2, Seconds: 300},
		{Kind: quiz.Text, Text: "What is the capital of Australia?", Accepted: []string{"Canberra"}, Points: 2, Seconds: 300},
	}}}})

	slow, laggy, socketless := browsertest.NewNetwork(t), browsertest.NewNetwork(t), browsertest.NewNetwork(t)
	slow.Worsen(browsertest.Slow4G)
	laggy.Worsen(browsertest.Laggy)
	socketless.BlockSockets()
	names := []string{"On Slow 4G", "On Crowded WiFi", "Without Sockets", "With Cookies Only"}
	phones := []*browsertest.Page{
		e.browser.PersonOn(slow, names[0], browsertest.Phone),
		e.browser.PersonOn(laggy, names[1], browsertest.Phone),
		e.browser.PersonOn(socketless, names[2], browsertest.Phone),
		e.browser.Person(names[3], browsertest.Phone),
	}
	phones[2].Tolerate("status of 403")
	phones[3].Before(cookiesOnly)
	for i, phone := range phones {
		phone.Open(e.joinURL())
		phone.See("h1", "Tuesday at The Crown")
		if i == 1 {
			laggy.Flicker(5*time.Second, 20*time.Second)
		}
		phone.Fill("Your name", names[i])
		phone.Click("Join")
	}
	for i, phone := range phones {
		phone.See(".lobby", names[i])
	}

	e.step("Round introduction")
	e.step("Question open")
	for _, phone := range phones {
		phone.Click("Mercury")
	}
	for _, phone := range phones {
		phone.See(".answer-line", "Locked in")
	}
	e.step("Question closed")
	e.step("Answer revealed")
	for _, phone := range phones {
		phone.See(".verdict", "Right! 1 point for you")
	}
	e.step("Question open")
	for i, phone := range phones {
		phone.See("h1", "the capital of Australia")
		phone.Fill("Your answer", "canberra")
		phone.Click("Send answer")
		if i == 3 {
			phone.See(".answer-line", "Locked in") // it keeps no answer that the server has not
		}
		phone.Reload()
	}
	for _, phone := range phones {
		phone.See(".answer-line", "Locked in")
	}
	e.step("Question closed")
	e.step("Answer revealed")
	e.host.PressUntil("f", "[role=alertdialog]", "Finish the evening?")
	e.host.PressUntil("y", ".state", "Finished")
	for _, phone := range phones {
		phone.See("h1", "You won!")
		phone.See(".total", "2 points")
	}
	if n := e.count("participants"); n != len(phones) {
		t.Errorf("%d participants, want %d", n, len(phones))
	}
	if n := e.count("answers"); n != 2*len(phones) {
		t.Errorf("%d answers are stored, want %d", n, 2*len(phones))
	}
}
