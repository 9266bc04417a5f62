package loadtest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
)

// The pauses of a quizmaster. After a reveal there is talk, for long enough that a phone that polls reads it too.
const (
	introduction = 3 * time.Second
	settling     = 2 * time.Second // after a launch, before looking at the count of answers
	breath       = time.Second
	talk         = pollInterval + pollJitter + time.Second
	noticed      = 5 * time.Second // a command's effect shows on the console by then, or is fetched
	standingsGap = 3               // questions from one look at the standings to the next
)

// drive takes the session from the lobby to the podium.
func (h *host) drive(ctx context.Context) error {
	asked := 0
	for {
		s, err := h.await(ctx, requestTimeout, func(*snapshot, live) bool { return true })
		if err != nil {
			return err
		}
		switch s.Phase {
		case "lobby":
			err = h.step(ctx, s, "next", breath)
		case "round":
			err = h.step(ctx, s, "launch", introduction)
		case "open":
			err = h.closeWhenAnswered(ctx, s)
		case "closed":
			asked++
			if s, err = h.decide(ctx, s); err == nil {
				err = h.step(ctx, s, afterClose(s), breath)
			}
		case "revealed":
			if s, err = h.decide(ctx, s); err == nil {
				err = h.step(ctx, s, afterReveal(s, asked), talk)
			}
		case "standings":
			err = h.step(ctx, s, onward(s), talk)
		case "finished":
			return nil
		default:
			return errors.New("the session is in an unknown phase: " + s.Phase)
		}
		if err != nil {
			return err
		}
	}
}

// afterClose is the reveal, but for a question of a round that is revealed at its end: then it is the next question.
func afterClose(s *snapshot) string {
	if s.offers("launch") {
		return "launch"
	}
	return "reveal"
}

// afterReveal is the step after a question, of which so many were asked: the next reveal of a round that is revealed at its end,
// standings now and then, and before the podium.
func afterReveal(s *snapshot, asked int) string {
	if s.offers("reveal") {
		return "reveal"
	}
	forward := onward(s)
	if (asked%standingsGap == 0 || forward == "finish") && s.offers("showStandings") {
		return "showStandings"
	}
	return forward
}

// onward is the step to the next question or round, or to the end where there is none.
func onward(s *snapshot) string {
	for _, command := range []string{"launch", "next"} {
		if s.offers(command) {
			return command
		}
	}
	return "finish"
}

// closeWhenAnswered closes the question once everybody has answered. The clock may be first.
func (h *host) closeWhenAnswered(ctx context.Context, s *snapshot) error {
	if !sleep(ctx, h.pause(settling)) {
		return context.Cause(ctx)
	}
	s, err := h.holdTheClock(ctx, s)
	if err != nil || s.Phase != "open" {
		return err
	}
	whole := time.Duration(h.venue.plan.Seconds)*time.Second + requestTimeout
	now, err := h.await(ctx, whole, func(now *snapshot, l live) bool {
		h.venue.progress.Answered(h.venue.number, h.venue.questionNumber(s.Question), l.Answered)
		return now.Version != s.Version || l.Joined > 0 && l.Answered >= l.Joined
	})
	if err != nil {
		return err
	}
	if now.Phase != "open" {
		return nil
	}
	return h.step(ctx, now, "close", breath)
}

// step gives a command after a pause, and waits until the console shows its effect. Where the session has gone on
// meanwhile, it does nothing: the console shows the new state.
func (h *host) step(ctx context.Context, s *snapshot, command string, pause time.Duration) error {
	if !sleep(ctx, h.pause(pause)) {
		return context.Cause(ctx)
	}
	if err := h.command(ctx, s, map[string]any{"command": command}); err != nil {
		return err
	}
	return h.awaitChange(ctx, s)
}

// pause is how long this quizmaster makes a pause.
func (h *host) pause(usual time.Duration) time.Duration {
	if h.venue.plan.Talk > 0 {
		return min(usual, h.venue.plan.Talk)
	}
	return usual
}

// command sends a command that is meant for what the console shows. If the session has gone on meanwhile, nothing happens.
func (h *host) command(ctx context.Context, s *snapshot, c map[string]any) error {
	c["version"] = s.Version
	err := h.insist(ctx, func() error {
		if c["command"] == "launch" && s.UpNext != nil {
			h.venue.launched(s.UpNext.ID, time.Now())
		}
		return h.browser.call(ctx, hostCommand, http.MethodPost, h.venue.apiPath("commands"), c, nil)
	})
	if refused, ok := errors.AsType[*refusal](err); ok && slices.Contains([]string{"stale-version", "not-now", "time-is-up"}, refused.code()) {
		h.link.pollSoon(0)
		return nil
	}
	return err
}

// awaitChange returns once the console shows another version, or after a while without.
func (h *host) awaitChange(ctx context.Context, s *snapshot) error {
	changed := func(now *snapshot, _ live) bool { return now.Version != s.Version }
	if now, err := h.await(ctx, noticed, changed); err != nil || now.Version != s.Version {
		return err
	}
	h.link.pollSoon(0)
	_, err := h.await(ctx, noticed, changed)
	return err
}
