package web

import (
	"encoding/json"
	"hash/maphash"
	"net/http"
	"strconv"
	"time"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

const (
	pollEvery     = 10 * time.Second
	pollEveryOpen = 5 * time.Second // while a question takes answers
)

// pollInterval is how long a screen should wait until its next poll: short enough to play, and so long that all who
// poll from one address use up half of its budget at most.
func pollInterval(open bool, pollers int, budget ratelimit.Limit) time.Duration {
	interval := pollEvery
	if open {
		interval = pollEveryOpen
	}
	fair := 2 * time.Duration(pollers) * budget.Window / time.Duration(budget.Budget)
	return max(interval, fair).Round(time.Second)
}

func (s *Server) pollAsParticipant(w http.ResponseWriter, r *request) error {
	viewer, err := s.sessions.AsParticipant(r.Context(), r.param("session"), r.seat)
	if err != nil {
		return err
	}
	return s.poll(w, r, viewer)
}

// etagSeed makes the part of an ETag that stands for the viewer's own part. It lasts as long as the process: after a
// restart a screen is sent once more what it has.
var etagSeed = maphash.MakeSeed()

// poll answers with all that the viewer may see, or with 304 if that is what they have.
func (s *Server) poll(w http.ResponseWriter, r *request, viewer session.Viewer) error {
	from := network(r.client)
	budget := s.limits[ratelimit.Global.Name]
	budget.Budget = max(budget.Budget, globalPerSeat*s.sessions.VenueAt(from).Capacity)
	pollers := s.sessions.PollersAt(from)
	sight, err := s.sessions.Look(r.Context(), viewer, from, 5*pollInterval(false, pollers, budget)/2)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Server-Time", itoa(s.now().UnixMilli()))
	h.Set("Poll-Interval", strconv.Itoa(int(pollInterval(sight.Open, pollers, budget)/time.Second)))
	parts := map[string]json.RawMessage{"shared": sight.Shared.Body, ownName(viewer.Role): sight.Own.Body}
	revision := maphash.Bytes(etagSeed, sight.Own.Body)
	if viewer.Role == session.RoleHost {
		if parts["room"], err = s.room(r.Context(), viewer); err != nil {
			return err
		}
		revision ^= maphash.Bytes(etagSeed, parts["room"])
	}
	own := strconv.FormatUint(revision, 36)
	etag := `"` + sight.Epoch + "-" + itoa(sight.Version) + "-" + string(viewer.Role) + "-" + own + `"`
	h.Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeJSON(w, http.StatusOK, parts)
}

// ownName is the member that holds what is not the same for everyone in the role.
func ownName(role session.Role) string {
	if role == session.RoleParticipant {
		return "personal"
	}
	return "live"
}

// answer takes an answer over HTTP: the same as over the socket, in the same words.
func (s *Server) answer(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.SubmitAnswer); err != nil {
		return err
	}
	viewer, err := s.sessions.AsParticipant(r.Context(), r.param("session"), r.seat)
	if err != nil {
		return err
	}
	var a session.Answer
	if err := readJSON(w, r, smallBody, &a); err != nil {
		return err
	}
	out := s.count(overPost, r.began, s.takeAnswer(r.Context(), viewer, a))
	if out.problem != nil {
		return out.problem
	}
	return writeJSON(w, http.StatusOK, out)
}
