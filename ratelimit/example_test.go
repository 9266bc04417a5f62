package ratelimit_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"time"

	"pubquiz/ratelimit"
)

// A handler that each client may call three times a minute, behind a proxy on this machine.
func Example() {
	perClient := ratelimit.Limit{Name: "perClient", Budget: 3, Window: time.Minute, Key: ratelimit.ByAddress}
	limiters, err := ratelimit.New([]ratelimit.Limit{perClient})
	if err != nil {
		log.Fatal(err)
	}
	proxies, err := ratelimit.ParseProxies("127.0.0.1", "X-Forwarded-For")
	if err != nil {
		log.Fatal(err)
	}

	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil {
			http.Error(w, "no address", http.StatusInternalServerError)
			return
		}
		client, _ := proxies.Client(peer, r.Header)
		d, err := limiters.Allow(r.Context(), perClient.For(ratelimit.AddressKey(client)))
		if err != nil {
			http.Error(w, "not limited", http.StatusInternalServerError)
			return
		}
		w.Header().Set("RateLimit-Remaining", strconv.Itoa(d.Remaining))
		if !d.Allowed {
			w.Header().Set("Retry-After", strconv.Itoa(ratelimit.Seconds(d.RetryAfter)))
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		fmt.Fprintln(w, "hello")
	})

	for _, client := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = "127.0.0.1:4711"
		r.Header.Set("X-Forwarded-For", client)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println(client, w.Code, w.Header().Get("RateLimit-Remaining"))
	}
	// Output:
	// 192.0.2.1 200 2
	// 192.0.2.1 200 1
	// 192.0.2.1 200 0
	// 192.0.2.1 429 0
	// 192.0.2.2 200 2
}
