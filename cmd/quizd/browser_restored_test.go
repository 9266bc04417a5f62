package main

import (
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
)

// TestRestoreInBrowsers puts the database back under everybody's eyes, from a question's reveal to the moment before anybody had answered it. Nobody reloads: the television, the console and the phones show the open question again, also a phone without a socket; an answer that was lost comes again by itself;
// and who had come in since is told what has become of their place.
func TestRestoreInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	e.begin(quiz.Content{Title: "An Evening Twice", Rounds: []quiz.Round{{Title: "Only round", Questions: []quiz.Question{
		{Kind: quiz.Single, Text: "Which comes first?", Options: []string{"The egg", "The hen"}, Correct: []int{0}, Seconds: 300, Points: 2},
	}}}})
	e.owls = e.browser.Person("the owls' phone", browsertest.Phone)
	e.join(e.owls, "The Night Owls")
	sockets := browsertest.NewNetwork(t)
	sockets.BlockSockets()
	e.dragons = e.browser.PersonOn(sockets, "the dragons' phone", browsertest.Phone)
	e.join(e.dragons, "Welsh Dragons")
	e.step("Round introduction")
	e.step("Question open")
	e.owls.See("h1", "Which comes first?")
	run := func(sql string) {
		t.Helper()
		if _, err := e.server.pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TABLE backup_sessions AS SELECT version FROM sessions; CREATE TABLE backup_questions AS SELECT * FROM session_questions; CREATE TABLE backup_epoch AS SELECT * FROM epoch`)

	e.owls.Click("The egg")
	e.owls.See(".answer-line", "Locked in")
	late := e.browser.Person("a late phone", browsertest.Phone)
	late.Tolerate("status of 401")
	late.Open(e.joinURL())
	late.Fill("Your name", "The Latecomers")
	late.Click("Join")
	late.See(".who", "The Latecomers")
	e.step("Question closed")
	e.step("Answer revealed")
	e.tv.See(".option[data-verdict=right]", "The egg")
	e.dragons.Miss(".answer-line", "One tap locks it in")

	run(`
		BEGIN;
		DELETE FROM answers;
		DELETE FROM session_log l USING backup_sessions b WHERE l.version > b.version;
		DELETE FROM participants WHERE name = 'The Latecomers';
		UPDATE session_questions q SET status = b.status, opens_at = b.opens_at, closes_at = b.closes_at FROM backup_questions b WHERE b.id = q.id;
		UPDATE sessions SET phase = 'open', version = b.version FROM backup_sessions b;
		TRUNCATE epoch; INSERT INTO epoch SELECT * FROM backup_epoch;
		COMMIT`)
	e.host.See(".state", "Question open")
	e.tv.See(".answered", "1 of 2 answered")
	e.owls.See(".answer-line", "Locked in")
	e.dragons.See(".answer-line", "One tap locks it in")
	late.See("h1", "Your place is gone")
	show(late, "phone-place-gone")
	if n := e.count("answers"); n != 1 {
		t.Errorf("%d answers are stored, want the owls' again", n)
	}
	e.dragons.Click("The hen")
	e.dragons.See(".answer-line", "Locked in")
	e.step("Question closed")
	e.step("Answer revealed")
	e.owls.See(".verdict", "Right!")
}
