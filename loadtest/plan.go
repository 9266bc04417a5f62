// Package loadtest plays evenings in simulated venues against a running server: in each venue a host drives a quiz,
// a big screen watches, and a room full of phones scans, joins, answers and reads every reveal. It is a black box: it
// knows the server only by docs/protocol.md, over HTTP and WebSocket, and it only ever talks to this machine.
package loadtest

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Plan says what to play.
type Plan struct {
	URLs      []string      // of the servers, on this machine; the first is the address that people use, over which all instances are reached in turn
	Venues    int           // each has a source address of its own
	Phones    int           // in each venue
	Questions int           // in each venue's quiz
	Seconds   int           // each question stays open
	Quiz      Quiz          // which kinds of questions and rounds
	Files     []string      // of a Big quiz, each of which the server imports as a round
	Talk      time.Duration // the longest pause that the quizmaster makes; 0: as long as people do, so that phones that poll read every reveal
	Capacity  int           // of each session; 0: as it is by default, or as many as there are phones
	Seed      uint64        // the same seed gives the same arrivals, answers and cuts
	Email     string        // of the host; empty: every venue's host signs up
	Password  string

	Arrival    Arrival
	Arrive     time.Duration // the phones of a venue scan within this time
	LastSecond float64       // the share of answers that come in a question's last second
	Elsewhere  bool          // the host drives from another address than the venue's
	Together   bool          // during every question all phones poll at the same moment

	// What happens to phones, in shares of them.
	CutSocket float64 // lose their socket halfway through the quiz, for good
	Slow      float64 // take their time over every frame
	Stalled   float64 // read nothing more from their socket from halfway through the quiz on

	DropWiFi time.Duration // halfway through the quiz every venue loses its network for so long
	Bots     int           // hostile clients in each venue, at its address
	BotCode  bool          // they know the join code
}

// Quiz is what is played.
type Quiz string

const (
	Plain Quiz = ""      // options and typed text, revealed after each question
	Whole Quiz = "whole" // every kind of question and of round, and a host who uses every power
	Big   Quiz = "big"   // the same host, with eight imported rounds of ten questions
)

// bigQuestions is how many questions a Big quiz has.
const bigQuestions = 80

// Arrival is how the phones of a venue come.
type Arrival string

const (
	Spread  Arrival = "spread"  // at any moment of the time for it
	AtOnce  Arrival = "at-once" // all together
	Trickle Arrival = "trickle" // most as with Spread, a fifth while the quiz is on
)

// The most that a run may ask for: a load test is bounded in count and time.
const (
	maxVenues    = 250
	maxPhones    = 2000 // the capacity of a session
	maxAllPhones = 20000
	maxArrive    = 30 * time.Minute
	maxQuestions = 100
	maxBots      = 200
	maxDrop      = 90 * time.Second
)

// Check reports what is wrong with the plan, in words for whoever wrote it.
func (p Plan) Check() error {
	if _, err := parseTargets(p.URLs); err != nil {
		return err
	}
	switch {
	case p.Venues < 1 || p.Venues > maxVenues:
		return fmt.Errorf("there must be 1 to %d venues, not %d", maxVenues, p.Venues)
	case p.Phones < 1 || p.Phones > maxPhones:
		return fmt.Errorf("a venue must have 1 to %d phones, not %d", maxPhones, p.Phones)
	case p.Venues*p.Phones > maxAllPhones:
		return fmt.Errorf("%d phones in all are more than %d", p.Venues*p.Phones, maxAllPhones)
	case p.Arrive < 0 || p.Arrive > maxArrive:
		return fmt.Errorf("phones must arrive within 0s to %s, not %s", maxArrive, p.Arrive)
	case p.Questions < 1 || p.Questions > maxQuestions:
		return fmt.Errorf("a quiz must have 1 to %d questions, not %d", maxQuestions, p.Questions)
	case p.Seconds < 5 || p.Seconds > 600:
		return fmt.Errorf("a question must stay open for 5 to 600 seconds, not %d", p.Seconds)
	case !slices.Contains([]Quiz{Plain, Whole, Big}, p.Quiz):
		return fmt.Errorf("the quiz is plain, %s or %s, not %q", Whole, Big, p.Quiz)
	case p.Quiz == Big && (len(p.Files) == 0 || p.Questions != bigQuestions):
		return fmt.Errorf("a big quiz has %d questions in files", bigQuestions)
	case p.Talk < 0:
		return fmt.Errorf("a pause cannot last %s", p.Talk)
	case !slices.Contains([]Arrival{Spread, AtOnce, Trickle}, p.Arrival):
		return fmt.Errorf("phones arrive %s, %s or %s, not %q", Spread, AtOnce, Trickle, p.Arrival)
	case p.DropWiFi < 0 || p.DropWiFi > maxDrop:
		return fmt.Errorf("the WiFi may be gone for 0s to %s, not %s", maxDrop, p.DropWiFi)
	case p.Capacity < 0 || p.Capacity > maxPhones:
		return fmt.Errorf("a session has room for 1 to %d phones, not %d", maxPhones, p.Capacity)
	case p.Bots < 0 || p.Bots > maxBots:
		return fmt.Errorf("a venue may have 0 to %d bots, not %d", maxBots, p.Bots)
	case p.BotCode && p.Bots == 0:
		return errors.New("there are no bots who could know the join code")
	case (p.Email == "") != (p.Password == ""):
		return errors.New("a host's e-mail and password belong together")
	case p.Email != "" && p.Venues > 1:
		return errors.New("one account is one host in one venue: several venues sign up hosts of their own")
	}
	for what, share := range map[string]float64{
		"sockets to cut": p.CutSocket, "slow phones": p.Slow, "stalled phones": p.Stalled, "answers in the last second": p.LastSecond,
	} {
		if share < 0 || share > 1 {
			return fmt.Errorf("the share of %s must be between 0 and 1, not %g", what, share)
		}
	}
	return nil
}

// patience is how long a phone keeps trying to get in before it counts as kept out.
const patience = 5 * time.Minute

// longest bounds a whole run, whatever the server does.
func (p Plan) longest() time.Duration {
	question := time.Duration(p.Seconds)*time.Second + 90*time.Second // the host's pauses, and waits when limited
	return p.Arrive + patience + time.Duration(p.Questions)*question + 2*time.Minute
}
