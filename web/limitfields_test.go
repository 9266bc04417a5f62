package web

import (
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"

	"pubquiz/ratelimit"
)

// fieldsAfter asks for the home page n times in one moment and returns the last answer's fields. Nothing but the
// limiters is needed for it.
func fieldsAfter(t *testing.T, n int, draft bool) http.Header {
	t.Helper()
	limiters, err := ratelimit.New(ratelimit.Table)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{limiters: limiters, draftFields: draft, limits: map[ratelimit.Name]ratelimit.Limit{}}
	for _, limit := range limiters.Table() {
		s.limits[limit.Name] = limit
	}
	r := &request{Request: (&http.Request{}).WithContext(t.Context()), client: netip.MustParseAddr("192.0.2.1")}
	for range n {
		r.answer, r.decided = http.Header{}, nil
		if err = s.chargeGlobal(r); err == nil {
			err = s.chargeOwn(r, &route{limit: ratelimit.PlayerPageLoad})
		}
	}
	if refused := n > ratelimit.PlayerPageLoad.Budget; refused != (err != nil) {
		t.Fatalf("after %d requests: %v", n, err)
	}
	return r.answer
}

func TestLimitFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			n     int
			draft bool
			want  map[string]string
		}{
			{1, false, map[string]string{"RateLimit-Limit": "60", "RateLimit-Remaining": "59", "RateLimit-Reset": "60"}},
			{61, false, map[string]string{"RateLimit-Limit": "60", "RateLimit-Remaining": "0", "RateLimit-Reset": "60"}},
			{1, true, map[string]string{
				"RateLimit-Policy": `"global";q=1200;w=60, "playerPageLoad";q=60;w=60`, "RateLimit": `"global";r=1199;t=60, "playerPageLoad";r=59;t=60`,
			}},
			{61, true, map[string]string{
				"RateLimit-Policy": `"global";q=1200;w=60, "playerPageLoad";q=60;w=60`, "RateLimit": `"global";r=1139;t=60, "playerPageLoad";r=0;t=60`,
			}},
		} {
			got := fieldsAfter(t, test.n, test.draft)
			for name, want := range test.want {
				if got.Get(name) != want {
					t.Errorf("after %d requests %s is %q, want %q", test.n, name, got.Get(name), want)
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("after %d requests the fields are %v", test.n, got)
			}
		}
	})
}
