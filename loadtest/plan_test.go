package loadtest

import (
	"testing"
	"time"
)

func TestPlanCheck(t *testing.T) {
	fine := Plan{URLs: []string{"http://127.0.0.1:8080"}, Venues: 1, Phones: 100, Arrival: Spread, Arrive: 90 * time.Second, Questions: 5, Seconds: 20}
	if err := fine.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Plan){
		"no venue":              func(p *Plan) { p.Venues = 0 },
		"too many venues":       func(p *Plan) { p.Venues = 251 },
		"no phone":              func(p *Plan) { p.Phones = 0 },
		"more than a session":   func(p *Plan) { p.Phones = 2001 },
		"too many phones":       func(p *Plan) { p.Venues, p.Phones = 100, 1000 },
		"arriving before":       func(p *Plan) { p.Arrive = -time.Second },
		"arriving for ever":     func(p *Plan) { p.Arrive = time.Hour },
		"no question":           func(p *Plan) { p.Questions = 0 },
		"a blink":               func(p *Plan) { p.Seconds = 1 },
		"share above one":       func(p *Plan) { p.CutSocket = 1.5 },
		"no server":             func(p *Plan) { p.URLs = nil },
		"too small a room":      func(p *Plan) { p.Capacity = -1 },
		"too many bots":         func(p *Plan) { p.Bots = 201 },
		"nobody's code":         func(p *Plan) { p.BotCode = true },
		"an unknown arrival":    func(p *Plan) { p.Arrival = "fashionably late" },
		"no WiFi for hours":     func(p *Plan) { p.DropWiFi = time.Hour },
		"less than no phone":    func(p *Plan) { p.Stalled = -0.1 },
		"e-mail alone":          func(p *Plan) { p.Email = "host@example.org" },
		"one host, many venues": func(p *Plan) { p.Email, p.Password, p.Venues = "host@example.org", "long enough", 2 },
		"another machine":       func(p *Plan) { p.URLs = []string{"http://127.0.0.1:8080", "http://192.0.2.7:8080"} },
	} {
		p := fine
		change(&p)
		if p.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
