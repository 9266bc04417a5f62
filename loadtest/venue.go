package loadtest

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// venue is one room behind one address: a host, a big screen, and phones.
type venue struct {
	plan     Plan
	number   int // from 0
	origin   string
	dial     network
	wifi     wifi
	rec      *recorder
	bots     *recorder
	progress Progress
	doors    *doors        // nil unless bots know the code
	half     chan struct{} // closed at the launch of the question halfway through the quiz

	session  string
	joinCode string

	mu       sync.Mutex
	order    []string             // questions, as launched
	launches map[string]time.Time // when the host's command was sent
	fanouts  map[string][]time.Duration

	intruders intruders
}

func newVenue(plan Plan, number int, origin string, dial network, rec, bots *recorder, progress Progress) *venue {
	v := &venue{
		plan: plan, number: number, origin: origin, dial: dial, rec: rec, bots: bots, progress: progress,
		launches: map[string]time.Time{}, fanouts: map[string][]time.Duration{}, half: make(chan struct{}),
	}
	if plan.BotCode {
		v.doors = &doors{locked: make(chan struct{}), asking: make(chan chan<- string)}
	}
	return v
}

func (v *venue) browser() *browser { return v.browserAt(venueAddress(v.number)) }

func (v *venue) browserAt(source netip.Addr) *browser {
	return newBrowser(v.origin, v.wifi.over(v.dial(source)), v.rec)
}

func (v *venue) apiPath(what string) string { return "/api/v1/sessions/" + v.session + "/" + what }

// halfway is the question, counted from 1, during which misfortunes happen.
func (v *venue) halfway() int { return (v.plan.Questions + 1) / 2 }

// halfwayQuestion is the id of that question, once it has been launched.
func (v *venue) halfwayQuestion() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if n := v.halfway(); n <= len(v.order) {
		return v.order[n-1]
	}
	return ""
}

// launched notes that the host's command to open a question is being sent.
func (v *venue) launched(question string, at time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.Contains(v.order, question) {
		v.order = append(v.order, question)
		v.rec.launch(v.number, question)
		if len(v.order) == v.halfway() {
			close(v.half)
		}
	}
	v.launches[question] = at
}

// launchedSince lists the questions that were launched after a moment.
func (v *venue) launchedSince(moment time.Time) (questions []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, q := range v.order {
		if v.launches[q].After(moment) {
			questions = append(questions, q)
		}
	}
	return questions
}

// arrived notes that a phone has the open question.
func (v *venue) arrived(question string, w way, at time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	launch, ok := v.launches[question]
	if !ok {
		return
	}
	took := at.Sub(launch)
	v.fanouts[question] = append(v.fanouts[question], took)
	if w == bySocket {
		v.rec.fanout.add(took)
		v.rec.sample(Launched, took)
	} else {
		v.rec.pollFanout.add(took)
	}
}

// dropWiFi loses the venue's network during the question halfway through the quiz.
func (v *venue) dropWiFi(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-v.half:
	}
	if !sleep(ctx, settling) {
		return
	}
	began := time.Now()
	v.wifi.drop(ctx, v.plan.DropWiFi)
	v.rec.misfortune(v.number, began, "no WiFi")
}

// questionNumber counts the launched questions from 1.
func (v *venue) questionNumber(q *question) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Index(v.order, q.ID) + 1
}

const farewell = 30 * time.Second // for the last phones to notice the end

// play plays the whole evening. An error means that it could not be played to its end or not be checked.
func (v *venue) play(ctx context.Context) (evening, error) {
	h := newHost(v)
	defer h.browser.close()
	if err := h.signIn(ctx); err != nil {
		return evening{}, fmt.Errorf("sign in: %w", err)
	}
	if err := h.open(ctx); err != nil {
		return evening{}, fmt.Errorf("open a session: %w", err)
	}
	v.session = h.session

	var people sync.WaitGroup
	defer people.Wait()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	people.Go(func() {
		if err := h.watch(ctx); err != nil {
			end(fmt.Errorf("the console: %w", err))
		}
	})
	lobby, err := h.await(ctx, requestTimeout, func(s *snapshot, _ live) bool { return s.JoinCode != "" })
	if err != nil {
		return evening{}, fmt.Errorf("the console: %w", err)
	}
	v.joinCode = lobby.JoinCode
	if err := h.makeRoom(ctx, lobby); err != nil {
		return evening{}, fmt.Errorf("set the capacity: %w", err)
	}

	tv := newScreen(v)
	defer tv.browser.close()
	people.Go(func() {
		if err := tv.watch(ctx, h.screenURL); err != nil {
			end(fmt.Errorf("the big screen: %w", err))
		}
	})
	if v.plan.DropWiFi > 0 {
		people.Go(func() { v.dropWiFi(ctx) })
	}
	for n := range v.plan.Bots {
		people.Go(func() { newBot(v, n+1).run(ctx) })
	}
	r := fill(ctx, v)
	defer r.left.Wait()
	if err := h.receive(ctx, r); err != nil {
		end(nil)
		return evening{}, fmt.Errorf("let the room in: %w", err)
	}
	if err := h.drive(ctx); err != nil {
		end(nil)
		return evening{}, fmt.Errorf("drive the session: %w", err)
	}
	standings, err := h.lastWord(ctx)
	if err != nil {
		end(nil)
		return evening{}, fmt.Errorf("the last word: %w", err)
	}
	late := time.AfterFunc(farewell, func() { end(nil) })
	r.left.Wait()
	late.Stop()
	stored, err := h.export(context.WithoutCancel(ctx))
	if err != nil {
		return evening{}, fmt.Errorf("export the session: %w", err)
	}
	e := r.evening(stored)
	if err := e.addUp(ctx, h, stored, standings); err != nil {
		return evening{}, fmt.Errorf("the files of the results: %w", err)
	}
	e.screenMissed = v.plan.Questions - tv.saw()
	v.timeRoom()
	return e, nil
}

// timeRoom records, for every question, when the first and the last phone had it.
func (v *venue) timeRoom() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, took := range v.fanouts {
		v.rec.firstPhone.add(slices.Min(took))
		v.rec.lastPhone.add(slices.Max(took))
	}
}
