package web

import (
	"net/http"
	"net/url"
	"strconv"

	"pubquiz/internal/words"
	"pubquiz/session"
)

// history is one page of a host's sessions.
type history struct {
	Words        string
	Sessions     []session.Summary
	Total        int // on all pages
	Page, Pages  int
	Newer, Older string // addresses; empty at the ends
	DaysKept     int    // for which names and answers are kept after the end; 0 for ever
}

// historyPage shows a host's sessions, the newest first.
func (s *Server) historyPage(w http.ResponseWriter, r *request) error {
	asked := r.URL.Query()
	h := history{Words: asked.Get("q"), Page: 1, DaysKept: wholeDays(s.sessions.Retention())}
	if page, err := strconv.Atoi(asked.Get("page")); err == nil && page > 1 && page <= 1_000_000 {
		h.Page = page
	}
	var err error
	if h.Sessions, h.Total, err = s.sessions.History(r.Context(), r.ownerID(), h.Words, h.Page); err != nil {
		return err
	}
	h.Pages = (h.Total + session.HistoryPage - 1) / session.HistoryPage
	if h.Page > 1 {
		h.Newer = h.address(min(h.Page-1, max(h.Pages, 1)))
	}
	if h.Page < h.Pages {
		h.Older = h.address(h.Page + 1)
	}
	return s.render(w, r, http.StatusOK, "results-history.html", page{Title: words.T("Your sessions"), Data: h})
}

func (h history) address(page int) string {
	query := url.Values{}
	if h.Words != "" {
		query.Set("q", h.Words)
	}
	if page > 1 {
		query.Set("page", strconv.Itoa(page))
	}
	if len(query) == 0 {
		return "/host/sessions"
	}
	return "/host/sessions?" + query.Encode()
}
