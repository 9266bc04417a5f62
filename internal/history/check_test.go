package history

import (
	"strings"
	"testing"
	"time"
)

var opened = time.Unix(1_790_000_000, 0)

const grace = time.Second

// honest is an evening of two phones in which all went well: Ann was right, Ben was refused a second answer, and then came too late.
func honest() (*History, Stored) {
	h := &History{}
	for _, s := range []Sending{
		{Participant: "ann", Question: "1.1", Answer: "a1", Choice: 1},
		{Participant: "ann", Question: "1.1", Answer: "a1", Choice: 1, Outcome: "accepted"},
		{Participant: "ben", Question: "1.1", Answer: "b1", Choice: 2, Outcome: "accepted"},
		{Participant: "ben", Question: "1.1", Answer: "b2", Choice: 1, Outcome: "already-answered", Told: 2},
		{Participant: "ben", Question: "1.1", Answer: "b1", Choice: 2, Outcome: "too-early", Began: opened.Add(-1)},
		{Participant: "ben", Question: "1.2", Answer: "b3", Choice: 1, Outcome: "busy"},
		{Participant: "ben", Question: "1.2", Answer: "b3", Choice: 1, Outcome: "too-late"},
	} {
		h.Sent(s)
	}
	for _, s := range []Sight{
		{Screen: "ann", Link: "socket 1", Role: "participant", Epoch: "e", Version: 1, Body: "one"},
		{Screen: "ann", Link: "socket 1", Role: "participant", Epoch: "e", Version: 3, Body: "three"},
		{Screen: "ann", Link: "socket 2", Role: "participant", Epoch: "e", Version: 2, Body: "two"}, // another instance, a moment behind
		{Screen: "ben", Link: "socket 3", Role: "participant", Epoch: "e", Version: 3, Body: "three"},
		{Screen: "host", Link: "socket 4", Role: "host", Epoch: "e", Version: 3, Body: "more"},
		{Screen: "host", Link: "socket 4", Role: "host", Epoch: "restored", Version: 1, Body: "one"},
	} {
		h.Saw(s)
	}
	return h, Stored{
		Participants: []Participant{{ID: "ann", Points: 2, Rank: 1}, {ID: "ben", Points: 0, Rank: 2}, {ID: "cid", Points: 0, Rank: 2}},
		Questions: []Question{
			{ID: "1.1", Status: "revealed", OpensAt: opened, ClosesAt: opened.Add(10 * time.Second), Correct: 1, Points: 2},
			{ID: "1.2", Status: "closed", OpensAt: opened.Add(time.Minute), ClosesAt: opened.Add(70 * time.Second), Correct: 1, Points: 2},
		},
		Answers: []Answer{
			{Participant: "ann", Question: "1.1", ID: "a1", Choice: 1, AnsweredAt: opened, Points: new(float64(2))},
			{Participant: "ben", Question: "1.1", ID: "b1", Choice: 2, AnsweredAt: opened.Add(10 * time.Second), Points: new(float64(0))},
		},
	}
}

func TestAnHonestEveningHasNoViolations(t *testing.T) {
	h, stored := honest()
	if found := h.Check(stored, grace); len(found) > 0 {
		t.Errorf("found %q", found)
	}
	if got := h.Outcomes(); got["accepted"] != 2 || got[""] != 1 || h.Sights() != 6 {
		t.Errorf("counted %v and %d sights", got, h.Sights())
	}
}

func TestViolationsAreFound(t *testing.T) {
	told := func(s Sending) func(*History, *Stored) { return func(h *History, _ *Stored) { h.Sent(s) } }
	saw := func(s Sight) func(*History, *Stored) { return func(h *History, _ *Stored) { h.Saw(s) } }
	for name, test := range map[string]struct {
		breaks func(*History, *Stored)
		want   string
	}{
		"an acknowledged answer is lost": {func(_ *History, s *Stored) { s.Answers = s.Answers[:1] }, "nothing is stored"},
		"another answer is stored than the acknowledged": {func(_ *History, s *Stored) { s.Answers[1].ID = "b2"; s.Answers[1].Choice = 1 },
			"told that b1 is accepted, but b2"},
		"two answers": {func(_ *History, s *Stored) { s.Answers = append(s.Answers, s.Answers[0]) }, "has two answers"},
		"an answer that nobody sent": {func(_ *History, s *Stored) {
			s.Answers = append(s.Answers, Answer{Participant: "cid", Question: "1.1", ID: "c1", AnsweredAt: opened, Points: new(float64(0))})
		}, "never sent"},
		"an answer was changed":               {func(_ *History, s *Stored) { s.Answers[0].Choice = 0 }, "never sent"},
		"stored before the question opened":   {func(_ *History, s *Stored) { s.Answers[0].AnsweredAt = opened.Add(-1) }, "was open from"},
		"stored after deadline and grace":     {func(_ *History, s *Stored) { s.Answers[0].AnsweredAt = opened.Add(11 * time.Second) }, "was open from"},
		"accepted and missing from the count": {func(_ *History, s *Stored) { s.Answers[1].Points = nil }, "not counted"},
		"marked wrongly":                      {func(_ *History, s *Stored) { s.Answers[1].Points = new(float64(2)) }, "earned 0 and was given 2"},
		"refused as too late, and stored":     {told(Sending{Participant: "ben", Question: "1.1", Answer: "b1", Choice: 2, Outcome: "too-late"}), "too-late, but b1"},
		"refused as too early when it was open": {told(Sending{Participant: "ben", Question: "1.1", Answer: "b2", Choice: 1, Outcome: "too-early", Began: opened}),
			"too early, but the question opened"},
		"told of a choice that does not count": {told(Sending{Participant: "ann", Question: "1.1", Answer: "a2", Outcome: "already-answered", Told: 3}), "the choice 3 counts"},
		"told that its own answer was before it": {told(Sending{Participant: "ann", Question: "1.1", Answer: "a1", Choice: 1, Outcome: "already-answered", Told: 1}),
			"the choice 1 counts"},
		"an outcome that should not be": {told(Sending{Participant: "ann", Question: "1.1", Answer: "a2", Outcome: "invalid"}), `"invalid"`},
		"points that are no sum":        {func(_ *History, s *Stored) { s.Participants[1].Points = 1 }, "ben has 1 points"},
		"a wrong rank":                  {func(_ *History, s *Stored) { s.Participants[2].Rank = 3 }, "cid is on rank 3"},
		"a version goes back":           {saw(Sight{Screen: "ann", Link: "socket 1", Role: "participant", Epoch: "e", Version: 2, Body: "two"}), "went back from version 3 to 2"},
		"a version looks different":     {saw(Sight{Screen: "ben", Link: "socket 5", Role: "participant", Epoch: "e", Version: 2, Body: "zwei"}), "2 different forms"},
	} {
		t.Run(name, func(t *testing.T) {
			h, stored := honest()
			test.breaks(h, &stored)
			found := h.Check(stored, grace)
			if len(found) == 0 || !strings.Contains(strings.Join(found, "\n"), test.want) {
				t.Errorf("found %q", found)
			}
		})
	}
}
