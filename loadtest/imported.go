package loadtest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
)

// importQuiz has the server read the plan's files and puts what is in them together, as the import page does.
func (h *host) importQuiz(ctx context.Context) (map[string]any, error) {
	var rounds []any
	questions := 0
	for _, file := range h.venue.plan.Files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var read struct {
			Content struct {
				Rounds []map[string]any `json:"rounds"`
			} `json:"content"`
		}
		err = h.insist(ctx, func() error {
			r, err := h.browser.do(ctx, hostPage, http.MethodPost, "/api/v1/imports?name="+url.QueryEscape(filepath.Base(file)), bytes.NewReader(data),
				http.Header{"Accept": {"application/json"}, "Content-Type": {"application/octet-stream"}})
			if err != nil {
				return err
			}
			return r.decode(&read)
		})
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", file, err)
		}
		for _, round := range read.Content.Rounds {
			asked, _ := round["questions"].([]any)
			for _, q := range asked {
				if q, ok := q.(map[string]any); ok && q["kind"] != slide {
					q["seconds"] = h.venue.plan.Seconds
				}
			}
			questions += len(asked)
			rounds = append(rounds, round)
		}
	}
	if questions != h.venue.plan.Questions {
		return nil, fmt.Errorf("the files have %d questions, want %d", questions, h.venue.plan.Questions)
	}
	return map[string]any{"title": fmt.Sprintf("A big quiz in venue %d", h.venue.number+1), "rounds": rounds}, nil
}
