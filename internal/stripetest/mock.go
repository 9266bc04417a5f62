package stripetest

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"pubquiz/internal/testprogram"
)

// Mock starts the mock that Stripe generates from the description of its API, and returns its address. It refuses what the API does not know, and answers with examples that have no state.
func Mock(t testing.TB) (address string) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	program := testprogram.Path(t, filepath.Join(filepath.Dir(here), "stripemock"), "github.com/stripe/stripe-mock")
	listen, secure := testprogram.FreeAddress(t), testprogram.FreeAddress(t)
	testprogram.Run(t, exec.Command(program, "-http-addr", listen, "-https-addr", secure), func() bool {
		answer, err := http.Get("http://" + listen)
		if err != nil {
			return false
		}
		answer.Body.Close()
		return true
	})
	return "http://" + listen
}
