package presence

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/redistest"
	"pubquiz/session"
)

type seenBy = map[int64]session.Via

func newInstance(t *testing.T, s *redistest.Server) *Redis {
	t.Helper()
	p, err := New(s.URL, "test:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// tell has an instance say what it sees of a session, and wants the others to say this.
func tell(t *testing.T, p *Redis, id session.ID, here, want seenBy) {
	t.Helper()
	got, err := p.Exchange(t.Context(), id, here, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the others see (-want +got):\n%s", diff)
	}
}

func TestInstancesSeeEachOthersPhones(t *testing.T) {
	s := redistest.Start(t)
	a, b, c := newInstance(t, s), newInstance(t, s), newInstance(t, s)
	const evening, other = 1, 2
	tell(t, a, evening, seenBy{1: session.ViaSocket, 2: session.ViaPoll}, seenBy{})
	tell(t, b, evening, seenBy{3: session.ViaSocket}, seenBy{1: session.ViaSocket, 2: session.ViaPoll})
	tell(t, c, evening, seenBy{1: session.ViaPoll, 2: session.ViaSocket}, seenBy{1: session.ViaSocket, 2: session.ViaPoll, 3: session.ViaSocket})
	// A socket anywhere counts before a poll, whoever spoke first; and nobody hears of himself.
	tell(t, b, evening, seenBy{}, seenBy{1: session.ViaSocket, 2: session.ViaSocket})
	tell(t, a, evening, seenBy{1: session.ViaSocket}, seenBy{1: session.ViaPoll, 2: session.ViaSocket})
	tell(t, a, other, seenBy{}, seenBy{})
	tell(t, a, evening, seenBy{}, seenBy{1: session.ViaPoll, 2: session.ViaSocket})
	tell(t, b, evening, seenBy{}, seenBy{1: session.ViaPoll, 2: session.ViaSocket})
	tell(t, c, evening, seenBy{}, seenBy{})
	client, err := a.connected()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := client.Do(t.Context(), client.B().Dbsize().Build()).AsInt64(); err != nil || n != 0 {
		t.Errorf("%d keys are left of sessions in which nobody is, %v", n, err)
	}
}

// What an instance said lasts as long as it vouched for it, also when others go on speaking; and no key outlives that.
func TestWhatADeadInstanceSaidIsForgotten(t *testing.T) {
	s := redistest.Start(t)
	dying, living := newInstance(t, s), newInstance(t, s)
	tell(t, dying, 1, seenBy{1: session.ViaSocket}, seenBy{})
	tell(t, living, 1, seenBy{2: session.ViaSocket}, seenBy{1: session.ViaSocket})
	if _, err := dying.Exchange(t.Context(), 1, seenBy{1: session.ViaSocket}, 300*time.Millisecond); err != nil { // its last words
		t.Fatal(err)
	}
	eventually(t, "it is forgotten", func() bool { // long before the minute of its first words is over
		others, err := living.Exchange(t.Context(), 1, seenBy{2: session.ViaSocket}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return len(others) == 0
	})
	client, err := living.connected()
	if err != nil {
		t.Fatal(err)
	}
	if left, err := client.Do(t.Context(), client.B().Pttl().Key("test:presence:1").Build()).AsInt64(); err != nil || left <= 0 || left > 60_000 {
		t.Errorf("the key lasts %d ms, %v", left, err)
	}
}

func TestAServerThatIsAway(t *testing.T) {
	s := redistest.Start(t)
	p := newInstance(t, s)
	s.Kill()
	if _, err := p.Exchange(t.Context(), 1, seenBy{}, time.Minute); err == nil {
		t.Error("no error without a server")
	}
	s.Restart()
	tell(t, p, 1, seenBy{1: session.ViaSocket}, seenBy{})
	s.Signal(syscall.SIGSTOP)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.Exchange(ctx, 1, seenBy{}, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v from a server that stands still", err)
	}
	s.Signal(syscall.SIGCONT)
	tell(t, p, 1, seenBy{1: session.ViaSocket}, seenBy{})
	s.Kill()
	s.Restart()
	eventually(t, "it connects again by itself", func() bool {
		_, err := p.Exchange(t.Context(), 1, seenBy{1: session.ViaSocket}, time.Minute)
		return err == nil
	})
}

// eventually waits for what happens by itself.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: it did not happen", what)
		}
	}
}

func TestAddressesThatCannotBe(t *testing.T) {
	if _, err := New("http://localhost", "test:"); err == nil || !strings.HasPrefix(err.Error(), "presence:") {
		t.Errorf("%v", err)
	}
}
