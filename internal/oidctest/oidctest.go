// Package oidctest gives tests a real OpenID provider: the example of the certified library zitadel/oidc, as a process of its own. It is built from its
// module, the folder zitadel.
package oidctest

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"pubquiz/internal/testprogram"
)

// The client that every Provider knows, and the password of everybody there.
const (
	ClientID     = "web"
	ClientSecret = "secret"
	Password     = "the same for everybody"
)

// Provider is a provider at an address of the test's own.
type Provider struct {
	Issuer string
	port   string
}

// New returns a provider that does not run yet.
func New(t testing.TB) *Provider {
	t.Helper()
	_, port, err := net.SplitHostPort(testprogram.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return &Provider{Issuer: "http://localhost:" + port + "/", port: port}
}

// Person is somebody who can sign in there, by their name.
type Person struct {
	ID            string
	Username      string
	FirstName     string
	LastName      string
	Email         string
	EmailVerified bool
}

// Start runs the provider until the test ends. It knows these people, and sends them back to the address.
func (p *Provider) Start(t testing.TB, back string, people ...Person) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	program := testprogram.Path(t, filepath.Join(filepath.Dir(here), "zitadel"), "github.com/zitadel/oidc/v3/example/server")
	process := exec.Command(program)
	process.Env = append(os.Environ(), "PORT="+p.port, "REDIRECT_URI="+back, "USERS_FILE="+usersFile(t, people))
	testprogram.Run(t, process, func() bool {
		answer, err := http.Get(p.Issuer + ".well-known/openid-configuration")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return true
	})
}

// usersFile is the people as the provider reads them.
func usersFile(t testing.TB, people []Person) string {
	t.Helper()
	type user struct {
		Person
		Password          string
		PreferredLanguage string
	}
	users := map[string]user{}
	for _, person := range people {
		users[person.ID] = user{person, Password, "en"}
	}
	encoded, err := json.Marshal(users)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "users.json")
	if err := os.WriteFile(path, encoded, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
