package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// botPause bounds a bot to twenty requests a second. It never waits as it is asked to.
const botPause = 50 * time.Millisecond

// bot is a hostile client at the venue's address. It invents codes and tokens; if it knows the join code it joins again and again under new names, and
// hammers with the seats that it gets.
type bot struct {
	venue   *venue
	number  int // from 1
	browser *browser
	dice    *dice
	seats   []string // tokens
}

func newBot(v *venue, number int) *bot {
	b := &bot{
		venue: v, number: number, browser: newBrowser(v.origin, v.dial(venueAddress(v.number)), v.bots),
		dice: newDice(v.plan.Seed, uint64(v.number)<<32|uint64(number)<<8|5),
	}
	b.browser.http.Jar = nil // or it would be the same participant every time
	return b
}

// run attacks until ctx ends.
func (b *bot) run(ctx context.Context) {
	defer b.browser.close()
	attacks := []func(context.Context){b.inventPage, b.inventJoin, b.inventRejoin, b.inventToken}
	if b.venue.plan.BotCode {
		attacks = append(attacks, b.floodPage, b.join, b.poll, b.answer)
	}
	sleep(ctx, b.dice.upTo(botPause))
	t := time.NewTicker(botPause)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			attacks[b.dice.below(len(attacks))](ctx)
		}
	}
}

func (b *bot) inventPage(ctx context.Context) {
	b.send(ctx, botPage, http.MethodGet, "/j/"+b.invent(6), "", nil)
}

func (b *bot) inventJoin(ctx context.Context) {
	b.send(ctx, botJoin, http.MethodPost, "/api/v1/join/"+b.invent(6), "", b.application())
}

func (b *bot) inventRejoin(ctx context.Context) {
	b.send(ctx, botRejoin, http.MethodPost, "/api/v1/rejoin/"+b.invent(8), "", b.application())
}

// inventToken takes the session's id as known: it stands in every phone's address bar, and gives no power.
func (b *bot) inventToken(ctx context.Context) {
	b.send(ctx, botPoll, http.MethodGet, b.venue.apiPath("participant"), b.invent(40), nil)
}

func (b *bot) floodPage(ctx context.Context) {
	b.send(ctx, botPage, http.MethodGet, "/j/"+b.venue.joinCode, "", nil)
}

func (b *bot) join(ctx context.Context) {
	r, err := b.send(ctx, botJoin, http.MethodPost, "/api/v1/join/"+b.venue.joinCode, "", b.application())
	var joined struct {
		Token string `json:"token"`
	}
	if err != nil || r.decode(&joined) != nil || joined.Token == "" {
		return
	}
	b.venue.intruders.add(time.Now())
	b.seats = append(b.seats, joined.Token)
}

func (b *bot) poll(ctx context.Context) {
	b.useSeat(ctx, botPoll, http.MethodGet, "participant", nil)
}

func (b *bot) answer(ctx context.Context) {
	b.useSeat(ctx, botAnswer, http.MethodPost, "answers", answer{ID: b.invent(20), Question: "1.1", Given: given{Choices: []int{0}}})
}

// useSeat hammers with one of the seats, also after it has been taken away.
func (b *bot) useSeat(ctx context.Context, k kind, method, what string, body any) {
	if len(b.seats) == 0 {
		return
	}
	_, _ = b.send(ctx, k, method, b.venue.apiPath(what), b.seats[b.dice.below(len(b.seats))], body)
}

func (b *bot) send(ctx context.Context, k kind, method, path, token string, body any) (response, error) {
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	if body == nil {
		return b.browser.do(ctx, k, method, path, nil, header)
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err) // never: bodies are plain
	}
	header.Set("Content-Type", "application/json")
	return b.browser.do(ctx, k, method, path, bytes.NewReader(encoded), header)
}

// intruderName begins the name of every bot, so that the host knows them from the room.
const intruderName = "Zorg"

func (b *bot) application() map[string]string {
	return map[string]string{"name": fmt.Sprintf("%s %d %s", intruderName, b.number, b.invent(6)), "attempt": b.invent(32)}
}

const codeAlphabet = "BCDFGHJKMPQRTVWXY2346789"

// invent makes up a code or a token of so many characters.
func (b *bot) invent(length int) string {
	var s strings.Builder
	for range length {
		s.WriteByte(codeAlphabet[b.dice.below(len(codeAlphabet))])
	}
	return s.String()
}

// intruders are the seats that bots got.
type intruders struct {
	mu sync.Mutex
	at []time.Time
}

func (i *intruders) add(at time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.at = append(i.at, at)
}

// count returns how many there were, and the most within any minute.
func (i *intruders) count() (all, inMinute int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	slices.SortFunc(i.at, time.Time.Compare)
	first := 0
	for n, at := range i.at {
		for at.Sub(i.at[first]) >= time.Minute {
			first++
		}
		inMinute = max(inMinute, n-first+1)
	}
	return len(i.at), inMinute
}
