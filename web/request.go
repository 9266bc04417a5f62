package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/account"
	"pubquiz/internal/requestid"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// request is an HTTP request with what has been verified about it: which of the identities is set depends on the
// route's access.
type request struct {
	*http.Request
	client netip.Addr         // the client's address, from the peer or a trusted proxy
	user   account.User       // host, driver, owner
	driven session.Viewer     // driver, owner
	seat   session.Seat       // participant
	screen session.ScreenSeat // screen

	standing standing
	venue    session.Venue // entering
	session  session.ID    // which the request is for; 0 where that is not certain

	scope   requestid.Scope
	ctx     context.Context    // scope, and the request's span if it has one
	span    trace.Span         // nil while nothing is traced
	enough  context.CancelFunc // ends the time that it may take; nil where that is not bounded
	began   time.Time
	sent    sent
	idField [1]string // of the answer

	answer   http.Header        // of the answer
	decided  []ratelimit.Name   // the limits that let the request pass
	tightest ratelimit.Decision // of their budgets, the one that leaves least
}

func (r *request) param(name string) string { return chi.URLParam(r.Request, name) }

// number reads a number in the path.
func (r *request) number(name string) (int64, error) { return strconv.ParseInt(r.param(name), 10, 64) }

// device is the browser that a request came from.
func (r *request) device() account.Device {
	return account.Device{Address: r.client, Agent: r.UserAgent()}
}

func (r *request) ownerID() quiz.OwnerID { return quiz.OwnerID(r.user.ID) }

// mustBeLimited fails unless the limit has decided about this request. Handlers for which a missing limit would be an
// outage or a breach call it, so that a route mounted without its limit refuses to work.
func (r *request) mustBeLimited(by ratelimit.Limit) error {
	if !slices.Contains(r.decided, by.Name) {
		return errors.New("the limit " + string(by.Name) + " has not decided about " + r.URL.Path)
	}
	return nil
}

const (
	smallBody   = 4 << 10
	commandBody = 64 << 10 // one that shuts out two thousand participants
	quizBody    = 4 << 20  // a quiz of 1,000 questions, each as long as may be
)

// readJSON decodes a body of at most limit bytes into dst. Unknown members and trailing data are refused: they are
// mistakes that would otherwise go unnoticed.
func readJSON(w http.ResponseWriter, r *request, limit int64, dst any) error {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) != "application/json" {
		return &problem{Status: http.StatusUnsupportedMediaType, Slug: "not-json", Title: words.T("Not JSON"),
			Detail: words.T("Send the body as application/json.")}
	}
	decoder := json.NewDecoder(http.MaxBytesReader(bare(w), r.Body, limit))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(dst)
	if err == nil {
		if _, err = decoder.Token(); err == io.EOF {
			return nil
		}
		err = errors.New("there is something after the JSON value")
	}
	return bodyProblem(err)
}

// bodyProblem says what is wrong with a body that could not be decoded, naming the field where it can.
func bodyProblem(err error) error {
	if errors.Is(err, errTransfers) {
		return err
	}
	p := &problem{Status: http.StatusBadRequest, Slug: "malformed", Title: words.T("The request cannot be read"), cause: err}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problem{Status: http.StatusRequestEntityTooLarge, Slug: "too-large", Title: words.T("Too large"),
			Detail: words.T("The request is larger than {most}.", "most", bytesInWords(tooLarge.Limit))}
	}
	switch wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err); {
	case ok:
		p.Field, p.Detail = wrongType.Field, words.T("The field {field} is not {kind}.", "field", wrongType.Field, "kind", kindInWords(wrongType.Type.Kind()))
		if wrongType.Field == "" {
			p.Detail = words.T("The body is not {kind}.", "kind", kindInWords(wrongType.Type.Kind()))
		}
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		p.Field = strings.Trim(strings.TrimPrefix(err.Error(), "json: unknown field "), `"`)
		p.Detail = words.T("There is no field called {field} here.", "field", p.Field)
	default:
		p.Detail = words.T("The body is not the JSON that is expected here: {error}.", "error", err.Error())
	}
	return p
}

// kindInWords is what is expected, without our names for it.
func kindInWords(k reflect.Kind) words.Text {
	switch {
	case k == reflect.String:
		return words.T("text")
	case k == reflect.Bool:
		return words.T("true or false")
	case k >= reflect.Int && k <= reflect.Uintptr:
		return words.T("a whole number, or too large a one")
	case k == reflect.Float32 || k == reflect.Float64:
		return words.T("a number")
	case k == reflect.Slice || k == reflect.Array:
		return words.T("a list")
	}
	return words.T("an object")
}

func bytesInWords(n int64) string {
	if n >= 1<<20 {
		return itoa(n>>20) + " MB"
	}
	return itoa(n>>10) + " kB"
}

// writeJSON sends v with the status.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away needs no answer
	return nil
}
