package ratelimit

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// lines reads a JSON log.
func lines(t *testing.T, b *bytes.Buffer) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(b.String()) {
		var attrs map[string]any
		if err := json.Unmarshal([]byte(line), &attrs); err != nil {
			t.Fatal(err)
		}
		all = append(all, attrs)
	}
	b.Reset()
	return all
}

func TestRefusalsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		logTo := LogTo(slog.New(slog.NewJSONHandler(&b, nil)), []byte("secret"))
		l := newLimiters(t, Table, logTo)
		l.refusals.seed = seed{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93} // for which the two keys have places of their own
		one := JoinSession.For(AddressKey(netip.MustParseAddr("192.0.2.1")))
		other := JoinSession.For(AddressKey(netip.MustParseAddr("192.0.2.2")))
		admitted(t, l, one, 100+500)
		first := lines(t, &b)
		if len(first) != 1 || first[0]["limiter"] != "joinSession" || first[0]["limit"] != 100.0 || first[0]["reason"] != "over-budget" ||
			first[0]["store"] != "memory" || first[0]["first"] != true || first[0]["window"] != 60.0 || first[0]["retryAfter"] != 60.0 {
			t.Fatalf("logged %v, want the first refusal, with durations in seconds", first)
		}
		if text, _ := json.Marshal(first); bytes.Contains(text, []byte("192.0.2")) {
			t.Errorf("the log names an address: %s", text)
		}
		admitted(t, l, other, 101)
		second := lines(t, &b)
		if len(second) != 1 || second[0]["key"] == first[0]["key"] {
			t.Fatalf("logged %v, want another key's first refusal", second)
		}
		admitted(t, l, one, 1000)
		if sample := lines(t, &b); len(sample) != 1 || sample[0]["first"] != false || sample[0]["key"] != first[0]["key"] {
			t.Errorf("logged %v, want one sample", sample)
		}
		time.Sleep(time.Minute)
		admitted(t, l, one, 101)
		if again := lines(t, &b); len(again) != 1 || again[0]["first"] != true || again[0]["key"] != first[0]["key"] {
			t.Errorf("logged %v, want the first refusal of the next window", again)
		}
		// Peeking is not a refusal.
		if d, err := l.Peek(t.Context(), one); err != nil || d.Allowed || b.Len() != 0 {
			t.Errorf("%+v %v %s", d, err, &b)
		}
	})
}

// What is beyond a share is charged elsewhere, and refuses nobody.
func TestAShareIsNoRefusal(t *testing.T) {
	var b bytes.Buffer
	l := newLimiters(t, Table, LogTo(slog.New(slog.NewJSONHandler(&b, nil)), []byte("secret")))
	if n := admitted(t, l, SeatShare.For(PhoneKey(1, 0, 0)), SeatShare.Budget+1); n != SeatShare.Budget || b.Len() != 0 {
		t.Errorf("%d of a share of %d admitted, logged %s", n, SeatShare.Budget, &b)
	}
}

func TestAFloodOfRefusalsIsNotAFloodOfLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		l := newLimiters(t, Table, LogTo(slog.New(slog.NewJSONHandler(&b, nil)), []byte("secret")), MaxKeys(100))
		for n := range uint32(10_000) {
			allow(t, l, Auth.For(AddressKey(addressOf(n<<8))))
		}
		all := lines(t, &b)
		if len(all) != linesPerSecond+1 {
			t.Fatalf("%d lines, want %d refusals and that the table is full", len(all), linesPerSecond)
		}
		if msg := all[0]["msg"].(string); !strings.Contains(msg, "full") || all[0]["limiter"] != "auth" {
			t.Errorf("the first line is %v", all[0])
		}
		time.Sleep(time.Second)
		allow(t, l, Auth.For(AddressKey(addressOf(1<<30))))
		if all := lines(t, &b); len(all) != 1 || all[0]["omitted"].(float64) < 9000 {
			t.Errorf("a second later: %v", all)
		}
	})
}
