package loadtest

import (
	"errors"
	"fmt"
	"time"
)

// Report is what a run showed. Durations are in milliseconds.
type Report struct {
	Venues           int `json:"venues"`
	Phones           int `json:"phones"` // in all venues
	Joined           int `json:"joined"`
	RefusedLegit     int `json:"refusedLegitimate"` // phones finally kept out
	Delayed          int `json:"delayed"`           // phones that had to wait to get in
	QuestionsMissed  int `json:"questionsMissed"`   // over all phones
	RevealsMissed    int `json:"revealsMissed"`
	SawEveryQuestion int `json:"sawEveryQuestion"` // phones
	ScreenMissed     int `json:"screenMissed"`     // questions, over all big screens

	AnswersAcknowledged int `json:"answersAcknowledged"`
	AnswersStored       int `json:"answersStored"`
	AnswersMissing      int `json:"answersMissing"` // acknowledged, and not stored as given

	SumsChecked map[string]int `json:"sumsChecked"` // participants whose points were added up again, by the format of the results
	SumsWrong   []string       `json:"sumsWrong"`   // what did not add up, or was shown otherwise

	JoinMs       Quantiles `json:"joinMs"`        // from the scan to the seat, waits included
	LongestWait  float64   `json:"longestWaitMs"` // of a delayed phone
	LastIn       float64   `json:"lastInMs"`      // since the doors opened
	FanoutMs     Quantiles `json:"fanoutMs"`      // from the host's launch to a phone on the socket
	PollFanoutMs Quantiles `json:"pollFanoutMs"`  // … to a phone that polls
	FirstPhoneMs Quantiles `json:"firstPhoneMs"`  // for each question
	LastPhoneMs  Quantiles `json:"lastPhoneMs"`
	LongestOut   float64   `json:"longestOutMs"` // the longest that a phone was without a socket until it had one again
	TookMs       float64   `json:"tookMs"`

	Requests []Requests     `json:"requests"`
	Refusals map[string]int `json:"refusals"` // by limiter
	Outcomes map[string]int `json:"outcomes"` // of answers
	KeptOut  map[string]int `json:"keptOut"`  // phones, by reason
	Missing  []string       `json:"missing"`  // the answers

	RefusedSeated int `json:"refusedSeated"` // refusals by a limiter of phones that were in

	BotJoins       int            `json:"botJoins"`       // seats that bots got
	BotJoinsMinute int            `json:"botJoinsMinute"` // the most of them within any minute, in one venue
	BotRefused     int            `json:"botRefused"`     // requests of bots that a limiter refused
	DelayedByBot   int            `json:"delayedByBot"`   // phones that had to wait to get in where there were bots
	BotRequests    []Requests     `json:"botRequests"`
	BotRefusals    map[string]int `json:"botRefusals"` // by limiter

	Plan  Plan  `json:"-"`
	Story Story `json:"-"`

	Server *ServerUse `json:"server,omitempty"` // where the server is a process of ours
}

// Quantiles of durations in milliseconds.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`

	count int64
}

// Requests are those of one kind.
type Requests struct {
	Kind   string `json:"kind"`
	Count  int64  `json:"count"`
	Failed int    `json:"failed"` // no reply, or a fault of the server
	Quantiles
}

// ServerUse is what the server's process used.
type ServerUse struct {
	ResidentMB float64 `json:"residentMB"` // before anybody came
	PeakMB     float64 `json:"peakMB"`     // the most that was resident
	IdleMB     float64 `json:"idleMB"`     // heap and stacks in use before anybody came
	PlayingMB  float64 `json:"playingMB"`  // … with everybody seated
	PhoneKB    float64 `json:"phoneKB"`    // the difference, for each phone
	CPUSeconds float64 `json:"cpuSeconds"`

	Instances          int     `json:"instances"` // to which all of the above add up
	DatabaseCPUSeconds float64 `json:"databaseCPUSeconds"`
}

// Err is nil if nobody legitimate was kept out and every acknowledged answer is stored.
func (r Report) Err() error {
	var faults []error
	if r.RefusedLegit > 0 {
		faults = append(faults, fmt.Errorf("%d phones were kept out", r.RefusedLegit))
	}
	if r.AnswersMissing > 0 {
		faults = append(faults, fmt.Errorf("%d acknowledged answers are missing", r.AnswersMissing))
	}
	if len(r.SumsWrong) > 0 {
		faults = append(faults, fmt.Errorf("%d sums are wrong", len(r.SumsWrong)))
	}
	return errors.Join(faults...)
}

func newReport(plan Plan, evenings []evening, rec, bots *recorder, took time.Duration) Report {
	r := Report{
		Plan: plan, Venues: plan.Venues, Phones: plan.Venues * plan.Phones,
		JoinMs: rec.join.quantiles(), FanoutMs: rec.fanout.quantiles(), PollFanoutMs: rec.pollFanout.quantiles(),
		FirstPhoneMs: rec.firstPhone.quantiles(), LastPhoneMs: rec.lastPhone.quantiles(), TookMs: ms(took),
		Requests: rec.table(), Refusals: rec.refusals, Outcomes: rec.outcomes, KeptOut: map[string]int{}, Missing: []string{}, SumsChecked: map[string]int{}, SumsWrong: []string{},
		RefusedSeated: rec.seated, BotRequests: bots.table(), BotRefusals: bots.refusals,
	}
	r.Story = Story{Began: rec.began, Moments: rec.moments, Samples: rec.samples, Refused: rec.refused, BotRefused: bots.refused}
	for _, n := range bots.refusals {
		r.BotRefused += n
	}
	for _, e := range evenings {
		r.Joined += e.joined
		r.RefusedLegit += len(e.keptOut)
		r.Delayed += e.delayed
		r.QuestionsMissed += e.questionsMissed
		r.RevealsMissed += e.revealsMissed
		r.SawEveryQuestion += e.sawEverything
		r.ScreenMissed += e.screenMissed
		r.AnswersAcknowledged += e.acknowledged
		r.AnswersStored += e.stored
		r.AnswersMissing += len(e.missing)
		r.Missing = append(r.Missing, e.missing...)
		for format, n := range e.sumsChecked {
			r.SumsChecked[format] += n
		}
		r.SumsWrong = append(r.SumsWrong, e.sumsWrong...)
		r.LongestWait = max(r.LongestWait, ms(e.longestWait))
		r.LastIn = max(r.LastIn, ms(e.lastIn))
		r.Story.Lanes = append(r.Story.Lanes, e.lanes...)
		for _, l := range e.lanes {
			r.LongestOut = max(r.LongestOut, ms(l.longestOut()))
		}
		r.BotJoins += e.botJoins
		r.BotJoinsMinute = max(r.BotJoinsMinute, e.botJoinsMinute)
		for _, why := range e.keptOut {
			r.KeptOut[why]++
		}
	}
	if plan.Bots > 0 {
		r.DelayedByBot = r.Delayed
	}
	return r
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
