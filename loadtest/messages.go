package loadtest

import (
	"slices"
	"time"
)

// The parts of docs/protocol.md that a simulated room needs.

type frame struct {
	Shared   *snapshot `json:"shared"`
	Personal *personal `json:"personal"`
	Live     *live     `json:"live"`
	Outcome  *outcome  `json:"outcome"`

	// A heartbeat.
	V     int64  `json:"v"`
	Epoch string `json:"epoch"`
	Now   int64  `json:"now"`
}

type snapshot struct {
	Epoch    string    `json:"epoch"`
	Version  int64     `json:"version"`
	Phase    string    `json:"phase"`
	Question *question `json:"question"`
	Round    *round    `json:"round"`
	OpensAt  int64     `json:"opensAt"`
	ClosesAt int64     `json:"closesAt"`
	JoinCode string    `json:"joinCode"` // host and big screen

	Voided      bool `json:"voided"`
	JokerRounds []struct {
		Number int `json:"number"`
	} `json:"jokerRounds"`

	// Host only.
	DoorsLocked bool       `json:"doorsLocked"`
	Capacity    int        `json:"capacity"`
	Commands    []string   `json:"commands"`
	UpNext      *question  `json:"upNext"`
	Standings   []standing `json:"standings"`
}

type round struct {
	Number int `json:"number"`
}

type standing struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
	Rank   int     `json:"rank"`
}

// offers reports whether the host could give the command now.
func (s *snapshot) offers(command string) bool { return slices.Contains(s.Commands, command) }

type question struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Options []string `json:"options"`
	Wager   bool     `json:"wager"`
}

type personal struct {
	Answer *answer `json:"answer"`
}

type live struct {
	Joined   int `json:"joined"`
	Answered int `json:"answered"`

	Participants []struct { // host
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"participants"`
}

type answer struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Given    given  `json:"given"`
}

type given struct {
	Choices []int   `json:"choices,omitempty"`
	Text    string  `json:"text,omitempty"`
	Wager   float64 `json:"wager,omitempty"`
}

func (g given) equal(other given) bool {
	return g.Text == other.Text && g.Wager == other.Wager && slices.Equal(g.Choices, other.Choices)
}

type outcome struct {
	ID         string  `json:"id"`
	Question   string  `json:"question"`
	Outcome    string  `json:"outcome"`
	RetryAfter float64 `json:"retryAfter"`
}

func (o outcome) retryAfter() time.Duration { return seconds(o.RetryAfter) }

type exported struct {
	Participants []struct {
		ID          string  `json:"id"`
		Name        string  `json:"name"`
		Removed     bool    `json:"removed"`
		Points      float64 `json:"points"`
		Rank        int     `json:"rank"`
		Adjustments []struct {
			Points float64 `json:"points"`
		} `json:"adjustments"`
	} `json:"participants"`
	Questions []struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		Voided bool   `json:"voided"`
	} `json:"questions"`
	Answers []struct {
		Participant string  `json:"participant"`
		Points      float64 `json:"points"`
		answer
	} `json:"answers"`
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
