package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

const (
	requestTimeout = 8 * time.Second // as long as a phone waits for a reply
	connectTimeout = 5 * time.Second // a socket that has not opened by then is given up
	maxBody        = 16 << 20
)

// browser is one person's: its own cookies and connections, from the venue's address. It times what it asks for.
type browser struct {
	origin string
	http   http.Client
	socket websocket.Dialer
	rec    *recorder
	lane   *lane // nil unless it is a phone's
}

func newBrowser(origin string, dial dialFunc, rec *recorder) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // never: it has no options to refuse
	}
	return &browser{
		origin: origin,
		http: http.Client{
			Jar:     jar,
			Timeout: requestTimeout,
			Transport: &http.Transport{
				DialContext: dial, MaxIdleConnsPerHost: 6, IdleConnTimeout: 90 * time.Second,
			},
		},
		socket: websocket.Dialer{
			NetDialContext: dial, Jar: jar, HandshakeTimeout: connectTimeout, ReadBufferSize: 1024, WriteBufferSize: 512,
		},
		rec: rec,
	}
}

func (b *browser) close() { b.http.CloseIdleConnections() }

// response is a whole answer of the server, at the address where redirects ended.
type response struct {
	status int
	url    *url.URL
	header http.Header
	body   []byte
}

// page gets a page as a browser does.
func (b *browser) page(ctx context.Context, k kind, path string) (response, error) {
	return b.do(ctx, k, http.MethodGet, path, nil, http.Header{"Accept": {"text/html"}})
}

// submit posts a form and follows to the page that it leads to.
func (b *browser) submit(ctx context.Context, k kind, path string, form url.Values) (response, error) {
	return b.do(ctx, k, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
		"Accept": {"text/html"}, "Content-Type": {"application/x-www-form-urlencoded"},
	})
}

// call sends JSON, unless it is nil, and reads the reply into out, unless that is nil.
func (b *browser) call(ctx context.Context, k kind, method, path string, in, out any) error {
	header := http.Header{"Accept": {"application/json"}}
	var body io.Reader
	if in != nil {
		encoded, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		body = bytes.NewReader(encoded)
		header.Set("Content-Type", "application/json")
	}
	r, err := b.do(ctx, k, method, path, body, header)
	if err != nil {
		return err
	}
	return r.decode(out)
}

// decode reads JSON into out, unless that is nil. HTML with status 200, as captive portals send it, is an error.
func (r response) decode(out any) error {
	if out == nil {
		return nil
	}
	if t, _, _ := mime.ParseMediaType(r.header.Get("Content-Type")); t != "application/json" {
		return fmt.Errorf("%s: not JSON but %q", r.url.Path, t)
	}
	if err := json.Unmarshal(r.body, out); err != nil {
		return fmt.Errorf("%s: %w", r.url.Path, err)
	}
	return nil
}

// do returns a *refusal for every status from 400 on.
func (b *browser) do(ctx context.Context, k kind, method, path string, body io.Reader, header http.Header) (response, error) {
	call := method + " " + path
	req, err := http.NewRequestWithContext(ctx, method, b.origin+path, body)
	if err != nil {
		return response{}, fmt.Errorf("%s: %w", call, err)
	}
	req.Header = header
	if method != http.MethodGet {
		req.Header.Set("Origin", b.origin)
	}
	began := time.Now()
	res, err := b.http.Do(req)
	if err != nil {
		if ctx.Err() == nil {
			b.rec.failure(k)
		}
		return response{}, fmt.Errorf("%s: %w", call, err)
	}
	defer res.Body.Close()
	read, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		if ctx.Err() == nil {
			b.rec.failure(k)
		}
		return response{}, fmt.Errorf("%s: %w", call, err)
	}
	b.timed(k, time.Since(began))
	r := response{status: res.StatusCode, url: res.Request.URL, header: res.Header, body: read}
	if r.status < 400 {
		return r, nil
	}
	refused := newRefusal(k, r)
	b.refused(refused)
	return r, refused
}

// timed notes that a request got its reply.
func (b *browser) timed(k kind, took time.Duration) {
	b.rec.request(k, took)
	if b.lane != nil {
		b.rec.sample(k, took)
	}
}

// refused notes that the server refused something.
func (b *browser) refused(f *refusal) {
	b.rec.refusal(f)
	if f.status == http.StatusTooManyRequests {
		b.lane.mark(f.limiter())
	}
}
