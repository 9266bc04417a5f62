package session

import (
	"errors"
	"testing"
)

// TestBackWithoutTheCode: a session that has finished gives its join code away, and cannot come back while another has it.
func TestBackWithoutTheCode(t *testing.T) {
	e := newEvening(t)
	e.do(Finish)
	other, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.pool.Exec(t.Context(), `UPDATE sessions SET join_code = $2 WHERE public_id = $1`, other, e.code); err != nil {
		t.Fatal(err)
	}
	if err := e.refused(Back); !errors.Is(err, ErrNotNow) {
		t.Errorf("back while another session has the code: %v", err)
	}
	if _, err := e.pool.Exec(t.Context(), `UPDATE sessions SET finished_at = now(), phase = 'finished' WHERE public_id = $1`, other); err != nil {
		t.Fatal(err)
	}
	e.do(Back)
	if p := e.host.room.current.Load(); p.Phase != Lobby {
		t.Errorf("back from the end to %s", p.Phase)
	}
}
