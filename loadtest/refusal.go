package loadtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strconv"
	"time"
)

// refusal is a reply that is not what was asked for.
type refusal struct {
	kind   kind
	status int
	header http.Header

	Type       string  `json:"type"`
	Detail     string  `json:"detail"`
	Suggestion string  `json:"suggestion"`
	Limiter    string  `json:"limiter"`
	RetryAfter float64 `json:"retryAfter"`
}

func newRefusal(k kind, r response) *refusal {
	f := &refusal{kind: k, status: r.status, header: r.header}
	if t, _, _ := mime.ParseMediaType(r.header.Get("Content-Type")); t == "application/problem+json" {
		// A broken problem is still a refusal with a status.
		_ = json.Unmarshal(r.body, f)
	}
	return f
}

func (f *refusal) Error() string {
	s := fmt.Sprintf("%s: %d %s", f.kind, f.status, http.StatusText(f.status))
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// code is the problem's short name, such as name-taken; empty where the reply was no problem.
func (f *refusal) code() string {
	if f.Type == "" {
		return ""
	}
	return path.Base(f.Type)
}

// limiter names who refused. Pages do not say it, so there the kind of request must do.
func (f *refusal) limiter() string {
	if f.Limiter != "" {
		return f.Limiter
	}
	return string(f.kind)
}

// wait is what the server asks for, in the body or the header; zero if nothing.
func (f *refusal) wait() time.Duration {
	if f.RetryAfter > 0 {
		return seconds(f.RetryAfter)
	}
	s, err := strconv.Atoi(f.header.Get("Retry-After"))
	if err != nil || s < 0 {
		return 0
	}
	return time.Duration(s) * time.Second
}

// pause is how long to wait before the n-th retry, counted from 0, of what failed with err. It is false where trying
// again is no use.
func (d *dice) pause(n int, err error) (time.Duration, bool) {
	refused, ok := errors.AsType[*refusal](err)
	switch {
	case errors.Is(err, errShutOut):
		return 0, false
	case !ok || refused.status >= 500 && refused.status != http.StatusServiceUnavailable:
		return d.backoff(n), true
	case refused.status == http.StatusTooManyRequests || refused.status == http.StatusServiceUnavailable:
		return d.afterRefusal(n, refused.wait()), true
	default:
		return 0, false
	}
}

// sleep waits unless ctx ends first, which it reports as false.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
