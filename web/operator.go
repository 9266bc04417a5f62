package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"pubquiz/account"
	"pubquiz/internal/mail"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// isOperator says whether the configuration names a host as an operator. Where the host could show that the address is theirs, they must have.
func (s *Server) isOperator(user account.User) bool {
	key, err := account.EmailKey(user.Email)
	return err == nil && slices.Contains(s.operators, key) && (user.Verified || !s.accounts.SendsMail())
}

// operatorData is what the operator's page shows: this process's view of the limiters.
type operatorData struct {
	Started   time.Time
	Rooms     int
	Sockets   int
	StoreDown bool
	Outages   uint64
	Doubtful  uint64     // requests whose client a trusted proxy did not tell
	Mail      *mailState // nil where none is sent
	Limiters  []limiterRow
}

// mailState is how the sending of letters stands.
type mailState struct {
	mail.Status
	Sent, Retried uint64 // by this instance
}

type limiterRow struct {
	Limit             ratelimit.Limit
	Budget            string // "100 a minute for each address"
	Keys, MaxKeys     int
	Admitted, Refused uint64 // what shadow mode admitted is in both
	PassedOn          uint64 // beyond a share, and charged elsewhere
	Overflowed        uint64
	Store             string // where it counts
	Busiest           []ratelimit.Busy
}

const busiestShown = 5

func (s *Server) operatorPage(w http.ResponseWriter, r *request) error {
	data := operatorData{Started: s.started.UTC(), Rooms: s.sessions.Rooms()}
	for _, open := range s.sockets.count() {
		data.Sockets += open
	}
	data.StoreDown, data.Outages = s.limiters.StoreDown()
	for doubt := ratelimit.NoHeader; doubt <= ratelimit.AllTrusted; doubt++ {
		data.Doubtful += s.doubts.count(doubt)
	}
	if s.mail != nil {
		status, err := s.mail.Status(r.Context())
		if err != nil {
			return err
		}
		counts := s.mail.Counts()
		data.Mail = &mailState{status, counts.Sent, counts.Retried}
	}
	for _, stats := range s.limiters.Stats() {
		data.Limiters = append(data.Limiters, newLimiterRow(stats, s.limiters.Busiest(stats.Limit.Name, busiestShown)))
	}
	return s.render(w, r, http.StatusOK, "operator.html", page{Title: words.T("For the operator"), Data: data})
}

func newLimiterRow(stats ratelimit.Stats, busiest []ratelimit.Busy) limiterRow {
	row := limiterRow{
		Limit: stats.Limit, Budget: inWords(stats.Limit), Keys: stats.Keys, MaxKeys: stats.MaxKeys, Overflowed: stats.Overflowed, Busiest: busiest,
	}
	var places []string
	for _, d := range stats.Decisions {
		switch decisionIn(stats.Limit, d.Reason) {
		case "passed-on":
			row.PassedOn += d.Count
		case "refused":
			row.Refused += d.Count
		default:
			row.Admitted += d.Count
			if d.Reason != ratelimit.Admitted {
				row.Refused += d.Count
			}
		}
		if place := d.Place.String(); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	row.Store = strings.Join(places, ", ")
	return row
}

// inWords is a budget as one would say it.
func inWords(limit ratelimit.Limit) string {
	per := "in " + durationInWords(limit.Window)
	switch limit.Window {
	case time.Minute:
		per = "a minute"
	case time.Hour:
		per = "an hour"
	}
	whom := map[ratelimit.KeyKind]string{
		ratelimit.ByAddress: "address", ratelimit.ByParticipant: "phone or screen", ratelimit.ByUser: "host", ratelimit.ByAccount: "account",
	}[limit.Key]
	return strconv.Itoa(limit.Budget) + " " + per + " for each " + whom
}

func durationInWords(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + " hours"
	case d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + " minutes"
	default:
		return strconv.Itoa(int(d/time.Second)) + " seconds"
	}
}
