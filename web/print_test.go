package web

import (
	"bytes"
	"strings"
	"testing"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// TestOrderOnPaper: what is printed in some order is so on every sheet, and no rule leads from it to the right one.
func TestOrderOnPaper(t *testing.T) {
	server := func(key byte) *Server { return &Server{keys: session.Keys{bytes.Repeat([]byte{key}, 32)}} }
	revision := int64(0)
	printed := func(s *Server, id quiz.ID, options ...string) string {
		t.Helper()
		revision++ // a sheet that was printed before something else was mended goes with the one after
		question := quiz.Question{Kind: quiz.Ordering, Options: options}
		p, err := s.onPaper(words.English, quiz.Quiz{ID: id, Revision: revision, Content: quiz.Content{Rounds: []quiz.Round{{Questions: []quiz.Question{question}}}}})
		if err != nil {
			t.Fatal(err)
		}
		var order strings.Builder
		for _, option := range p.Rounds[0].Questions[0].Options {
			order.WriteString(option.Text)
		}
		return order.String()
	}
	ours, others := server(1), server(2)
	threes, twos, differ := map[string]int{}, map[string]int{}, 0
	for id := range quiz.ID(200) {
		order := printed(ours, id, "1", "2", "3")
		if again := printed(ours, id, "1", "2", "3"); again != order {
			t.Fatalf("quiz %d is printed as %s and as %s", id, order, again)
		}
		if order != printed(others, id, "1", "2", "3") {
			differ++
		}
		threes[order]++
		twos[printed(ours, id, "1", "2")]++
	}
	if len(threes) != 5 || threes["123"] > 0 {
		t.Errorf("three are printed as %v", threes)
	}
	if twos["12"] < 50 || twos["21"] < 50 {
		t.Errorf("two are printed as %v", twos)
	}
	if differ < 100 {
		t.Errorf("only %d of 200 depend on the key", differ)
	}
}
