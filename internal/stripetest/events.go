package stripetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"github.com/stripe/stripe-go/v85"
)

// Event is what Stripe tells of something that has happened, as things were at that moment.
type Event struct {
	ID, Type string
	Body     []byte
}

// Sign is the Stripe-Signature header of a body that was sent at a time.
func Sign(body []byte, at time.Time) string {
	return stripe.GenerateTestSignedPayload(&stripe.UnsignedPayload{Payload: body, Secret: WebhookSecret, Timestamp: at}).Header
}

// happened makes the event of something that has, and sends it if there is where to.
func (s *Stripe) happened(kind string, what object) {
	e := Event{ID: s.id("evt"), Type: kind}
	var err error
	e.Body, err = json.Marshal(object{
		"id": e.ID, "object": "event", "type": kind, "api_version": stripe.APIVersion, "created": time.Now().Unix(), "livemode": false, "pending_webhooks": 1,
		"request": object{"id": nil, "idempotency_key": nil}, "data": object{"object": what},
	})
	if err != nil {
		s.t.Error(err)
	}
	s.events = append(s.events, e)
	if hook := s.hook; hook != "" {
		s.deliveries.Go(func() { s.deliver(hook, e) })
	}
}

// Events returns what has happened since the last call, the oldest first.
func (s *Stripe) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	happened := s.events
	s.events = nil
	return happened
}

// SendTo posts every event to an address as soon as it happens, from now on; "" sends none. An event that is not taken fails the test.
func (s *Stripe) SendTo(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = address
}

func (s *Stripe) deliver(address string, e Event) {
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(e.Body))
	if err != nil {
		s.t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Stripe-Signature", Sign(e.Body, time.Now()))
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Errorf("delivering %s: %v", e.Type, err)
		return
	}
	reply.Body.Close()
	if reply.StatusCode/100 != 2 {
		s.t.Errorf("delivering %s: %s", e.Type, reply.Status)
	}
}
