package web

import (
	"net/http"

	"pubquiz/ratelimit"
)

// access says whose request a route is for, and therefore which identity is verified before its handler runs.
type access uint8

const (
	anyone      access = iota
	participant        // a participant's signed token for the session in the path
	screen             // a big screen's signed token for the session in the path
	host               // a signed-in host
	driver             // a signed-in host who drives the session in the path: its owner, or one of its co-hosts
	owner              // a signed-in host who owns the session in the path
	operator           // a signed-in host whom the configuration names
)

// byHost says whether it takes a signed-in host.
func (a access) byHost() bool { return a == host || a == driver || a == owner || a == operator }

// route is one line of the site's map.
type route struct {
	method  string
	pattern string
	access  access
	limit   ratelimit.Limit // zero: see reason
	reason  string          // why no limit but the global one guards it
	anySeat bool            // whoever has a token for any session counts as seated, and is charged for seatLoad
	inBody  bool            // the handler charges limit, together with another whose key is in the body
	exempt  bool            // not even the global one does; reason says why
	long    bool            // it may take as long as its connection: large bodies go over it
	socket  bool            // a WebSocket, to which a refusal is told by a close code
	handle  func(w http.ResponseWriter, r *request) error
}

// routes is every address of the product with the limit that guards it. Before a limit is chosen, ask who is hurt when
// it trips (ratelimit/limits.go).
func (s *Server) routes() []route {
	const get, post, put = http.MethodGet, http.MethodPost, http.MethodPut
	return []route{
		// Phones
		{method: get, pattern: "/", limit: ratelimit.PlayerPageLoad, handle: s.home},
		{method: get, pattern: "/j", limit: ratelimit.PlayerPageLoad, handle: s.typedCode},
		{method: get, pattern: "/j/{code}", limit: ratelimit.PlayerPageLoad, handle: s.joinPage},
		{method: get, pattern: "/j/{code}/qr.svg", reason: "drawn from the address alone, and cached", handle: s.joinQR},
		{method: post, pattern: "/api/v1/join/{code}", limit: ratelimit.JoinSession, handle: s.join},
		{method: post, pattern: "/api/v1/rejoin/{code}", limit: ratelimit.JoinSession, handle: s.rejoin},
		{method: get, pattern: "/play/{session}", limit: ratelimit.PlayerPageLoad, handle: s.playPage},
		{method: get, pattern: "/api/v1/sessions/{session}/participant", access: participant, limit: ratelimit.SessionPoll, handle: s.pollAsParticipant},
		{method: get, pattern: "/api/v1/sessions/{session}/participant/socket", access: participant, limit: ratelimit.SocketOpen, socket: true, handle: s.participantSocket},
		{method: post, pattern: "/api/v1/sessions/{session}/answers", access: participant, limit: ratelimit.SubmitAnswer, handle: s.answer},
		{method: post, pattern: "/api/v1/sessions/{session}/joker", access: participant, limit: ratelimit.ParticipantAction, handle: s.playJoker},
		{method: post, pattern: "/api/v1/sessions/{session}/team-code", access: participant, limit: ratelimit.ParticipantAction, handle: s.issueTeamCode},

		// The big screen
		{method: get, pattern: "/screen/{session}", limit: ratelimit.PlayerPageLoad, handle: s.screenPage},
		{method: get, pattern: "/api/v1/sessions/{session}/screen", access: screen, limit: ratelimit.SessionPoll, handle: s.pollAsScreen},
		{method: get, pattern: "/api/v1/sessions/{session}/screen/socket", access: screen, limit: ratelimit.SocketOpen, socket: true, handle: s.screenSocket},

		// Everybody
		{method: get, pattern: "/language", reason: "a form, which does nothing until it is sent", handle: s.languagePage},
		{method: post, pattern: "/language", reason: "a cookie for the sender, and one query where it is a host", handle: s.chooseLanguage},

		// The host: accounts
		{method: get, pattern: "/signup", reason: "a form, which does nothing until it is sent", handle: s.signUpPage},
		{method: post, pattern: "/signup", limit: ratelimit.Auth, handle: s.signUp},
		{method: get, pattern: "/signin", reason: "a form, which does nothing until it is sent", handle: s.signInPage},
		{method: post, pattern: "/signin", limit: ratelimit.Auth, inBody: true, handle: s.signIn},
		{method: get, pattern: "/signin/link", reason: "a form, which does nothing until it is sent", handle: s.linkPage},
		{method: post, pattern: "/signin/link", limit: ratelimit.Auth, handle: s.useLink},
		{method: get, pattern: "/signin/code", reason: "a form, which does nothing until it is sent", handle: s.codePage},
		{method: post, pattern: "/signin/code", limit: ratelimit.Auth, inBody: true, handle: s.signInWithCode},
		{method: post, pattern: "/signin/with/{provider}", limit: ratelimit.Auth, handle: s.goToProvider},
		{method: post, pattern: "/api/v1/signin/passkey/begin", limit: ratelimit.Auth, handle: s.beginPasskeySignIn},
		{method: post, pattern: "/api/v1/signin/passkey", reason: "charged where it began, without which it does nothing", handle: s.signInWithPasskey},
		{method: get, pattern: "/signin/with/{provider}/back", reason: "charged where it began, without which it does nothing", handle: s.backFromProvider},
		{method: post, pattern: "/signout", reason: "ends only the sender's own sign-in", handle: s.signOut},

		// The host: what opens the account
		{method: get, pattern: securityPath, access: host, reason: "a page of one's own, three queries", handle: s.securityPage},
		{method: post, pattern: "/account/identities/{provider}", access: host, limit: ratelimit.Auth, inBody: true, handle: s.linkIdentity},
		{method: post, pattern: "/account/identities/{provider}/unlink", access: host, limit: ratelimit.Auth, inBody: true, handle: s.unlinkIdentity},
		{method: post, pattern: "/api/v1/passkeys/begin", access: host, limit: ratelimit.Auth, inBody: true, handle: s.beginPasskey},
		{method: post, pattern: "/api/v1/passkeys", access: host, limit: ratelimit.HostEdit, handle: s.addPasskey},
		{method: post, pattern: "/account/passkeys/{passkey}/remove", access: host, limit: ratelimit.Auth, inBody: true, handle: s.removePasskey},
		{method: post, pattern: "/account/two-step", access: host, limit: ratelimit.Auth, inBody: true, handle: s.beginTwoStep},
		{method: get, pattern: "/account/two-step", access: host, reason: "a page of one's own, no query", handle: s.appPage},
		{method: post, pattern: "/account/two-step/on", access: host, limit: ratelimit.HostEdit, handle: s.enableTwoStep},
		{method: post, pattern: "/account/two-step/off", access: host, limit: ratelimit.Auth, inBody: true, handle: s.disableTwoStep},
		{method: post, pattern: "/account/two-step/recovery-codes", access: host, limit: ratelimit.Auth, inBody: true, handle: s.renewRecoveryCodes},

		// The host: what takes a letter
		{method: get, pattern: "/reset", reason: "a form, which does nothing until it is sent", handle: s.resetPage},
		{method: post, pattern: "/reset", limit: ratelimit.PasswordReset, handle: s.requestReset},
		{method: get, pattern: "/reset/password", reason: "a form, which does nothing until it is sent", handle: s.choosePasswordPage},
		{method: post, pattern: "/reset/password", limit: ratelimit.Auth, handle: s.choosePassword},
		{method: get, pattern: "/verify", access: host, reason: "a form, which does nothing until it is sent", handle: s.confirmAddressPage},
		{method: post, pattern: "/verify", access: host, limit: ratelimit.Auth, handle: s.confirmAddress},
		{method: get, pattern: trayPath, reason: "only of a demo, and only for the machine that it runs on", handle: s.trayPage},

		// The host: about themselves
		{method: get, pattern: accountPath, access: host, reason: "a page of one's own, one query", handle: s.accountPage},
		{method: post, pattern: "/account/name", access: host, limit: ratelimit.HostEdit, handle: s.rename},
		{method: post, pattern: "/account/confirmation", access: host, limit: ratelimit.PasswordReset, handle: s.sendConfirmation},
		{method: post, pattern: "/account/email", access: host, limit: ratelimit.Auth, inBody: true, handle: s.changeEmail},
		{method: post, pattern: "/account/password", access: host, limit: ratelimit.Auth, inBody: true, handle: s.changePassword},
		{method: post, pattern: "/account/browsers/{browser}/end", access: host, reason: "ends only the sender's own sign-ins", handle: s.endBrowser},
		{method: post, pattern: "/account/browsers/end", access: host, reason: "ends only the sender's own sign-ins", handle: s.signOutEverywhere},
		{method: post, pattern: "/account/takeaway", access: host, long: true, limit: ratelimit.HostEdit, handle: s.takeaway},
		{method: get, pattern: "/account/delete", access: host, reason: "a form, which does nothing until it is sent", handle: s.deleteAccountPage},
		{method: post, pattern: "/account/delete", access: host, limit: ratelimit.Auth, inBody: true, handle: s.deleteAccount},

		// The host: what is paid for
		{method: get, pattern: pricingPath, reason: "a page to read; of whoever is signed in, a few queries", handle: s.whereSold(s.pricingPage)},
		{method: get, pattern: "/api/v1/pricing", limit: ratelimit.Pricing, handle: s.whereSold(s.pricing)},
		{method: get, pattern: billingPath, access: host, reason: "a page of one's own, a few queries", handle: s.whereSold(s.planPage)},
		{method: post, pattern: "/account/billing/checkout", access: host, limit: ratelimit.StripeCheckout, handle: s.whereSold(s.checkout)},
		{method: get, pattern: thanksPath, access: host, reason: "a page of one's own, a few queries", handle: s.whereSold(s.thanksPage)},
		{method: get, pattern: cancelledPath, access: host, reason: "a page of one's own, no query", handle: s.whereSold(s.cancelledPage)},
		{method: post, pattern: "/account/billing/portal", access: host, limit: ratelimit.StripeCheckout, handle: s.whereSold(s.portal)},
		{method: get, pattern: "/account/billing/invoices", access: host, limit: ratelimit.HostAction, handle: s.whereSold(s.invoicesPage)},
		{method: post, pattern: "/account/billing/invitations", access: host, limit: ratelimit.HostAction, handle: s.whereSold(s.inviteHost)},
		{method: post, pattern: "/account/billing/invitations/{invitation}/withdraw", access: host, limit: ratelimit.HostEdit, handle: s.whereSold(s.withdrawInvitation)},
		{method: post, pattern: "/account/billing/invitations/{invitation}/accept", access: host, limit: ratelimit.HostEdit, handle: s.whereSold(s.acceptInvitation)},
		{method: post, pattern: "/account/billing/invitations/{invitation}/decline", access: host, limit: ratelimit.HostEdit, handle: s.whereSold(s.declineInvitation)},
		{method: post, pattern: "/account/billing/hosts/{host}/remove", access: host, limit: ratelimit.HostEdit, handle: s.whereSold(s.removeHost)},
		{method: post, pattern: "/account/billing/leave", access: host, limit: ratelimit.HostEdit, handle: s.whereSold(s.leavePlan)},
		{method: post, pattern: "/webhooks/stripe", exempt: true, handle: s.whereSold(s.receiveEvent),
			reason: "an event that is refused delays what was paid for; one that is not signed costs one HMAC of at most 64 kB"},

		// The host: quizzes
		{method: get, pattern: "/host", access: host, reason: "a page of one's own, a few queries", handle: s.dashboard},
		{method: post, pattern: "/host/quizzes", access: host, limit: ratelimit.HostEdit, handle: s.createQuiz},
		{method: get, pattern: "/host/quizzes/{quiz}", access: host, reason: "a page of one's own, one query", handle: s.editorPage},
		{method: post, pattern: "/host/quizzes/{quiz}/delete", access: host, limit: ratelimit.HostEdit, handle: s.deleteQuiz},
		{method: post, pattern: "/host/quizzes/{quiz}/sessions", access: host, limit: ratelimit.HostAction, handle: s.openSession},
		{method: get, pattern: "/api/v1/quizzes/{quiz}", access: host, limit: ratelimit.HostEdit, handle: s.readQuiz},
		{method: get, pattern: "/host/import", access: host, reason: "a page of one's own, no query", handle: s.importPage},
		{method: get, pattern: "/host/quizzes/{quiz}/export/{format}", access: host, limit: ratelimit.HostEdit, handle: s.exportQuiz},
		{method: get, pattern: "/host/quizzes/{quiz}/print", access: host, reason: "a page of one's own, one query", handle: s.printPage},
		{method: post, pattern: "/api/v1/imports", access: host, long: true, limit: ratelimit.HostEdit, handle: s.readImport},
		{method: post, pattern: "/api/v1/quizzes", access: host, limit: ratelimit.HostEdit, handle: s.createWritten},
		{method: put, pattern: "/api/v1/quizzes/{quiz}", access: host, limit: ratelimit.HostEdit, handle: s.saveQuiz},

		{method: put, pattern: "/api/v1/quizzes/{quiz}/share", access: host, limit: ratelimit.HostEdit, handle: s.shareQuiz},
		{method: get, pattern: "/api/v1/questions", access: host, limit: ratelimit.HostEdit, handle: s.searchQuestions},
		{method: get, pattern: "/quiz/{token}", reason: "a page to read, one query, under an address that cannot be guessed", handle: s.sharedPage},
		{method: post, pattern: "/quiz/{token}/copy", access: host, limit: ratelimit.HostEdit, handle: s.copyShared},
		{method: post, pattern: "/host/quizzes/sample", access: host, limit: ratelimit.HostEdit, handle: s.createSample},
		{method: post, pattern: "/host/quizzes/{quiz}/copy", access: host, limit: ratelimit.HostEdit, handle: s.duplicateQuiz},

		// What the pub looks like
		{method: get, pattern: "/host/look", access: host, reason: "a page of one's own, one query", handle: s.lookPage},
		{method: put, pattern: "/api/v1/look", access: host, limit: ratelimit.HostEdit, handle: s.saveLook},

		// Pictures, sounds and films
		{method: post, pattern: "/api/v1/media", access: host, long: true, limit: ratelimit.HostEdit, handle: s.addMedia},
		{method: get, pattern: "/media/{media}", anySeat: true, long: true, handle: s.readMedia,
			reason: "a limit of its own would be by address, and black out the pictures of a whole room that loads one at once; browsers keep each for good, so a hundred phones ask a hundred times a picture. Of a seat, seatLoad is charged"},

		// The host: driving a session
		{method: get, pattern: "/host/sessions/{session}", access: driver, reason: "a page of one's own, two queries", handle: s.consolePage},
		{method: get, pattern: "/api/v1/sessions/{session}/host", access: driver, limit: ratelimit.SessionPoll, handle: s.pollAsHost},
		{method: get, pattern: "/api/v1/sessions/{session}/host/socket", access: driver, limit: ratelimit.SocketOpen, socket: true, handle: s.hostSocket},
		{method: post, pattern: "/api/v1/sessions/{session}/commands", access: driver, limit: ratelimit.HostAction, handle: s.command},
		{method: post, pattern: "/api/v1/sessions/{session}/rejoin-codes", access: driver, limit: ratelimit.HostEdit, handle: s.issueRejoinCode},
		{method: post, pattern: "/api/v1/sessions/{session}/markings", access: driver, limit: ratelimit.HostEdit, handle: s.decide},
		{method: get, pattern: "/api/v1/sessions/{session}/marking", access: driver, limit: ratelimit.HostEdit, handle: s.marking},
		{method: get, pattern: "/api/v1/sessions/{session}/log", access: driver, limit: ratelimit.HostEdit, handle: s.sessionLog},
		{method: get, pattern: "/api/v1/sessions/{session}/export", access: driver, limit: ratelimit.HostEdit, handle: s.export},
		{method: get, pattern: "/api/v1/sessions/{session}/notepad", access: driver, limit: ratelimit.HostEdit, handle: s.notepad},
		{method: put, pattern: "/api/v1/sessions/{session}/notepad", access: driver, limit: ratelimit.HostEdit, handle: s.writeNotepad},

		// The host: driving it together
		{method: post, pattern: "/api/v1/sessions/{session}/cohost-link", access: owner, limit: ratelimit.HostEdit, handle: s.inviteCohost},
		{method: post, pattern: "/api/v1/sessions/{session}/cohost-link/withdraw", access: owner, limit: ratelimit.HostEdit, handle: s.withdrawCohostLink},
		{method: post, pattern: "/api/v1/sessions/{session}/cohosts/{cohost}/remove", access: driver, limit: ratelimit.HostEdit, handle: s.removeCohost},
		{method: get, pattern: "/cohost/{link}", access: host, reason: "a form, which does nothing until it is sent; one query, under an address that cannot be guessed", handle: s.cohostPage},
		{method: post, pattern: "/cohost/{link}", access: host, limit: ratelimit.HostEdit, handle: s.acceptCohostLink},

		// What was played
		{method: get, pattern: "/host/sessions", access: host, reason: "a page of one's own, two queries", handle: s.historyPage},
		{method: get, pattern: "/host/sessions/{session}/results", access: driver, limit: ratelimit.HostEdit, handle: s.resultsPage},
		{method: get, pattern: "/host/sessions/{session}/results/{format}", access: driver, limit: ratelimit.HostEdit, handle: s.exportResults},
		{method: post, pattern: "/host/sessions/{session}/results/publish", access: driver, limit: ratelimit.HostAction, handle: s.publishResults},
		{method: post, pattern: "/host/sessions/{session}/results/hide", access: driver, limit: ratelimit.HostAction, handle: s.hideResults},
		{method: get, pattern: "/results/{token}", handle: s.publicResultsPage,
			reason: "a page to read, one query, under an address that cannot be guessed; a limit of its own would be by address, and hurt a room that opens the link at once"},

		// The API described
		{method: get, pattern: "/api", reason: "a page to read, no query", handle: s.apiPage},
		{method: get, pattern: "/api/v1/openapi.json", reason: "held in memory and the same for everybody", handle: s.describe},

		// The operator
		{method: get, pattern: "/operator", access: operator, limit: ratelimit.HostEdit, handle: s.operatorPage},

		// Outside all limits
		{method: get, pattern: "/too-many-requests", exempt: true, reason: "explains the limits, so it must be reachable when they are exhausted", handle: s.limitedPage},
		{method: get, pattern: "/play/worker.js", exempt: true, reason: "held in memory once a language was read, and the same for all its readers; a browser looks at most once a visit whether it is new", handle: s.shellWorker},
		{method: get, pattern: "/static/*", exempt: true, reason: "held in memory, named by content and cached for good", handle: s.static},
		{method: get, pattern: "/healthz", exempt: true, reason: "a probe that is refused restarts a healthy server", handle: s.healthy},
		{method: get, pattern: "/readyz", exempt: true, reason: "a probe that is refused takes a healthy server out", handle: s.ready},
	}
}
