package main

import (
	"os"
	"testing"
	"time"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
	"pubquiz/session"
)

// listening notes what a page asks of its device. This one has no screen to keep on, and refuses.
const listening = `
	window.asked = { locks: 0, buzzes: 0 };
	const request = WakeLock.prototype.request;
	WakeLock.prototype.request = function (kind) {
		asked.locks++;
		return request.call(this, kind);
	};
	const vibrate = Navigator.prototype.vibrate;
	Navigator.prototype.vibrate = function (pattern) {
		asked.buzzes++;
		return vibrate.call(this, pattern);
	};`

// TestPhoneAsADeviceInBrowser: the screen is kept on, also after the phone was put away; it buzzes when a question opens before somebody's eyes and
// not when they come back to it; no field is so small that iOS would zoom in on it; and the field and its button are in sight above a keyboard.
func TestPhoneAsADeviceInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	host := e.open(typedAndChosen)
	phone := e.browser.Person("the phone", browsertest.Phone)
	phone.Before(listening)
	phone.Open(e.joinURL())
	phone.Await("a name field that iOS does not zoom in on", `parseFloat(getComputedStyle(field("Your name")).fontSize) >= 16`, nil)
	phone.Fill("Your name", "The Night Owls")
	phone.Click("Join")
	phone.See("h1", "The Night Owls")
	phone.Await("the screen to be kept on", "asked.locks === 1", nil)
	phone.PickUp()
	phone.Await("the screen to be kept on", "asked.locks === 2", nil)

	e.orders(host, session.Command{Command: session.Next})
	e.orders(host, session.Command{Command: session.Launch})
	phone.See("h1", "the capital of Australia")
	phone.Await("a buzz", "asked.buzzes === 1", nil)
	phone.Resize(browsertest.Phone.Width, 390) // as much as a keyboard leaves
	phone.Fill("Your answer", "Canberra")
	phone.Await("a field that iOS does not zoom in on", `parseFloat(getComputedStyle(field("Your answer")).fontSize) >= 16`, nil)
	phone.Await("field and button above the keyboard", `[field("Your answer"), control("Send answer")].every((element) => {
		const { top, bottom } = element.getBoundingClientRect();
		return top >= 0 && bottom <= innerHeight;
	})`, nil)
	fits(phone, "phone-above-keyboard")
	phone.Resize(browsertest.Phone.Width, browsertest.Phone.Height)
	phone.Reload()
	phone.See("h1", "the capital of Australia")
	phone.See(".who", "The Night Owls")
	phone.Await("no buzz", "asked.buzzes === 0", nil)
}

// TestHangingNetworkInBrowser reloads a phone on a WiFi that takes everything and answers nothing: what it kept is there within seconds, and the game when the WiFi
// is well.
func TestHangingNetworkInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	host := e.open(typedAndChosen)
	network := browsertest.NewNetwork(t)
	phone := e.browser.PersonOn(network, "the phone", browsertest.Phone)
	e.join(phone, "The Night Owls")
	phone.Await("the page to be kept", keptPage, nil)
	network.Break()
	network.Worsen(browsertest.Quality{Latency: time.Hour})
	network.Mend()
	phone.Reload()
	phone.See(".trouble", "This is how it was; trying again")
	phone.See("h1", "The Night Owls")
	e.orders(host, session.Command{Command: session.Next})
	network.Break()
	network.Worsen(browsertest.Quality{})
	network.Mend()
	phone.See("h1", "Down under")
}

// TestLostPictureComesAfterAllInBrowser: a picture that a bad WiFi has lost is asked for again.
func TestLostPictureComesAfterAllInBrowser(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	file, err := os.Open(photo(t))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	user, err := e.server.accounts.EnsureUser(t.Context(), demoEmail, demoName)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := quiz.NewMediaStore(e.server.pool).Add(t.Context(), quiz.OwnerID(user), file)
	if err != nil {
		t.Fatal(err)
	}
	content := quiz.Content{Title: typedAndChosen.Title, Rounds: []quiz.Round{{Title: "Down under", Questions: []quiz.Question{typedAndChosen.Rounds[0].Questions[0]}}}}
	content.Rounds[0].Questions[0].Media = &quiz.Media{ID: stored.ID, Kind: stored.Kind, Alt: "A hill at dusk"}
	host := e.open(content)
	phone := e.browser.Person("the phone", browsertest.Phone)
	e.join(phone, "The Night Owls")
	phone.Lose("/media/*")
	e.orders(host, session.Command{Command: session.Next})
	e.orders(host, session.Command{Command: session.Launch})
	phone.See(".picture", "The picture did not arrive")
	phone.Lose()
	phone.Await("the picture", `document.querySelector(".picture img")?.naturalWidth > 0`, nil)
}
