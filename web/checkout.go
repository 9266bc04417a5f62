package web

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"pubquiz/billing"
	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

// A host's page about their plan, and those to which Stripe sends people back.
const (
	billingPath   = "/" + billing.BackPath
	thanksPath    = "/" + billing.ThanksPath
	cancelledPath = "/" + billing.CancelledPath
)

// checkout leads to the page at Stripe on which a plan is paid for. What it costs is for the configuration to say, never for the form.
func (s *Server) checkout(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.StripeCheckout); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if s.unproved(r.user) {
		return s.note(w, r, http.StatusConflict, words.T("Confirm your address first"), noteData{
			Lead: words.T("Until your e-mail address is confirmed, a session has 30 places whatever the plan, so you would pay for nothing."),
			Then: words.T("Your account’s page sends you the letter. Then come back to the plans."), Link: accountPath, Label: words.T("To your account"),
		})
	}
	address, err := s.billing.Checkout(r.Context(), r.user.ID, billing.Slug(in.Get("plan")), billing.Interval(in.Get("interval")))
	switch {
	case errors.Is(err, billing.ErrSubscribed):
		return s.note(w, r, http.StatusConflict, words.T("You have a plan already"), noteData{
			Lead: words.T("Nobody needs two. Your plan’s page leads to where you change to a larger or smaller one, or cancel."), Link: billingPath, Label: words.T("To your plan"),
		})
	case errors.Is(err, billing.ErrHosted):
		return s.note(w, r, http.StatusConflict, words.T("You are on somebody else’s plan"), noteData{
			Lead: words.T("While you host on another’s plan there is nothing for you to pay. Leave it first if you would rather have your own."), Link: billingPath, Label: words.T("To your plan"),
		})
	case err != nil:
		return s.paymentsAway(w, r, err)
	}
	return s.leadOn(w, r, leadsOnData{Label: "Stripe", Address: address, Back: pricingPath,
		Lead: words.T("Stripe takes the payment. We never see your card, and you can still turn back there.")})
}

// portal leads to the page at Stripe on which a plan is changed or cancelled.
func (s *Server) portal(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.StripeCheckout); err != nil {
		return err
	}
	address, err := s.billing.Portal(r.Context(), r.user.ID)
	if errors.Is(err, billing.ErrNoCustomer) {
		return s.note(w, r, http.StatusConflict, words.T("Nothing to change yet"), noteData{Lead: words.T("You have paid for no plan so far."), Link: pricingPath, Label: words.T("See the plans")})
	}
	if err != nil {
		return s.paymentsAway(w, r, err)
	}
	return s.leadOn(w, r, leadsOnData{Label: "Stripe", Address: address, Back: billingPath, Lead: words.T("There you change your plan, your card or your address, or cancel. Then you are back here.")})
}

// paymentsAway says that Stripe does not answer, and passes every other error on.
func (s *Server) paymentsAway(w http.ResponseWriter, r *request, err error) error {
	if !errors.Is(err, billing.ErrUnavailable) {
		return err
	}
	s.log.WarnContext(r.Context(), "Stripe could not be asked", "error", err)
	w.Header().Set("Retry-After", "60")
	return s.note(w, r, http.StatusServiceUnavailable, words.T("Payments are having a moment"), noteData{
		Lead: words.T("Stripe, which takes the payments, does not answer. Nothing was charged, and your plan is as it was. Try again in a few minutes."),
		Then: words.T("Sessions and everything else go on as usual."), Link: billingPath, Label: words.T("To your plan"),
	})
}

// Whoever comes back from paying waits here until Stripe's own message has arrived, which is what counts.
const (
	thanksEvery = 3  // seconds between two looks
	thanksLooks = 20 // so a minute
)

type thanksData struct {
	Plan    billing.Plan // that is in force; the free one while nothing has arrived
	Waiting bool
	Late    bool // a minute has passed
}

// thanksPage says that the plan is there, or looks again by itself. It grants nothing: anybody can open it.
func (s *Server) thanksPage(w http.ResponseWriter, r *request) error {
	standing, err := s.billing.Standing(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	data := thanksData{Plan: standing.Plan, Waiting: !inForce(standing)}
	title := words.T("Thank you")
	if data.Waiting {
		title = words.T("Just a moment")
		looked, _ := strconv.Atoi(r.URL.Query().Get("look")) // what is no number is the first look
		data.Late = looked >= thanksLooks
		if !data.Late {
			w.Header().Set("Refresh", strconv.Itoa(thanksEvery)+";url="+thanksPath+"?look="+strconv.Itoa(max(looked, 0)+1))
		}
	}
	return s.render(w, r, http.StatusOK, "thanks.html", page{Title: title, Data: data})
}

func (s *Server) cancelledPage(w http.ResponseWriter, r *request) error {
	return s.note(w, r, http.StatusOK, words.T("Nothing was charged"), noteData{
		Lead: words.T("You came back without paying, so your plan is as it was."), Then: words.T("If something about the payment did not work, another card often does."),
		Link: pricingPath, Label: words.T("Back to the plans"),
	})
}

// eventBody is the longest event that is read.
const eventBody = 64 << 10

// receiveEvent takes what Stripe tells. The body is read as it is: the signature is over its very bytes. Whatever fails but the signature is answered as a failure, so that Stripe sends the event again.
func (s *Server) receiveEvent(w http.ResponseWriter, r *request) error {
	body, err := io.ReadAll(http.MaxBytesReader(bare(w), r.Body, eventBody))
	if err != nil {
		return bodyProblem(err)
	}
	err = s.billing.Receive(r.Context(), body, r.Header.Get("Stripe-Signature"))
	if errors.Is(err, billing.ErrSignature) {
		return &problem{Status: http.StatusBadRequest, Slug: "signature", Title: words.T("Not signed"), Detail: words.T("The event’s signature is not right, or not of now."), cause: err}
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]bool{"received": true})
}
