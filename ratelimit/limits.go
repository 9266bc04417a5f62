package ratelimit

import "time"

// The limits of the product. Before a row is added or changed, write down who is hurt when it trips; if that is
// everyone on the same WiFi as the offender, the key is wrong and no number mends it.
var (
	Global = Limit{Name: "global", Budget: 1200, Window: time.Minute, Key: ByAddress, PerInstance: true,
		Hurt: "the whole room; the worst honest minute added up: joins, page loads, answers, and every phone polling"}
	JoinSession = Limit{Name: "joinSession", Budget: 100, Window: time.Minute, Key: ByAddress, Overflow: CountBlock,
		Hurt: "a room that scans at once; a bot does not stop at a hundred"}
	SubmitAnswer = Limit{Name: "submitAnswer", Budget: 10, Window: time.Minute, Key: ByParticipant,
		Hurt: "one phone; leaves room for retries and several questions a minute"}
	PlayerPageLoad = Limit{Name: "playerPageLoad", Budget: 60, Window: time.Minute, Key: ByAddress, Overflow: CountBlock,
		Hurt: "the room; once a scan"}
	SessionPoll = Limit{Name: "sessionPoll", Budget: 30, Window: time.Minute, Key: ByParticipant,
		Hurt: "one phone or screen; it polls six times a minute"}
	Auth = Limit{Name: "auth", Budget: 10, Window: 15 * time.Minute, Key: ByAddress, Overflow: Refuse, Group: "auth",
		Hurt: "credential stuffing; a host mistypes a few times, not ten"}
	PasswordReset = Limit{Name: "passwordReset", Budget: 5, Window: 15 * time.Minute, Key: ByAddress, Overflow: Refuse, StoreDown: Closed,
		Hurt: "somebody else's inbox"}
	HostAction = Limit{Name: "hostAction", Budget: 30, Window: time.Minute, Key: ByUser,
		Hurt: "a runaway loop; a host acts about once a minute"}
	Pricing = Limit{Name: "pricing", Budget: 20, Window: time.Minute, Key: ByAddress, Overflow: CountBlock,
		Hurt: "a scraper"}
	StripeCheckout = Limit{Name: "stripeCheckout", Budget: 5, Window: 10 * time.Minute, Key: ByUser, StoreDown: Closed,
		Hurt: "junk objects at the payment provider"}

	AuthAccount = Limit{Name: "authAccount", Budget: 10, Window: 15 * time.Minute, Key: ByAccount, Group: "auth",
		Hurt: "one account guessed at from many addresses"}
	JoinMiss = Limit{Name: "joinMiss", Budget: 30, Window: time.Minute, Key: ByAddress,
		Hurt: "guessing of join codes and rejoin codes; a room mistypes now and then"}
	ResetAccount = Limit{Name: "resetAccount", Budget: 3, Window: time.Hour, Key: ByAccount, Overflow: Refuse, StoreDown: Closed,
		Hurt: "one inbox flooded from many addresses"}
	ParticipantAction = Limit{Name: "participantAction", Budget: 20, Window: time.Minute, Key: ByParticipant,
		Hurt: "one phone; jokers, wagers and rejoin codes come a few a round"}
	HostEdit = Limit{Name: "hostEdit", Budget: 300, Window: time.Minute, Key: ByUser,
		Hurt: "a runaway editor; saving by itself makes a few requests a second at most"}
	SocketOpen = Limit{Name: "socketOpen", Budget: 20, Window: time.Minute, Key: ByParticipant,
		Hurt: "one phone or screen reconnecting in a loop"}
	SeatLoad = Limit{Name: "seatLoad", Budget: 60, Window: time.Minute, Key: ByParticipant,
		Hurt: "one phone or screen; it loads its page now and then, and each picture once"}
	SeatShare = Limit{Name: "seatShare", Budget: 12, Window: time.Minute, Key: ByParticipant, PerInstance: true, Share: true,
		Hurt: "nobody: what a phone asks for at its venue, or a host at one, within this share is not charged to the room, so that whoever has many seats or an account silences no one; what is beyond is"}
)

// Table is every limit of the product: first the specification's ten, then what was added.
var Table = []Limit{
	Global, JoinSession, SubmitAnswer, PlayerPageLoad, SessionPoll, Auth, PasswordReset, HostAction, Pricing, StripeCheckout,
	AuthAccount, JoinMiss, ResetAccount, ParticipantAction, HostEdit, SocketOpen, SeatLoad, SeatShare,
}
