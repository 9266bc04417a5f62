package web

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
)

const (
	mediaStall  = 15 * time.Second // how long an upload or a download may stand still
	uploadLimit = 10 * time.Minute // how long a whole upload may take: 50 MB over a poor line

	uploadPatience = 30 * time.Second // beyond the time that an upload may take at uploadPace
	uploadPace     = 16 << 10         // bytes a second
)

// addMedia stores the picture, sound or film that is the body, and tells its id.
func (s *Server) addMedia(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.HostEdit); err != nil {
		return err
	}
	end, err := s.files.receive(r)
	if err != nil {
		return err
	}
	defer end()
	control := http.NewResponseController(w)
	body := &steady{from: r.Body, began: time.Now(), extend: control.SetReadDeadline}
	stored, err := s.media.Add(r.Context(), r.ownerID(), body)
	if _, refused := errors.AsType[quiz.Problem](err); refused {
		// A browser that is still sending hears nothing; so what it sends is taken, as far as a file may be long, before it is told.
		_, _ = io.CopyN(io.Discard, body, quiz.MaxVideo)
	}
	if failed := control.SetWriteDeadline(time.Now().Add(mediaStall)); failed != nil { // err says what became of the file
		return failed
	}
	switch {
	case errors.Is(err, errTransfers):
		return err
	case body.failed != nil && errors.Is(err, body.failed):
		return &problem{Status: http.StatusBadRequest, Slug: "interrupted", Title: words.T("Interrupted"), cause: err,
			Detail: words.T("The file did not arrive whole. Check the network and send it again.")}
	case err != nil:
		return err
	}
	return writeJSON(w, http.StatusCreated, stored)
}

// readMedia sends a picture, sound or film, or a part of it. Its id is made of its content, so browsers keep it for good.
func (s *Server) readMedia(w http.ResponseWriter, r *request) error {
	file, err := s.media.Open(r.Context(), r.param("media"))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", file.Type)
	h.Set("Content-Disposition", "inline")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox") // whatever is in it, it is nothing that runs here
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", strconv.Quote(file.ID))
	control := http.NewResponseController(w)
	http.ServeContent(&steadyWriter{w, control.SetWriteDeadline}, r.Request, "", time.Time{}, file)
	return nil
}

// steady reads a body for as long as something keeps coming, and not too slowly: whoever sends a byte now and then would hold its place for as long as a film may take.
type steady struct {
	from   io.Reader
	began  time.Time
	taken  int64
	extend func(time.Time) error
	failed error // what the body ended with, if not its end
}

func (b *steady) Read(p []byte) (int, error) {
	most := min(uploadLimit, uploadPatience+time.Duration(b.taken)*time.Second/uploadPace)
	deadline := b.began.Add(min(most, time.Since(b.began)+mediaStall))
	if err := b.extend(deadline); err != nil {
		return 0, err
	}
	n, err := b.from.Read(p)
	b.taken += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

// steadyWriter lets a long download go on for as long as somebody takes it.
type steadyWriter struct {
	http.ResponseWriter
	extend func(time.Time) error
}

func (b *steadyWriter) Write(p []byte) (int, error) {
	if err := b.extend(time.Now().Add(mediaStall)); err != nil {
		return 0, err
	}
	return b.ResponseWriter.Write(p)
}

// inSomeEvening is the standing of a browser that has a token for any session or is a host's: pictures belong to no
// session's address, but a room full of phones that load one at once is not strangers.
func (s *Server) inSomeEvening(r *request) standing {
	if s.hostToken(r) != "" {
		return signedIn
	}
	for _, cookie := range r.Cookies() {
		phone, bigScreen := s.cookieName(participantCookie("")), s.cookieName(screenCookie(""))
		if (strings.HasPrefix(cookie.Name, phone) || strings.HasPrefix(cookie.Name, bigScreen)) && s.sits(r, cookie.Value) {
			return seated
		}
	}
	return stranger
}
