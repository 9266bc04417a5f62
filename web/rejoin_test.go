package web

import (
	"net/http"
	"testing"
)

func TestRejoinCode(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	l.command("lockDoors")
	latecomer := s.browser()
	if r := l.joins(latecomer, "Latecomer"); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/doors-locked" {
		t.Fatalf("locked doors: %d %s", r.status, r.body)
	}
	r := l.host.send("POST", l.path("rejoin-codes"), map[string]string{})
	if r.status != http.StatusCreated {
		t.Fatal(r.body)
	}
	code := r.json(t)["code"].(string)
	if r := latecomer.get("/j?code=" + code[:4] + "-" + code[4:]); r.header.Get("Location") != "/j/"+code {
		t.Errorf("typed on the home page it leads to %s", r.header.Get("Location"))
	}
	if data := boot(t, latecomer.get("/j/"+code)); data["rejoin"] != true || data["name"] != nil || data["title"] == nil {
		t.Errorf("its page has %v", data)
	}
	if r := latecomer.get("/j/" + code + "/qr.svg"); r.status != http.StatusOK {
		t.Errorf("its QR code: %d", r.status)
	}
	in := map[string]string{"name": "Latecomer", "attempt": "rejoin-attempt-0001"}
	if r := latecomer.send("POST", "/api/v1/rejoin/"+code, in); r.status != http.StatusCreated {
		t.Fatalf("using it: %d %s", r.status, r.body)
	}
	l.poll(latecomer, "participant")
	in["attempt"] = "rejoin-attempt-0002"
	if r := s.browser().send("POST", "/api/v1/rejoin/"+code, in); r.status != http.StatusNotFound || r.json(t)["type"] != "/problems/unknown-code" {
		t.Errorf("using it twice: %d %s", r.status, r.body)
	}
	if r := s.browser().get("/j/" + code); r.status != http.StatusOK { // it still says where it led, to the phone that used it and reloads
		t.Errorf("its page after use: %d", r.status)
	}
	if r := latecomer.send("POST", l.path("rejoin-codes"), map[string]string{}); r.status != http.StatusNotFound {
		t.Errorf("a participant makes a code: %d", r.status)
	}
}
