package web

import (
	"errors"
	"net/http"
	"net/url"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/words"
)

// planData is a host's page about their plan.
type planData struct {
	User account.User
	Done words.Text // what has just been done, in words
	billing.Standing
	State    planState
	Price    words.Money // of the subscription, such as "£9.00"
	Unproved bool        // the host's address is not confirmed
}

// planState is which of the page's sentences about the plan is true.
type planState string

const (
	stateFree    planState = "free"     // and was never anything else
	stateHosted  planState = "hosted"   // somebody else pays
	stateRenews  planState = "renews"   // paid, and will be paid again
	stateEnds    planState = "ends"     // paid, and cancelled
	statePastDue planState = "past due" // the last payment failed; the plan is in force for now
	stateLapsed  planState = "lapsed"   // the last payment failed, too long ago
	stateEnded   planState = "ended"
)

// stateOf tells how things stand.
func stateOf(st billing.Standing) planState {
	switch {
	case st.HostedBy != "":
		return stateHosted
	case inForce(st) && st.PastDueUntil != nil:
		return statePastDue
	case inForce(st) && st.EndsAt != nil:
		return stateEnds
	case inForce(st):
		return stateRenews
	case st.Pays():
		return stateLapsed
	case st.Status == "canceled":
		return stateEnded
	}
	return stateFree
}

// inForce tells that the plan which the host has bought is theirs now.
func inForce(st billing.Standing) bool {
	return st.HostedBy == "" && st.Bought != "" && st.Plan.Slug == st.Bought
}

// Full tells that no other session can be opened. After a change to a smaller plan there may be more open than it allows.
func (d planData) Full() bool { return d.Live >= d.Plan.LiveSessions }

// OwnHosts tells that the plan is the host's own and has room for others.
func (d planData) OwnHosts() bool { return d.HostedBy == "" && d.Plan.Hosts > 1 }

// TakenHosts is how many of the plan's hosts there are or may soon be, the subscriber among them.
func (d planData) TakenHosts() int { return 1 + len(d.Hosts) + len(d.Invitations) }

// ownPlan is how things stand with the host; nil where nothing is sold.
func (s *Server) ownPlan(r *request) (*billing.Standing, error) {
	if s.billing == nil {
		return nil, nil
	}
	standing, err := s.billing.Standing(r.Context(), r.user.ID)
	return &standing, err
}

func (s *Server) planPage(w http.ResponseWriter, r *request) error {
	return s.showPlan(w, r, http.StatusOK, form{})
}

// showPlan shows the page, with what was wrong with a form that was sent from it.
func (s *Server) showPlan(w http.ResponseWriter, r *request, status int, f form) error {
	standing, err := s.billing.Standing(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	data := planData{User: r.user, Standing: standing, State: stateOf(standing), Unproved: s.unproved(r.user)}
	if standing.Amount > 0 {
		data.Price = billing.Money(standing.Amount, standing.Currency)
	}
	if status == http.StatusOK {
		data.Done = planDoneWords[r.URL.Query().Get("done")]
	}
	return s.render(w, r, status, "plan.html", page{Title: words.T("Your plan"), Form: f, Data: data})
}

// invoiceRow is a bill as its reader sees it.
type invoiceRow struct {
	billing.Invoice
	Amount string
	Paid   words.Text // how it stands, in words
}

// invoiceWords say how a bill stands.
var invoiceWords = map[string]words.Text{"paid": words.T("Paid"), "open": words.T("To be paid"), "void": words.T("Cancelled"), "uncollectible": words.T("Given up")}

func (s *Server) invoicesPage(w http.ResponseWriter, r *request) error {
	invoices, err := s.billing.Invoices(r.Context(), r.user.ID)
	if err != nil {
		return s.paymentsAway(w, r, err)
	}
	var rows []invoiceRow
	for _, i := range invoices {
		rows = append(rows, invoiceRow{i, s.languageOf(r).Show(billing.Money(i.Amount, i.Currency)), invoiceWords[i.Status]})
	}
	return s.render(w, r, http.StatusOK, "invoices.html", page{Title: words.T("Your invoices"), Data: rows})
}

// planDoneWords say what has just been done. The page is told which by its address, after a redirect.
var planDoneWords = map[string]words.Text{
	"invited":   words.T("The invitation is on its way."),
	"withdrawn": words.T("The invitation is taken back."),
	"removed":   words.T("That host is on their own plan again. Sessions of theirs that are open go on."),
	"accepted":  words.T("Welcome: you host on that plan now."),
	"declined":  words.T("You have turned the invitation down."),
	"left":      words.T("You are on your own plan again. Sessions of yours that are open go on."),
}

func planDone(w http.ResponseWriter, r *request, what string) error {
	http.Redirect(w, r.Request, billingPath+"?"+url.Values{"done": {what}}.Encode(), http.StatusSeeOther)
	return nil
}

// planProblems say why something about a plan's hosts was not done.
var planProblems = []struct {
	err  error
	text words.Text
}{
	{billing.ErrNoMail, words.T("This server sends no mail, so nobody can be invited. Ask whoever runs it.")},
	{billing.ErrOneHost, words.T("This plan is for one host.")},
	{billing.ErrHostsFull, words.T("The plan has all the hosts that it can have. One has to leave before another comes.")},
	{billing.ErrNoInvitation, words.T("This invitation is no longer there. Ask for a new one.")},
	{billing.ErrUnconfirmed, words.T("Confirm your e-mail address first: the invitation is for whoever reads mail there.")},
	{billing.ErrSubscribed, words.T("You pay for a plan of your own. Cancel it first, so that you don’t pay for nothing.")},
	{billing.ErrHosted, words.T("You host on another’s plan already. Leave that one first.")},
}

// planAgain shows the page with what stands in the way, and passes on what is nobody's to mend.
func (s *Server) planAgain(w http.ResponseWriter, r *request, in url.Values, err error) error {
	if wrong, ok := errors.AsType[*billing.InvalidError](err); ok {
		return s.showPlan(w, r, http.StatusUnprocessableEntity, form{
			Values: map[string]string{"email": in.Get("email")}, Errors: map[string]words.Text{wrong.Field: wrong.Detail},
		})
	}
	for _, p := range planProblems {
		if errors.Is(err, p.err) {
			return s.showPlan(w, r, http.StatusConflict, form{Values: map[string]string{"email": in.Get("email")}, Errors: map[string]words.Text{"": p.text}})
		}
	}
	return err
}
