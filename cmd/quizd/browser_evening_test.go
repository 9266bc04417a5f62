package main

import (
	"strings"
	"testing"

	"github.com/piglig/go-qr"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestEveningInBrowsers plays a whole evening, from the first sign-up to the podium, as people would.
func TestEveningInBrowsers(t *testing.T) {
	t.Parallel()
	e := newPunctualEvening(t)
	e.signUp()
	e.writeQuiz()
	e.openSession()
	e.owlsTypeTheCode()
	e.dragonsScanTheCode()
	e.othersJoin("Quizzly Bears", "The Regulars", "Table 7", "Ada & friends", "Die Ratefüchse")
	e.lobby()

	e.firstQuestion()
	e.secondQuestion()
	e.thirdQuestion()
	e.finish()
	e.everyAnswerIsStoredOnce()
}

func (e *evening) signUp() {
	e.host = e.browser.Person("the host", browsertest.Laptop)
	e.host.Open(e.base)
	e.host.Click("Host a quiz")
	e.host.See("h1", "Sign in")
	e.host.Click("Make an account")
	e.host.Fill("Your name", "The Crown")
	e.host.Fill("E-mail address", "crown@example.org")
	e.host.Fill("Password", "a few words to remember")
	e.host.Click("Sign up")
	e.host.See("h1", "Your quizzes")
	show(e.host, "dashboard-empty")
}

func (e *evening) writeQuiz() {
	e.host.Click("New quiz")
	e.host.Click("About the quiz")
	e.host.Fill("Title", "Tuesday at The Crown")
	e.host.Click("Round 1")
	e.host.See("h2", "Round 1") // the form before it has fields of the same names, as below
	e.host.Fill("Title", "Warming up")
	e.host.Fill("Introduction", "Three easy ones while the last of you find a chair.")

	e.host.Click("New question")
	e.host.See("h2", "Question 1")
	e.host.Fill("Question", "Which of these planets is closest to the sun?")
	for i, planet := range []string{"Venus", "Mercury", "Mars", "Earth"} {
		e.host.Fill("Option "+string(rune('A'+i)), planet)
	}
	e.host.Click("Option B is right")
	e.host.Fill("Time", "90")
	e.host.Fill("Notes", "Mercury, 58 million kilometres away. The name is a good hint for nothing.")

	e.host.Click("Add a question to Warming up")
	e.host.See("h2", "Question 2")
	e.host.Click("True or false")
	e.host.Fill("Statement", "A group of owls is called a parliament.")
	e.host.Click("True")
	e.host.Fill("Time", "90")

	e.host.Click("Add a question to Warming up")
	e.host.See("h2", "Question 3")
	e.host.Click("Typed answer")
	e.host.Fill("Question", "Which metal has the chemical symbol Au?")
	e.host.Fill("Accepted answer 1", "Gold")
	e.host.Fill("Time", "20")
	e.host.See(".save-line", "Saving")
	e.host.See(".save-line", "Saved")

	e.host.Reload()
	e.host.See("h1", "Tuesday at The Crown")
	e.host.Click("Which of these planets")
	if got := e.host.Value("Option B"); got != "Mercury" {
		e.t.Errorf("after a reload option B is %q", got)
	}
	show(e.host, "editor")
}

func (e *evening) openSession() {
	e.host.Click("Open a session")
	e.host.See(".state", "Lobby")
	e.code = e.host.Read(".join .code")
	e.tv = e.host.Follow("Open the big screen", "the television", browsertest.Television)
	e.tv.See(".way-in", e.code)
	e.tv.See(".crowd", "Be the first one in")
	show(e.tv, "tv-lobby-empty")
}

// owlsTypeTheCode as people type codes: in small letters, with a dash.
func (e *evening) owlsTypeTheCode() {
	e.owlsNetwork = browsertest.NewNetwork(e.t)
	e.owls = e.browser.PersonOn(e.owlsNetwork, "the owls' phone", browsertest.Phone)
	e.owls.Open(e.base)
	show(e.owls, "phone-home")
	e.owls.Fill("Code on the big screen", strings.ToLower(e.code[:3]+"-"+e.code[3:]))
	e.owls.Click("Go on")
	e.owls.See("h1", "Tuesday at The Crown")
	e.owls.Await("the keyboard, up for the name", `document.activeElement === field("Your name")`, nil)
	e.owls.Click("Join")
	e.owls.See(".field-problem", "Type a name")
	e.owls.MustBeAt("Your name")
	show(e.owls, "phone-nameless")
	e.owls.Fill("Your name", "The Night Owls")
	e.owls.Miss(".field-problem", "")
	show(e.owls, "phone-join")
	e.owls.Click("Join")
	e.owls.See("h1", "The Night Owls")
	e.tv.See(".crowd", "The Night Owls")
}

// dragonsScanTheCode with a phone whose WiFi lets no WebSocket through, as some do.
func (e *evening) dragonsScanTheCode() {
	scanned, err := go_qr.Decode(e.tv.Photograph(".way-in .qr"))
	if want := e.joinURL(); err != nil || scanned != want {
		e.t.Fatalf("the television's QR code says %q (%v), want %q", scanned, err, want)
	}
	e.tv.ForceColours(true)
	if again, err := go_qr.Decode(e.tv.Photograph(".way-in .qr")); err != nil || again != scanned {
		e.t.Errorf("with forced colours the QR code says %q (%v), want %q", again, err, scanned)
	}
	e.tv.ForceColours(false)
	network := browsertest.NewNetwork(e.t)
	network.BlockSockets()
	e.dragons = e.browser.PersonOn(network, "the dragons' phone", browsertest.Phone)
	e.dragons.Open(scanned)
	e.dragons.Fill("Your name", "Welsh Dragons")
	e.dragons.Press("\r")
	e.dragons.See("h1", "Welsh Dragons")
	e.dragons.See(".trouble", "Slow connection. Everything still works")
	show(e.dragons, "phone-polling")
}

func (e *evening) lobby() {
	e.tv.See(".crowd", "7 players are in")
	e.host.See(".players", "Die Ratefüchse")
	e.host.See(".player[data-via=poll]", "Welsh Dragons")
	e.host.See(".player[data-via=socket]", "The Night Owls")
	show(e.owls, "phone-lobby")
	show(e.tv, "tv-lobby")
	show(e.host, "console-lobby")
}

// firstQuestion is answered wrong by the owls, who then reload and open another tab, and right by the dragons, who hear of everything by polling.
func (e *evening) firstQuestion() {
	e.step("Round introduction")
	e.owls.See("h1", "Warming up")
	e.tv.See("h1", "Warming up")
	show(e.owls, "phone-round")
	show(e.tv, "tv-round")
	show(e.host, "console-round")

	e.step("Question open")
	e.owls.See("h1", "Which of these planets")
	e.tv.See(".question", "Which of these planets")
	e.owls.See(".answer-line", "One tap locks it in")
	show(e.owls, "phone-open")
	e.owls.Click("Venus")
	e.owls.See(".answer-line", "Locked in")
	show(e.owls, "phone-locked")
	e.dragons.Click("Mercury") // nobody told this phone: it asked by itself
	e.dragons.See(".answer-line", "Locked in")
	show(e.dragons, "phone-locked-polling")
	e.othersAnswer("1.1", choice(1), choice(1), choice(1), choice(3))
	e.tv.See(".answered", "6 of 7 answered")
	show(e.tv, "tv-open")
	e.host.See(".state", "Everybody here has answered") // for the seventh phone sleeps
	e.host.See(".player", "Die Ratefüchse away not yet")
	show(e.host, "console-open")

	e.owls.Reload()
	e.owls.See(".answer-line", "Locked in")
	e.owls.See(".option[data-chosen]", "Venus")
	second := e.owls.Tab("the owls' second tab")
	second.Open(e.joinURL())
	second.See(".who", "The Night Owls")
	second.See(".answer-line", "Locked in")
	second.Close()
	if n := e.count("participants"); n != 7 {
		e.t.Errorf("%d participants after a reload and a second tab, want 7", n)
	}

	e.host.PressUntil("  ", ".state", "Question closed") // twice, as impatient fingers do
	e.tv.See(".times-up", "Time’s up")
	e.owls.See(".answer-line", "Let’s see who’s right")
	show(e.owls, "phone-closed")
	show(e.tv, "tv-closed")
	show(e.host, "console-closed")

	e.step("Answer revealed")
	e.owls.See(".verdict", "Not this time")
	e.dragons.PickUp()
	e.dragons.See(".verdict", "Right! 1 point for you")
	e.tv.See(".option[data-verdict=right]", "Mercury")
	e.tv.See(".stage-foot", "4 of 6 got it right")
	show(e.owls, "phone-wrong")
	show(e.dragons, "phone-right")
	show(e.tv, "tv-revealed")
	show(e.host, "console-revealed")
}

// secondQuestion is open while the host's laptop starts anew and the owls' WiFi fails.
func (e *evening) secondQuestion() {
	e.step("Question open")
	e.owls.See("h1", "A group of owls")
	e.host.Reload()
	e.host.See(".state", "Question open")
	e.host.See(".join .code", e.code)
	e.host.See(".player", "Welsh Dragons")

	e.owls.See(".answer-line", "One tap locks it in")
	e.owlsNetwork.Break()
	e.owls.Click("True")
	e.owls.See(".answer-line", "Sending")
	e.owls.See(".trouble", "The WiFi is struggling. You’re still in; your answers count.")
	show(e.owls, "phone-offline")
	e.owlsNetwork.Mend()
	e.owls.See(".answer-line", "Locked in")
	e.owls.See(".who", "The Night Owls")

	e.dragons.PickUp()
	e.dragons.Click("False")
	e.dragons.See(".answer-line", "Locked in")
	e.othersAnswer("1.2", choice(0), choice(0), choice(1), choice(0))
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Right! 1 point for you")
	show(e.owls, "phone-true-false")
	show(e.tv, "tv-true-false")
}

// thirdQuestion is typed, and closed by the clock.
func (e *evening) thirdQuestion() {
	e.step("Question open")
	e.owls.Fill("Your answer", "gOLD ")
	show(e.owls, "phone-typing")
	e.owls.Click("Send answer")
	e.owls.See(".answer-line", "Locked in")
	e.dragons.PickUp()
	e.dragons.Fill("Your answer", "Silver")
	e.dragons.Press("\r")
	e.dragons.See(".answer-line", "Locked in")
	e.othersAnswer("1.3", quiz.Given{Text: "Gold"}, quiz.Given{Text: "copper"}, quiz.Given{Text: "gold!"})
	show(e.tv, "tv-typed-open")

	e.host.See(".state", "Question closed")
	e.host.See(".groups", "3 × gold")
	show(e.host, "console-typed-closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Right!")
	e.tv.See(".typed", "Gold")
	show(e.owls, "phone-typed-right")
	show(e.tv, "tv-typed-revealed")
}

func (e *evening) finish() {
	e.host.PressUntil("s", ".state", "Standings") // not the next obvious step at the end, for it spoils the podium
	e.owls.See("h1", "You’re 2nd")
	e.tv.See(".standings", "Quizzly Bears")
	show(e.owls, "phone-standings")
	show(e.tv, "tv-standings")
	show(e.host, "console-standings")

	e.host.PressUntil(" ", "[role=alertdialog]", "Finish the evening?")
	show(e.host, "console-finishing")
	e.host.PressUntil("y", ".state", "Finished")
	e.owls.See("h1", "You’re 2nd")
	e.dragons.PickUp()
	e.dragons.See(".finished", "Thank you for playing!")
	e.tv.See(".step[data-rank='1']", "Quizzly Bears")
	show(e.owls, "phone-finished")
	show(e.tv, "tv-finished")
	show(e.host, "console-finished")

	late := e.browser.Person("a latecomer", browsertest.Phone)
	late.Tolerate("404")
	late.Open(e.joinURL())
	late.See(".field-problem", "No quiz is running under this code")
	show(late, "phone-unknown-code")

	e.host.Click("Back to your quizzes")
	e.host.See("h2", "Played")
	show(e.host, "dashboard")
}

func (e *evening) everyAnswerIsStoredOnce() {
	if n := e.count("answers"); n != 6+6+5 {
		e.t.Errorf("%d answers are stored, want 17", n)
	}
	if n := e.count("answers JOIN participants p ON p.id = participant_id WHERE p.name = 'The Night Owls'"); n != 3 {
		e.t.Errorf("%d answers of the owls are stored, want 3", n)
	}
}
