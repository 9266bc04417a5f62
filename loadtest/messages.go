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
	OpensAt  int64     `json:"opensAt"`
	ClosesAt int64     `json:"closesAt"`
	JoinCode string    `json:"joinCode"` // host and big screen

	// Host only.
	DoorsLocked bool      `json:"doorsLocked"`
	Capacity    int       `json:"capacity"`
	Commands    []string  `json:"commands"`
	UpNext      *question `json:"upNext"`
}

// offers reports whether the host could give the command now.
func (s *snapshot) offers(command string) bool { return slices.Contains(s.Commands, command) }

type question struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Options []string `json:"options"`
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
	Choices []int  `json:"choices,omitempty"`
	Text    string `json:"text,omitempty"`
}

func (g given) equal(other given) bool {
	return g.Text == other.Text && slices.Equal(g.Choices, other.Choices)
}

type outcome struct {
	ID         string  `json:"id"`
	Question   string  `json:"question"`
	Outcome    string  `json:"outcome"`
	RetryAfter float64 `json:"retryAfter"`
}

func (o outcome) retryAfter() time.Duration { return seconds(o.RetryAfter) }

type exported struct {
	Answers []struct {
		Participant string `json:"participant"`
		answer
	} `json:"answers"`
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
