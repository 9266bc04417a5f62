package main

import (
	"os"
	"slices"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestWholeQuizInBrowsers plays everything that a quiz can have: each kind of question, a picture, a joker, a stake, a team of two phones, and a
// round that is marked at its end. The host pauses, goes back, marks, takes a question out, gives points and lets back in.
func TestWholeQuizInBrowsers(t *testing.T) {
	t.Parallel()
	s, base := startWith(t, environment{"LIMITS": "hostAction=1000/1m"})
	e := &evening{t: t, server: s, base: base, browser: browsertest.Start(t)}
	e.begin(e.wholeQuiz())
	e.owlsNetwork = browsertest.NewNetwork(t)
	e.owls = e.browser.PersonOn(e.owlsNetwork, "the owls' phone", browsertest.Phone)
	e.join(e.owls, "The Night Owls")
	sockets := browsertest.NewNetwork(t)
	sockets.BlockSockets()
	e.dragons = e.browser.PersonOn(sockets, "the dragons' phone", browsertest.Phone)
	e.dragons.Tolerate("status of 403")
	e.join(e.dragons, "Welsh Dragons")

	e.teamOfTwo()
	e.jokerOnRoundOne()
	e.severalRight()
	e.nearestNumber()
	e.inOrder()
	e.pollAndSlide()
	e.stakeAndMarking()
	e.hostsPowers()
	e.roundOnPaper()
	e.removedAndBack()
	e.published()
}

func (e *evening) join(p *browsertest.Page, name string) {
	e.t.Helper()
	p.Open(e.joinURL())
	p.Fill("Your name", name)
	p.Click("Join")
	p.See("h1", name)
}

func (e *evening) wholeQuiz() quiz.Content {
	e.t.Helper()
	ctx := e.t.Context()
	host, err := e.server.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		e.t.Fatal(err)
	}
	file, err := os.Open(photo(e.t))
	if err != nil {
		e.t.Fatal(err)
	}
	defer file.Close()
	stored, err := quiz.NewMediaStore(e.server.pool).Add(ctx, quiz.OwnerID(host), file)
	if err != nil {
		e.t.Fatal(err)
	}
	picture := &quiz.Media{ID: stored.ID, Kind: stored.Kind, Alt: "A hill at dusk"}
	return quiz.Content{Title: "The whole quiz", Language: "en-GB", Teams: quiz.Captain, Rounds: []quiz.Round{
		{
			Title: "Everything at once", Introduction: "One of each.", Joker: true, Picture: picture,
			Questions: []quiz.Question{
				{Kind: quiz.Multiple, Text: "Which of these cities lie on the Danube?", Options: []string{"Vienna", "Prague", "Budapest", "Munich"},
					Correct: []int{0, 2}, Partial: true, Seconds: 300, Points: 4, Media: picture},
				{Kind: quiz.NumberKind, Text: "How long is the Danube?", Number: &quiz.Number{Value: 2850, Nearest: true, Unit: "km"}, Seconds: 300, Points: 2},
				{Kind: quiz.Ordering, Text: "The oldest first, please.", Options: []string{"The telescope", "The piano", "The balloon", "The telephone"},
					Partial: true, Seconds: 300, Points: 4},
				{Kind: quiz.Poll, Text: "Which was your favourite?", Options: []string{"The river", "The inventions"}, Seconds: 300},
				{Kind: quiz.Slide, Text: "The kitchen closes in ten minutes.", Seconds: 30},
				{Kind: quiz.Text, Text: "Who painted the Mona Lisa?", Accepted: []string{"Leonardo da Vinci"}, Exact: true, Wager: true, Seconds: 300, Points: 2,
					Notes: "Somebody will say just Leonardo."},
			},
		},
		{
			Title: "As on paper", Introduction: "You will see when it is over.", Pacing: quiz.RoundsEnd, Weight: 2, Negative: 1,
			Questions: []quiz.Question{
				{Kind: quiz.Text, Text: "What is the capital of Australia?", Accepted: []string{"Canberra"}, Wager: true, Seconds: 300, Points: 2},
				{Kind: quiz.TrueFalse, Text: "An octopus has three hearts.", Correct: []int{0}, Wager: true, Seconds: 300, Points: 2},
				{Kind: quiz.NumberKind, Text: "How many people are in this pub?", Number: &quiz.Number{Value: 42}, TieBreak: true, Seconds: 300, Points: 2},
			},
		},
	}}
}

// teamOfTwo lets the owls add a second phone, on which they can only watch: their captain answers.
func (e *evening) teamOfTwo() {
	e.owls.Click("Add a phone to your team")
	code := e.owls.Read(".team-code .code")
	show(e.owls, "phone-team-code")
	e.owls.Click("Done")
	e.member = e.browser.Person("the owls' second phone", browsertest.Phone)
	e.member.Open(e.base)
	e.member.Fill("Code on the big screen", code)
	e.member.Click("Go on")
	e.member.See("h1", "The whole quiz")
	e.member.Click("Join The Night Owls")
	e.member.See("h1", "The Night Owls")
	e.member.See(".team", "2 phones in your team. The captain’s answers count.")
	show(e.member, "phone-team-member")
	e.host.See(".player", "2 phones")
}

func (e *evening) jokerOnRoundOne() {
	e.owls.Click("Round 1: Everything at once")
	e.owls.See(".joker", "You can change your mind")
	adapts(e.owls, "phone-joker")
	e.step("Round introduction")
	e.tv.See(".facts", "Jokers allowed")
	e.owls.See(".joker", "Joker on: counts double")
	e.owls.Click("Joker on")
	e.owls.See(".joker", "once this evening")
	e.owls.Click("Use your joker")
	e.owls.See(".joker", "Joker on: counts double")
	e.host.See(".player", "★ 1")
	show(e.tv, "tv-whole-round")
	show(e.owls, "phone-whole-round")
	show(e.host, "console-whole-round")
}

// severalRight is paused, extended, revealed, hidden again and revealed for good.
func (e *evening) severalRight() {
	e.step("Question open")
	e.owls.See(".joker-badge", "Joker")
	e.owls.See(`h1[lang="en-GB"]`, "Which of these cities")
	e.tv.See(`.option-text [lang="en-GB"]`, "Budapest")
	e.host.See(`.solution [lang="en-GB"]`, "Budapest")
	e.host.See(`.asks [lang="en-GB"]`, "How long is the Danube?")
	e.owls.Click("Vienna")
	e.owls.Click("Prague")
	e.owls.Click("Prague") // and taken back
	adapts(e.owls, "phone-several")
	e.owls.Reload()
	e.owls.See(".option[data-chosen]", "Vienna") // the draft
	e.member.See(".answer-line", "Your captain locks in the answer")
	e.host.PressUntil("p", ".state", "paused")
	e.tv.See(".paused", "The clock is paused")
	e.owls.See(".paused", "The clock is paused")
	show(e.tv, "tv-paused")
	show(e.owls, "phone-paused")
	show(e.host, "console-paused")
	before := rows(e.owls)
	e.owls.Click("Lock in") // answers are taken all the same
	e.owls.See(".answer-line", "Locked in")
	if after := rows(e.owls); !slices.Equal(before, after) {
		e.t.Errorf("locking in moves the options from %v to %v", before, after)
	}
	e.member.See(".answer-line", "Locked in by your captain")
	e.host.Click("Go on")
	e.tv.Miss(".paused", "")
	e.host.Click("+15 s")
	e.host.Click("+30 s")
	e.host.PressUntil("v", "[role=alertdialog]", "Take question 1 out?") // while it is open
	e.host.PressUntil("y", ".now", "This question does not count")
	e.tv.See(".times-up", "This question doesn’t count")
	e.dragons.PickUp()
	e.dragons.See(".answer-line", "The host took this question out")
	e.dragons.Miss(".answering", "Lock in")
	show(e.dragons, "phone-void-open")
	show(e.tv, "tv-void-open")
	e.host.Click("Let it count")
	e.tv.See(".answered", "1 of 2 answered")
	e.dragons.PickUp()
	e.dragons.Click("Vienna")
	e.dragons.Click("Budapest")
	e.dragons.Click("Lock in")
	e.dragons.See(".answer-line", "Locked in")
	e.tv.See(".answered", "2 of 2 answered")
	show(e.tv, "tv-several")
	show(e.host, "console-several")

	e.step("Question closed")
	e.host.Click("Open again")
	e.host.See(".state", "Question open")
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Partly right: 2 points for you")
	e.owls.See(".verdict", "Doubled by your joker")
	e.tv.See(".option[data-verdict=right]", "Budapest")
	adapts(e.owls, "phone-several-part")
	adapts(e.tv, "tv-several-revealed")
	e.host.PressUntil("b", ".state", "Question closed")
	e.owls.See(".answer-line", "Locked in")
	e.tv.Miss(".verdict", "Right")
	e.step("Answer revealed")
	e.dragons.PickUp()
	e.dragons.See(".verdict", "Right! 2 points for you")
}

// rows says where on a phone the options stand.
func rows(p *browsertest.Page) (tops []int) {
	p.Ask(`[...document.querySelectorAll(".options > li")].map((row) => Math.round(row.getBoundingClientRect().top + scrollY))`, &tops)
	return tops
}

func (e *evening) nearestNumber() {
	e.step("Question open")
	e.owls.Fill("Your answer, in km", "2,900")
	adapts(e.owls, "phone-number")
	e.owls.Press("\r")
	e.owls.See(".answer-line", "Locked in")
	e.dragons.PickUp()
	e.dragons.Fill("Your answer, in km", "two thousand")
	e.dragons.Click("Send answer")
	e.dragons.See(".answer-line", "Locked in")
	e.tv.See(".how-to", "Type a number on your phone, in km")
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Right! 2 points for you") // doubled
	e.tv.See(".typed", "2,850 km")
	e.tv.See(".popular [data-verdict=right]", "2,900")
	show(e.owls, "phone-number-right")
	adapts(e.tv, "tv-number")
	show(e.host, "console-number")
}

// inOrder is tapped, survives a reload, is moved, and sent while the WiFi fails.
func (e *evening) inOrder() {
	e.step("Question open")
	e.owls.Click("The telescope")
	e.owls.Click("The piano")
	e.owls.See(".ordering .option[data-chosen]", "The piano , 2nd")
	e.owls.Reload()
	e.owls.See(".ordering .option[data-chosen]", "The piano , 2nd")
	e.owls.Click("The telephone")
	e.owls.Click("The balloon")
	e.owls.See(".ordering .option[data-chosen]", "The balloon , 4th")
	e.owls.See(".order-tools", "Start over")
	e.owls.Click("The balloon") // now last: one up
	e.owls.See(".ordering .option[data-selected]", "The balloon")
	e.owls.Click("Up")
	e.owls.See(".ordering li:nth-child(3)", "The balloon")
	adapts(e.owls, "phone-order")
	e.owlsNetwork.Break()
	before := rows(e.owls)
	e.owls.Click("Lock in")
	e.owls.See(".answer-line", "Sending")
	if after := rows(e.owls); !slices.Equal(before, after) {
		e.t.Errorf("locking in moves the rows from %v to %v", before, after)
	}
	e.owlsNetwork.Mend()
	e.owls.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Right! 4 points for you") // doubled
	e.tv.See(".in-order li:nth-child(1)", "The telescope")
	adapts(e.owls, "phone-order-right")
	adapts(e.tv, "tv-order")
}

func (e *evening) pollAndSlide() {
	e.step("Question open")
	e.owls.Click("The river")
	e.owls.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Here’s what everybody said")
	adapts(e.owls, "phone-poll")
	show(e.tv, "tv-poll")
	e.host.PressUntil(" ", ".now", "There is nothing to answer")
	e.owls.See("h1", "The kitchen closes")
	e.tv.See(".question", "The kitchen closes")
	show(e.owls, "phone-slide")
	show(e.tv, "tv-slide")
}

// stakeAndMarking: the owls stake points on an answer that the machine refuses, and the host accepts with one key.
func (e *evening) stakeAndMarking() {
	e.step("Question open")
	e.owls.Fill("Your answer", "Leonardo")
	e.owls.Click("One point more")
	e.owls.Click("One point more")
	e.owls.See(".wager", "Your stake: 2 of 8 points")
	adapts(e.owls, "phone-stake")
	e.owls.Click("Lock in, staking 2 points")
	e.owls.See(".answer-line", "Locked in, with 2 points at stake")
	e.host.See(".player", "stakes 2")
	e.host.PressUntil("m", ".marking", "What is typed now comes here when the question closes")
	show(e.host, "console-marking-open")
	e.host.Press("m")
	e.host.Miss(".marking", "")
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "your stake is lost, −2")
	e.host.PressUntil("m", ".marking", "Mark what was typed")
	e.host.See(".marking", "1 to look at")
	adapts(e.host, "console-marking")
	e.host.Press("a")
	e.host.See(".marking", "All looked at")
	e.owls.See(".verdict", "Right! Your stake wins 2 points")
	e.host.Press("u")
	e.owls.See(".verdict", "your stake is lost, −2")
	e.host.Press("a")
	e.owls.See(".verdict", "Right! Your stake wins 2 points")
	e.owls.See(".total", "10 points")
	e.host.Press("\x1b")
	e.host.Miss(".marking", "")
}

func (e *evening) hostsPowers() {
	e.host.PressUntil("v", "[role=alertdialog]", "Take question 6 out?")
	adapts(e.host, "console-voiding")
	e.host.PressUntil("y", ".now", "This question does not count")
	e.owls.See(".verdict", "This question doesn’t count")
	e.owls.See(".total", "8 points")
	e.tv.See(".times-up", "This question doesn’t count")
	show(e.tv, "tv-voided")
	show(e.owls, "phone-voided")
	e.host.Click("Let it count")
	e.owls.See(".total", "10 points")

	e.host.Click("Welsh Dragons")
	e.host.Click("Give or take points")
	e.host.Fill("Points for Welsh Dragons", "1.5")
	e.host.Fill("Why", "the best name")
	show(e.host, "console-adjusting")
	e.host.Press("\r")
	e.dragons.PickUp()
	e.dragons.See(".total", "3½ points")
	e.host.PressUntil("h", ".log", "Welsh Dragons got 1½ points: the best name")
	adapts(e.host, "console-log")
	e.host.Press("\x1b")
	e.host.PressUntil("a", ".papers", "Leonardo da Vinci")
	adapts(e.host, "console-papers")
	e.host.Click("To read out")
	e.host.See(".papers", "Somebody will say just Leonardo.")
	show(e.host, "console-script")
	e.host.Press("\x1b")
	e.host.PressUntil("?", ".key-map", "Mark what was typed")
	adapts(e.host, "console-keys")
	e.host.Press("\x1b")
	e.host.PressUntil("s", ".state", "Standings")
	e.complaint("console-marking-standings")
	e.host.PressUntil("b", ".state", "Answer revealed")
	e.tv.Miss(".standings", "")
	e.owls.See(".verdict", "Right!")
}

// complaint is what a host hears when the question is gone: what was typed in the round that is over can still be marked.
func (e *evening) complaint(name string) {
	e.t.Helper()
	e.host.See(".controls", "Mark")
	e.host.PressUntil("m", ".marking", "Leonardo")
	show(e.host, name)
	e.host.Press("m")
	e.host.Miss(".marking", "")
}

// roundOnPaper is revealed and marked when it is over.
func (e *evening) roundOnPaper() {
	e.host.PressUntil("n", ".state", "Round introduction")
	e.complaint("console-marking-round")
	e.tv.See(".facts", "Counts double")
	e.owls.See(".rules", "Answers at the round’s end")
	e.step("Question open")
	e.owls.Fill("Your answer", "Sydney")
	e.owls.Click("One point more")
	e.owls.See(".wager", "Your stake: 1 of 10 points")
	e.owls.Click("Lock in, staking 1 point")
	e.owls.See(".answer-line", "Locked in, with 1 point at stake")
	e.step("Question closed")
	e.owls.See(".answer-line", "The answers come at the round’s end")
	e.tv.See(".times-up", "The answers come at the round’s end")
	show(e.owls, "phone-paper")
	show(e.tv, "tv-paper")
	show(e.host, "console-paper")
	e.step("Question open")
	e.owls.Click("True")
	e.owls.Click("One point more")
	e.owls.Click("One point more")
	e.owls.See(".wager", "Your stake: 2 of 9 points")
	e.owls.See(".wager", "1 point already at stake")
	show(e.owls, "phone-stake-on-paper")
	e.owls.Click("Lock in, staking 2 points")
	e.owls.See(".answer-line", "Locked in, with 2 points at stake")
	e.step("Question closed")
	e.step("Question open")
	e.tv.See(".place", "Tie-break")
	e.owls.Fill("Your answer", "40")
	show(e.owls, "phone-tie-break")
	e.owls.Click("Send answer")
	e.owls.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	e.tv.See(".place", "The answers · Question 1 of 3")
	e.owls.See(".verdict", "your stake is lost, −1")
	show(e.owls, "phone-answers")
	e.host.PressUntil(" ", ".now", "True")
	e.tv.See(".option[data-verdict=right]", "True")
	e.owls.See(".verdict", "Right! Your stake wins 2 points")
	e.host.PressUntil(" ", ".now", "Tie-break")
	e.owls.See(".verdict", "It only decides between equal points")
	e.owls.See(".total", "11 points")
}

func (e *evening) removedAndBack() {
	e.host.Click("Welsh Dragons")
	e.host.Click("Remove")
	e.host.See(".choices", "You can let it back in")
	e.host.PressUntil("y", ".views", "Removed 1")
	e.dragons.PickUp()
	e.dragons.See("h1", "You’re out of this quiz")
	e.host.Click("Removed 1")
	e.host.See(".chip[aria-pressed=true]", "Removed 1")
	show(e.host, "console-removed")
	e.host.Click("Let back in")
	e.dragons.PickUp()
	e.dragons.See(".total", "3½ points")
}

func (e *evening) published() {
	e.host.PressUntil("f", "[role=alertdialog]", "Finish the evening?")
	e.host.PressUntil("y", ".state", "Finished")
	e.owls.See("h1", "You won!")
	e.host.PressUntil("b", ".state", "Answer revealed")
	e.owls.Miss("h1", "You won!")
	e.host.PressUntil("f", "[role=alertdialog]", "Finish the evening?")
	e.host.PressUntil("y", ".state", "Finished")
	e.host.Click("Publish the final standings")
	e.host.See(".results-link", e.base)
	adapts(e.host, "console-published")
	adapts(e.owls, "phone-whole-finished")
	adapts(e.tv, "tv-whole-finished")
	e.host.Click("Take it down")
	e.host.See(".results-link", "Publish the final standings")
}
