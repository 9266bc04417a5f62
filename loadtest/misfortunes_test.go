package loadtest

import (
	"errors"
	"maps"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestBotsWithoutTheCodeGetNothing(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{}, func(p *Plan) { p.Bots, p.Questions, p.Arrive = 2, 1, 10*time.Second })
	if r.BotJoins != 0 || r.Joined != 20 || r.DelayedByBot != 0 || r.Err() != nil {
		t.Errorf("bots got %d seats; %d phones joined, %d delayed: %v", r.BotJoins, r.Joined, r.DelayedByBot, r.Err())
	}
	var kinds []string
	var sent int64
	for _, q := range r.BotRequests {
		kinds = append(kinds, q.Kind)
		sent += q.Count
	}
	if want := []string{string(botPage), string(botJoin), string(botRejoin), string(botPoll)}; !slices.Equal(kinds, want) {
		t.Errorf("bots tried %q: want %q", kinds, want)
	}
	if most := 2 * int64(r.TookMs/ms(botPause)); sent < most/2 || sent > most {
		t.Errorf("%d requests of two bots in %.0f s: want at most twenty a second each", sent, r.TookMs/1000)
	}
}

func TestHostShutsBotsOutAndLetsTheRestInByCodes(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{}, func(p *Plan) {
		p.Bots, p.BotCode, p.Capacity, p.Questions, p.Arrive = 3, true, 30, 2, 10*time.Second
	})
	if r.Joined != 20 || r.Err() != nil {
		t.Fatalf("%d joined: %v, %v", r.Joined, r.Err(), r.KeptOut)
	}
	if r.BotJoins < 11 || r.BotJoins > 30 {
		t.Errorf("bots got %d of 30 seats: want so many that phones were kept waiting", r.BotJoins)
	}
	byKind := map[string]int64{}
	for _, q := range r.Requests {
		byKind[q.Kind] = q.Count
	}
	if late := byKind[string(rejoinRequest)]; late == 0 || int(late) != r.DelayedByBot {
		t.Errorf("%d got in by a code, %d were delayed by the bots: want the same", late, r.DelayedByBot)
	}
	if r.AnswersStored != 40 || r.QuestionsMissed != 0 {
		t.Errorf("%d answers stored, %d questions missed", r.AnswersStored, r.QuestionsMissed)
	}
}

func TestIntruders(t *testing.T) {
	var i intruders
	noon := time.Unix(0, 0)
	for _, s := range []int{0, 130, 70, 71, 129, 65} {
		i.add(noon.Add(time.Duration(s) * time.Second))
	}
	if all, inMinute := i.count(); all != 6 || inMinute != 3 {
		t.Errorf("%d, at most %d within a minute: want 6 and 3", all, inMinute)
	}
}

func TestLostWiFi(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{}, func(p *Plan) { p.DropWiFi = 15 * time.Second })
	if r.Joined != 20 || r.Err() != nil {
		t.Errorf("%d joined: %v", r.Joined, r.Err())
	}
	if r.AnswersStored != r.AnswersAcknowledged || r.AnswersStored < 60 {
		t.Errorf("%d answers acknowledged, %d stored: want the same, and those to three questions at least", r.AnswersAcknowledged, r.AnswersStored)
	}
	var sockets, failed int
	for _, q := range r.Requests {
		if q.Kind == string(phoneSocket) {
			sockets, failed = int(q.Count), q.Failed
		}
	}
	if sockets != 40 || failed == 0 {
		t.Errorf("%d sockets, %d attempts in vain: want two for each phone, and some while the network was gone", sockets, failed)
	}
	if i := slices.IndexFunc(r.Story.Moments, func(m Moment) bool { return m.What == "no WiFi" }); i < 0 || r.Story.Moments[i].Until-r.Story.Moments[i].At != 15*time.Second {
		t.Errorf("the story tells of %+v", r.Story.Moments)
	}
}

// The server hears nothing while the network is gone, and of the end of the connections once it is back.
func TestWiFi(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
		var w wifi
		dial := w.over(l.dial)
		var ours, theirs net.Conn
		go func() { theirs, _ = l.Accept() }()
		ours, err := dial(t.Context(), "tcp", "")
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		began := time.Now()
		go w.drop(t.Context(), time.Minute)
		if _, err := ours.Read(make([]byte, 1)); !errors.Is(err, errNoWiFi) || time.Since(began) != 0 {
			t.Errorf("reading ends after %s: %v", time.Since(began), err)
		}
		if err := ours.SetReadDeadline(time.Time{}); !errors.Is(err, errNoWiFi) {
			t.Errorf("a new deadline: %v", err)
		}
		if _, err := ours.Write([]byte{1}); !errors.Is(err, errNoWiFi) {
			t.Errorf("writing: %v", err)
		}
		if _, err := dial(t.Context(), "tcp", ""); !errors.Is(err, errNoWiFi) {
			t.Errorf("dialling: %v", err)
		}
		ours.Close()
		if _, err := theirs.Read(make([]byte, 1)); err == nil || time.Since(began) != time.Minute {
			t.Errorf("the server hears after %s: %v", time.Since(began), err)
		}
		synctest.Wait()
		go func() { theirs, _ = l.Accept() }()
		if _, err := dial(t.Context(), "tcp", ""); err != nil {
			t.Errorf("after it is back: %v", err)
		}
	})
}

func TestSlowAndStalledPhones(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{}, func(p *Plan) { p.Slow, p.Stalled, p.Seconds = 0.2, 0.2, 30 })
	if r.QuestionsMissed != 0 || r.AnswersStored != 80 || r.Err() != nil {
		t.Errorf("%d questions missed, %d answers stored: %v", r.QuestionsMissed, r.AnswersStored, r.Err())
	}
	if r.PollFanoutMs.count == 0 || r.FanoutMs.Max < 100 {
		t.Errorf("%d questions came by polling, the slowest by socket after %.0f ms", r.PollFanoutMs.count, r.FanoutMs.Max)
	}
}

func TestPhonesTrickleIn(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{}, func(p *Plan) { p.Arrival, p.Arrive = Trickle, 10*time.Second })
	if r.Joined != 20 || r.LastIn < 10_000 || r.QuestionsMissed != 0 || r.Err() != nil {
		t.Errorf("%d joined, the last after %.0f ms, %d questions missed: %v", r.Joined, r.LastIn, r.QuestionsMissed, r.Err())
	}
	if r.AnswersStored >= 80 {
		t.Errorf("%d answers stored: those who came late cannot have answered all", r.AnswersStored)
	}
}

func TestEverybodyPollsTogether(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{}, func(p *Plan) { p.Together = true })
	var at []time.Duration
	for _, s := range r.Story.Samples {
		if s.Kind == string(phonePoll) {
			at = append(at, s.At)
		}
	}
	slices.Sort(at)
	together := 0
	for i := 0; i+20 <= len(at); i++ {
		if at[i+19]-at[i] < 2*time.Millisecond { // as well as the phones know the server's clock
			together++
			i += 19
		}
	}
	if together != 4 {
		t.Errorf("%d moments at which all phones poll: want one a question", together)
	}
}

func TestLanes(t *testing.T) {
	r, _ := rehearse(t, &fakeServer{pageBudget: 12}, func(p *Plan) { p.Arrive = 5 * time.Second })
	if len(r.Story.Lanes) != 20 {
		t.Fatalf("%d lanes", len(r.Story.Lanes))
	}
	waited := 0
	for _, l := range r.Story.Lanes {
		var states []State
		for _, c := range l.Changes {
			states = append(states, c.To)
		}
		answered := 0
		for _, m := range l.Marks {
			if m.What == Answered {
				answered++
			}
		}
		if states[0] != Scanning || states[len(states)-1] != Left || !slices.Contains(states, OnSocket) || answered != 4 {
			t.Errorf("phone %d: %v, %d answers", l.Phone, states, answered)
		}
		if slices.Contains(states, Waiting) {
			waited++
		}
	}
	if waited != r.Delayed {
		t.Errorf("%d lanes show a wait, %d phones were delayed", waited, r.Delayed)
	}
}

func TestHostElsewhere(t *testing.T) {
	f := &fakeServer{}
	r, _ := rehearse(t, f, func(p *Plan) { p.Elsewhere, p.Questions = true, 1 })
	if want := map[netip.Addr]int{venueAddress(0): 21, elsewhere(0): 1}; !maps.Equal(f.clients, want) || r.Err() != nil {
		t.Errorf("clients at %v: want the phones and the big screen at the venue, %v; %v", f.clients, want, r.Err())
	}
}
