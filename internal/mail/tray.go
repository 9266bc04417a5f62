package mail

import (
	"context"
	"slices"
	"sync"
	"time"
)

// trayHolds is how many letters a tray keeps, the latest.
const trayHolds = 50

// Tray is a Sender for demonstrations: the letters go nowhere and can be looked at. The zero Tray is empty and ready.
type Tray struct {
	mu      sync.Mutex
	letters []Delivered
}

// Delivered is a letter in a tray.
type Delivered struct {
	Message
	At time.Time
}

// Send implements Sender.
func (t *Tray) Send(_ context.Context, m Message) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.letters = append(t.letters, Delivered{Message: m, At: time.Now()})
	if over := len(t.letters) - trayHolds; over > 0 {
		t.letters = slices.Delete(t.letters, 0, over)
	}
	return nil
}

// Letters returns what is in the tray, the latest first.
func (t *Tray) Letters() []Delivered {
	t.mu.Lock()
	defer t.mu.Unlock()
	letters := slices.Clone(t.letters)
	slices.Reverse(letters)
	return letters
}
