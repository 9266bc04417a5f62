package web

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"pubquiz/account"
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

	answer   http.Header        // of the answer
	decided  []ratelimit.Name   // the limits that let the request pass
	tightest ratelimit.Decision // of their budgets, the one that leaves least
}

func (r *request) param(name string) string { return chi.URLParam(r.Request, name) }

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
		return &problem{Status: http.StatusUnsupportedMediaType, Slug: "not-json", Title: "Not JSON",
			Detail: "Send the body as application/json."}
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit))
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
	p := &problem{Status: http.StatusBadRequest, Slug: "malformed", Title: "The request cannot be read", cause: err}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problem{Status: http.StatusRequestEntityTooLarge, Slug: "too-large", Title: "Too large",
			Detail: "The request is larger than " + bytesInWords(tooLarge.Limit) + "."}
	}
	switch wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err); {
	case ok:
		p.Field, p.Detail = wrongType.Field, fieldInWords(wrongType.Field)+" is not "+kindInWords(wrongType.Type.Kind())+"."
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		p.Field = strings.Trim(strings.TrimPrefix(err.Error(), "json: unknown field "), `"`)
		p.Detail = "There is no field called " + p.Field + " here."
	default:
		p.Detail = "The body is not the JSON that is expected here: " + err.Error() + "."
	}
	return p
}

func fieldInWords(name string) string {
	if name == "" {
		return "The body"
	}
	return "The field " + name
}

// kindInWords is what is expected, without our names for it.
func kindInWords(k reflect.Kind) string {
	switch {
	case k == reflect.String:
		return "text"
	case k == reflect.Bool:
		return "true or false"
	case k >= reflect.Int && k <= reflect.Uintptr:
		return "a whole number, or too large a one"
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number"
	case k == reflect.Slice || k == reflect.Array:
		return "a list"
	}
	return "an object"
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
