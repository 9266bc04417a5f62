package session

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// TestNotepad is saved over what a console has seen, and tells every console of it.
func TestNotepad(t *testing.T) {
	e := newEvening(t)
	ben := e.cohost(e.anotherHost("Ben"))
	if n, err := e.service.Notepad(t.Context(), ben); err != nil || n != (Notepad{}) {
		t.Errorf("at first: %+v, %v", n, err)
	}
	for i, save := range []struct {
		by       Viewer
		revision int
		text     string
		want     int
		err      error
	}{
		{e.host, 0, "Table 4 pays for the round", 1, nil},
		{ben, 0, "mine", 0, ErrStaleNotepad},
		{ben, 1, "Table 4 has paid", 2, nil},
		{e.host, 1, "again", 0, ErrStaleNotepad},
		{e.host, 2, strings.Repeat("ü", maxNotepad), 3, nil},
		{e.host, 3, "", 4, nil},
		{e.host, 4, "Raffle after round 2", 5, nil},
	} {
		if got, err := e.service.WriteNotepad(t.Context(), save.by, Notepad{save.revision, save.text}); got != save.want || !errors.Is(err, save.err) {
			t.Errorf("saving %d: revision %d, %v; want %d, %v", i, got, err, save.want, save.err)
		}
	}
	for name, text := range map[string]string{"too much": strings.Repeat("ü", maxNotepad+1), "a NUL": "a\x00b"} {
		if invalid, ok := errors.AsType[*InvalidError](second(e.service.WriteNotepad(t.Context(), e.host, Notepad{5, text}))); !ok || invalid.Field != "text" {
			t.Errorf("%s: %v", name, invalid)
		}
	}
	until(t, "the notepad's revision beside the snapshot", func() bool {
		_, live := e.see(ben)
		return live["notepad"] == 5.0
	})
	export, err := e.service.Export(t.Context(), ben)
	if err != nil || export.Notepad != "Raffle after round 2" {
		t.Errorf("exported: %q, %v", export.Notepad, err)
	}
}

// TestNotepadIsTheHosts: neither a phone nor a big screen is sent it or anything about it, or who hosts.
func TestNotepadIsTheHosts(t *testing.T) {
	e := newEvening(t)
	phone := e.join("Alice")
	e.cohost(e.anotherHost("Benedikt"))
	e.invite()
	if _, err := e.service.WriteNotepad(t.Context(), e.host, Notepad{0, "Secretly, table 4 leads"}); err != nil {
		t.Fatal(err)
	}
	screen, err := e.service.AsScreen(t.Context(), e.id, e.host.ScreenSeat())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []Viewer{phone, screen} {
		sight, err := e.service.Look(t.Context(), v, netip.Prefix{}, testGrace)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{string(sight.Shared.Body), string(sight.Own.Body)} {
			for _, private := range []string{"notepad", "Secretly", "cohosts", "Benedikt", "invited"} {
				if strings.Contains(body, private) {
					t.Errorf("the %s is told %q: %s", v.Role, private, body)
				}
			}
		}
		if _, err := e.service.Notepad(t.Context(), v); !errors.Is(err, ErrNotFound) {
			t.Errorf("the %s reads the notepad: %v", v.Role, err)
		}
		if _, err := e.service.WriteNotepad(t.Context(), v, Notepad{1, "mine"}); !errors.Is(err, ErrNotFound) {
			t.Errorf("the %s writes the notepad: %v", v.Role, err)
		}
	}
}
