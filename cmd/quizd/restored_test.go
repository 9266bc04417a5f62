package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/history"
	"pubquiz/quiz"
)

// postgresProgram prepares pg_dump or pg_restore, with as little in its environment as a script of cron's has.
func postgresProgram(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatal(err)
	case err != nil:
		t.Skipf("SKIPPED, and it should not be: %v", err)
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Env = []string{"PATH=" + os.Getenv("PATH")}
	return command
}

func succeed(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(command.Path), err, out)
	}
}

// TestBackupIsRestored takes a backup in the middle of a question and restores it later, as docs/operations.md shows, into a new database: under an instance that runs on, and under one that is started
// again. Phones that hold a newer version take the older one; what was stored after the backup is gone; who joined after it has to join again.
func TestBackupIsRestored(t *testing.T) {
	t.Parallel()
	backup := filepath.Join(t.TempDir(), "quizd.dump")
	dump := postgresProgram(t, "pg_dump")
	c := newCluster(t, 2)
	content := quiz.Content{Title: "An Evening Twice", Rounds: []quiz.Round{{Title: "Only round", Questions: []quiz.Question{
		{Kind: quiz.Single, Text: "Which?", Options: []string{"this", "that"}, Correct: []int{1}, Seconds: 300, Points: 1},
	}}}}
	host, err := openSession(t.Context(), c, content, &history.History{}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	seat := func(name string, n uint64) *phone {
		t.Helper()
		p, err := host.seat(t.Context(), name, rand.New(rand.NewPCG(1, n)))
		if err != nil {
			t.Fatal(err)
		}
		p.seen = nil // it answers when it is told to
		return p
	}
	early, late := seat("Answers early", 2), seat("Answers late", 3)
	screens := []*screen{&host.screen, host.television(rand.New(rand.NewPCG(1, 4))), &early.screen, &late.screen}
	following, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer leave()
	for _, s := range screens {
		all.Go(func() { s.follow(following) })
	}
	patience := func() context.Context { // for one step
		ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
		t.Cleanup(cancel)
		return ctx
	}
	await := func(what string, seen func(snapshotSeen) bool) {
		t.Helper()
		ctx := patience()
		for _, s := range screens {
			for !seen(s.now()) {
				if !pause(ctx, 10*time.Millisecond) {
					t.Fatalf("%s never saw %s, but version %d of %s, %s", s.name, what, s.now().Version, s.now().Epoch, s.now().Phase)
				}
			}
		}
	}
	answer := func(p *phone, id string) string {
		t.Helper()
		ctx := patience()
		for {
			o, err := p.post(ctx, c.members[1], map[string]any{"id": id, "question": "1.1", "given": map[string]any{"choices": []int{1}}})
			if err != nil {
				t.Fatal(err)
			}
			if o.Outcome != "too-early" || !pause(ctx, 50*time.Millisecond) {
				return o.Outcome
			}
		}
	}
	command := func(name, leadsTo string) {
		t.Helper()
		if err := host.order(t.Context(), c.members[1], name, host.now().Version, ampleTime); err != nil {
			t.Fatal(err)
		}
		await(leadsTo, func(s snapshotSeen) bool { return s.Phase == leadsTo })
	}

	await("the lobby", func(s snapshotSeen) bool { return s.Phase == "lobby" })
	command("next", "round")
	command("launch", "open")
	if got := answer(early, "early"); got != "accepted" {
		t.Fatalf("before the backup: %s", got)
	}
	dump.Args = append(dump.Args, "--format=custom", "--file="+backup, "--dbname="+c.database.URL("quizd"))
	succeed(t, dump)
	then := host.now()

	if got := answer(late, "late"); got != "accepted" {
		t.Fatalf("after the backup: %s", got)
	}
	lost := seat("Joins late", 5)
	command("close", "closed")
	command("reveal", "revealed")

	// The disaster: one instance is gone, the other has lost its connections; where they knew the database, there is the backup.
	c.members[0].kill()
	admin, err := pgx.Connect(t.Context(), c.database.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.WithoutCancel(t.Context()))
	for _, sql := range []string{
		`ALTER DATABASE quizd ALLOW_CONNECTIONS false`,
		`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'quizd'`,
		`ALTER DATABASE quizd RENAME TO broken`,
		`CREATE DATABASE restored`,
	} {
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	succeed(t, postgresProgram(t, "pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", "--dbname="+c.database.URL("restored"), backup))
	if _, err := admin.Exec(t.Context(), `ALTER DATABASE restored RENAME TO quizd`); err != nil {
		t.Fatal(err)
	}
	c.members[0].restart(patience())

	await("the question open again, as it was", func(s snapshotSeen) bool {
		return s.Epoch != then.Epoch && s.Version == then.Version && s.Phase == "open"
	})
	for _, s := range screens {
		if s.now().Epoch != host.now().Epoch {
			t.Errorf("%s is in epoch %s, the host in %s", s.name, s.now().Epoch, host.now().Epoch)
		}
	}
	stored, err := host.stored(patience())
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.Answers) != 1 || stored.Answers[0].ID != "early" || len(stored.Participants) != 2 {
		t.Errorf("stored are %+v of %+v, want what the backup had", stored.Answers, stored.Participants)
	}
	for _, in := range c.members {
		var refused struct{ Type string }
		if status, err := lost.call(patience(), in, http.MethodGet, lost.path+"participant", nil, &refused); err != nil || status != http.StatusUnauthorized || refused.Type != "/problems/seat-lost" {
			t.Errorf("who joined after the backup is answered %d %v %v, want to be asked to join", status, refused, err)
		}
	}
	if got := answer(early, "early"); got != "accepted" {
		t.Errorf("the answer that was in the backup, sent again: %s", got)
	}
	if got := answer(late, "late"); got != "accepted" { // as the phone's page does by itself
		t.Errorf("the answer that was lost, sent again: %s", got)
	}
	command("close", "closed")
}
