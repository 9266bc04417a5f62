package loadtest

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// powers is how far a host who tries everything has come.
type powers struct {
	heldClock bool
	decisions int
	voided    string // a question that is to count again
}

// holdTheClock pauses the first question, goes on, and gives it five seconds more. It returns what the console shows then.
func (h *host) holdTheClock(ctx context.Context, s *snapshot) (*snapshot, error) {
	if h.venue.plan.Quiz == Plain || h.powers.heldClock {
		return s, nil
	}
	h.powers.heldClock = true
	for _, c := range []map[string]any{{"command": "pause"}, {"command": "resume"}, {"command": "extend", "seconds": 5}} {
		name, _ := c["command"].(string)
		now, err := h.await(ctx, requestTimeout, func(now *snapshot, _ live) bool { return now.Phase != "open" || now.offers(name) })
		if err != nil || now.Phase != "open" {
			return now, err
		}
		if s, err = h.give(ctx, now, c); err != nil {
			return s, err
		}
	}
	return s, nil
}

// give gives a command and returns what the console shows once it has had its effect.
func (h *host) give(ctx context.Context, s *snapshot, c map[string]any) (*snapshot, error) {
	if err := h.command(ctx, s, c); err != nil {
		return s, err
	}
	if err := h.awaitChange(ctx, s); err != nil {
		return s, err
	}
	return h.await(ctx, requestTimeout, func(*snapshot, live) bool { return true })
}

// verdicts are what a host may decide about a group of typed answers; the last takes it back.
var verdicts = []string{"right", "half", "wrong", "machine"}

// decide uses the powers that change what was earned: it decides about typed answers, has a question count for nobody and then again,
// and gives and takes points. It returns what the console shows then.
func (h *host) decide(ctx context.Context, s *snapshot) (*snapshot, error) {
	if h.venue.plan.Quiz == Plain {
		return s, nil
	}
	h.powers.decisions++
	changed, err := h.mark(ctx, s)
	if err != nil {
		return s, err
	}
	if changed {
		if err := h.awaitChange(ctx, s); err != nil {
			return s, err
		}
	}
	now, err := h.await(ctx, requestTimeout, func(*snapshot, live) bool { return true })
	if err != nil {
		return s, err
	}
	switch {
	case h.powers.decisions%4 == 1 && now.Question != nil:
		h.powers.voided = now.Question.ID
		return h.give(ctx, now, map[string]any{"command": "void", "question": now.Question.ID})
	case h.powers.decisions%4 == 2 && h.powers.voided != "" && h.powers.decisions%8 != 2:
		return h.give(ctx, now, map[string]any{"command": "unvoid", "question": h.powers.voided})
	case h.powers.decisions%3 == 0:
		return h.adjust(ctx, now)
	default:
		return now, nil
	}
}

func (h *host) adjust(ctx context.Context, s *snapshot) (*snapshot, error) {
	h.mu.Lock()
	participants := h.live.Participants
	h.mu.Unlock()
	if len(participants) == 0 {
		return s, nil
	}
	points := leastPoints * float64(h.dice.below(7)-3)
	if points == 0 {
		points = leastPoints
	}
	return h.give(ctx, s, map[string]any{
		"command": "adjust", "participant": participants[h.dice.below(len(participants))].ID, "points": points, "reason": "For the best song of the evening",
	})
}

// mark decides about one group of typed answers to each question of the round, each time another way.
func (h *host) mark(ctx context.Context, s *snapshot) (changed bool, err error) {
	if s.Round == nil {
		return false, nil
	}
	var sheet struct {
		Questions []struct {
			ID     string `json:"id"`
			Groups []struct {
				Key string `json:"key"`
			} `json:"groups"`
		} `json:"questions"`
	}
	path := h.venue.apiPath("marking?round=" + url.QueryEscape(strconv.Itoa(s.Round.Number)))
	if err := h.insist(ctx, func() error { return h.browser.call(ctx, marking, http.MethodGet, path, nil, &sheet) }); err != nil {
		return false, err
	}
	for _, q := range sheet.Questions {
		if len(q.Groups) == 0 {
			continue
		}
		decision := map[string]any{"question": q.ID, "group": q.Groups[h.dice.below(len(q.Groups))].Key, "verdict": verdicts[h.dice.below(len(verdicts))]}
		if err := h.insist(ctx, func() error {
			return h.browser.call(ctx, marking, http.MethodPost, h.venue.apiPath("markings"), decision, nil)
		}); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// lastWord changes what was earned once more, after the end, and returns the final standings.
func (h *host) lastWord(ctx context.Context) ([]standing, error) {
	s, err := h.await(ctx, requestTimeout, func(s *snapshot, _ live) bool { return s.Phase == "finished" })
	if err != nil || h.venue.plan.Quiz == Plain {
		return nil, err
	}
	if s, err = h.adjust(ctx, s); err != nil {
		return nil, err
	}
	return s.Standings, nil
}
