package main

import (
	"strings"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/internal/dbtest"
	"pubquiz/internal/proxies"
	"pubquiz/internal/redistest"
	"pubquiz/quiz"
)

// TestEveningBehindTheProxyInBrowsers plays on two instances behind nginx. A phone's network breaks, and later one of the instances stops: everybody comes back by
// themselves, and every answer is stored once.
func TestEveningBehindTheProxyInBrowsers(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	base := "http://localhost:" + port
	settings := environment{"DATABASE_URL": dbtest.URL(t), "REDIS_URL": redistest.Start(t).URL, "BASE_URL": base, "TRUSTED_PROXIES": "127.0.0.1"}
	var instances [2]*server
	var addresses [2]string
	for i := range instances {
		var own string
		instances[i], own = startWith(t, settings)
		addresses[i] = strings.Replace(own, "http://localhost", "127.0.0.1", 1)
	}
	startProxy(t, proxies.Proxy{Program: proxies.Nginx, Listen: "127.0.0.1:" + port, Instances: addresses})
	e := &evening{t: t, server: instances[1], base: base, browser: browsertest.Start(t)}
	e.begin(quiz.Content{Title: "Tuesday at The Crown", Rounds: []quiz.Round{{Title: "Twice as safe", Questions: []quiz.Question{
		{Kind: quiz.Single, Text: "Which planet is closest to the sun?", Options: []string{"Venus", "Mercury", "Mars"}, Correct: []int{1}, Points: 2, Seconds: 300},
		{Kind: quiz.TrueFalse, Text: "An octopus has three hearts.", Correct: []int{0}, Points: 2, Seconds: 300},
	}}}})
	e.owlsNetwork = browsertest.NewNetwork(t)
	e.owls = e.browser.PersonOn(e.owlsNetwork, "the owls' phone", browsertest.Phone)
	e.dragons = e.browser.Person("the dragons' phone", browsertest.Phone)
	e.join(e.owls, "The Night Owls")
	e.join(e.dragons, "Welsh Dragons")
	e.host.See(".player[data-via=socket]", "The Night Owls")
	e.host.See(".players", "Welsh Dragons")

	e.step("Round introduction")
	e.step("Question open")
	e.dragons.Click("Mercury")
	e.dragons.See(".answer-line", "Locked in")
	e.owls.See(".answer-line", "One tap locks it in")
	e.owlsNetwork.Break()
	e.owls.Click("Mercury")
	e.owls.See(".answer-line", "Sending")
	e.owlsNetwork.Mend()
	e.owls.See(".answer-line", "Locked in")
	e.tv.See(".answered", "2 of 2 answered")
	e.step("Question closed")
	e.step("Answer revealed")

	e.step("Question open")
	if err := instances[0].stop(); err != nil {
		t.Error(err)
	}
	for _, phone := range []*browsertest.Page{e.owls, e.dragons} {
		phone.Click("True")
		phone.See(".answer-line", "Locked in")
	}
	e.tv.See(".answered", "2 of 2 answered")
	e.step("Question closed")
	e.step("Answer revealed")
	e.host.PressUntil("f", "[role=alertdialog]", "Finish the evening?")
	e.host.PressUntil("y", ".state", "Finished")
	for _, phone := range []*browsertest.Page{e.owls, e.dragons} {
		phone.See("h1", "You won!")
		phone.See(".total", "2 points")
	}
	e.tv.See(".step[data-rank='1']", "Welsh Dragons")
	if n := e.count("answers"); n != 4 {
		t.Errorf("%d answers are stored, want 4", n)
	}
}
