package web

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// picture stores a picture of so many pixels across for a host, and returns its id.
func (b *browser) picture(width int) string {
	b.site.t.Helper()
	var drawing bytes.Buffer
	if err := png.Encode(&drawing, image.NewRGBA(image.Rect(0, 0, width, 1))); err != nil {
		b.site.t.Fatal(err)
	}
	r := b.send("POST", "/api/v1/media", &drawing)
	if r.status != http.StatusCreated {
		b.site.t.Fatalf("%d %s", r.status, r.body)
	}
	return r.json(b.site.t)["id"].(string)
}

// TestLookOnTheBigScreen: what a host chooses is on the host's own page, and on the big screens of the host's own sessions, for those who may watch.
func TestLookOnTheBigScreen(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@example.org"))
	logo, menu := l.host.picture(1), l.host.picture(2)
	usual := map[string]any{"pictures": []any{}}
	if got := boot(t, l.host.get("/host/look"))["look"]; !reflect.DeepEqual(got, usual) {
		t.Errorf("before anything is chosen the look is %v", got)
	}
	saved := l.host.send("PUT", "/api/v1/look", map[string]any{"accent": "#7a1f3d", "logo": logo, "pictures": []string{menu, logo}})
	want := saved.json(t)
	if saved.status != http.StatusOK || want["accent"] != "#7a1f3d" || want["logo"] != logo || !reflect.DeepEqual(want["pictures"], []any{menu, logo}) {
		t.Fatalf("%d %s", saved.status, saved.body)
	}
	for _, scheme := range []string{"light", "dark"} {
		colours := want[scheme].(map[string]any)
		for _, name := range []string{"accent", "on", "text", "edge", "ground"} {
			if colour, ok := colours[name].(string); !ok || len(colour) != len("#rrggbb") {
				t.Errorf("%s %s is %v", scheme, name, colours[name])
			}
		}
	}
	if got := boot(t, l.host.get("/host/look"))["look"]; !reflect.DeepEqual(got, want) {
		t.Errorf("the page has %v, want %v", got, want)
	}

	screen := s.browser()
	if got, shown := boot(t, screen.get("/screen/"+l.id))["look"]; shown {
		t.Errorf("a stranger's screen has the look %v", got)
	}
	screen.get(consoleBoot(t, l)["screenURL"].(string))
	if got := boot(t, screen.get("/screen/"+l.id))["look"]; !reflect.DeepEqual(got, want) {
		t.Errorf("the big screen has %v, want %v", got, want)
	}

	other := s.open(s.host("other@example.org"))
	screen.get(consoleBoot(t, other)["screenURL"].(string))
	if got := boot(t, screen.get("/screen/"+other.id))["look"]; !reflect.DeepEqual(got, usual) {
		t.Errorf("another host's big screen has %v", got)
	}
	if r := l.host.send("PUT", "/api/v1/look", map[string]any{}); r.status != http.StatusOK || !reflect.DeepEqual(r.json(t), usual) {
		t.Errorf("taking everything out: %d %s", r.status, r.body)
	}
}

// TestLookIsRefused with the field that is wrong, and nothing is changed by that.
func TestLookIsRefused(t *testing.T) {
	s := newSite(t)
	host, other := s.host("host@example.org"), s.host("other@example.org")
	own, foreign := host.picture(1), other.picture(2)
	host.send("PUT", "/api/v1/look", map[string]any{"logo": own})
	for field, body := range map[string]any{
		"accent":      map[string]any{"accent": "url(//evil.example)"},
		"logo":        map[string]any{"logo": foreign},
		"pictures[1]": map[string]any{"pictures": []string{own, "../x"}},
		"pictures":    map[string]any{"pictures": strings.Split(strings.Repeat(own+" ", 8)+own, " ")},
	} {
		if r := host.send("PUT", "/api/v1/look", body); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != field {
			t.Errorf("%v: %d %s, want a problem with %s", body, r.status, r.body, field)
		}
	}
	if r := host.send("PUT", "/api/v1/look", map[string]any{"light": map[string]any{"accent": "red"}}); r.status != http.StatusBadRequest {
		t.Errorf("colours of one's own: %d %s", r.status, r.body)
	}
	if got := boot(t, host.get("/host/look"))["look"].(map[string]any)["logo"]; got != own {
		t.Errorf("after what was refused the logo is %v", got)
	}
}
