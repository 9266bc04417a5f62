// Package openidtest is an OpenID provider for tests, which lets everybody in at once and lies when it is told to. That a provider which does
// not lie is understood, internal/oidctest shows with a real one.
package openidtest

import (
	"cmp"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// The client that every Issuer knows.
const (
	ClientID     = "quizd"
	ClientSecret = "a secret of the client"
)

// Issuer is a provider on a port of its own. Its fields say what it does from now on; set them through Now.
type Issuer struct {
	URL string

	mu     sync.Mutex
	asks   int // how often it was asked for a token
	state  State
	key    *rsa.PrivateKey
	grants map[string]grant
}

// State is what an issuer says and does.
type State struct {
	Claims    map[string]any                   // of whoever signs in: "sub", "email", "email_verified", "name"
	Elsewhere bool                             // all claims but "sub" are only told where they are asked for
	Lie       func(claims map[string]any)      // changes an ID token before it is signed
	Sign      func(header, body string) string // instead of a signature with the issuer's key: header and body in base64, the result too
	Header    map[string]any                   // instead of the ID token's header
	Back      func(parameters url.Values)      // changes what a browser is sent back with
	TellsIss  bool                             // says that it names itself in what browsers are sent back with (RFC 9207)
	Down      bool                             // answers nothing but 503
	Info      func(claims map[string]any)      // changes what it tells where it is asked
}

// grant is what a code was given out for.
type grant struct {
	nonce, challenge, redirect string
	claims                     map[string]any
}

// New starts an issuer that ends with the test. Whoever comes is alice@example.org, verified.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{key: key(), grants: map[string]grant{}, state: State{Claims: Alice()}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.configuration)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /userinfo", i.userInfo)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i.now().Down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	i.URL = "http://" + server.Listener.Addr().String() // before anybody can ask: whoever asked at this port before may still do so
	server.Start()
	t.Cleanup(server.Close)
	return i
}

// key is the one of all issuers, since making one takes a while. That they have one key is hard on those who mix them up.
var key = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// Alice is somebody whose address the issuer has verified.
func Alice() map[string]any {
	return map[string]any{"sub": "alice-at-the-issuer", "email": "alice@example.org", "email_verified": true, "name": "Alice"}
}

// Now changes what the issuer does.
func (i *Issuer) Now(change func(*State)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(&i.state)
}

// Asked is how often the issuer was asked for a token.
func (i *Issuer) Asked() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.asks
}

func (i *Issuer) now() State {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.state
}

func (i *Issuer) configuration(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusOK, map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
		"userinfo_endpoint": i.URL + "/userinfo", "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"}, "authorization_response_iss_parameter_supported": i.now().TellsIss,
	})
}

func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	asked, state := r.URL.Query(), i.now()
	code := rand.Text()
	i.mu.Lock()
	i.grants[code] = grant{asked.Get("nonce"), asked.Get("code_challenge"), asked.Get("redirect_uri"), maps.Clone(state.Claims)}
	i.mu.Unlock()
	back := url.Values{"code": {code}, "state": {asked.Get("state")}}
	if state.TellsIss {
		back.Set("iss", i.URL)
	}
	if state.Back != nil {
		state.Back(back)
	}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	state := i.now()
	i.mu.Lock()
	i.asks++
	g, ok := i.grants[r.FormValue("code")]
	delete(i.grants, r.FormValue("code"))
	i.mu.Unlock()
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	secret, _ = url.QueryUnescape(secret)
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !ok || id != ClientID || secret != ClientSecret || r.FormValue("redirect_uri") != g.redirect || encode(challenge[:]) != g.challenge {
		send(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	claims := map[string]any{"iss": i.URL, "aud": ClientID, "nonce": g.nonce, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
	if state.Elsewhere {
		claims["sub"] = g.claims["sub"]
	} else {
		maps.Copy(claims, g.claims)
	}
	if state.Lie != nil {
		state.Lie(claims)
	}
	send(w, http.StatusOK, map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": i.sign(state, claims)})
}

func (i *Issuer) sign(state State, claims map[string]any) string {
	header := state.Header
	if header == nil {
		header = map[string]any{"alg": "RS256", "kid": "key", "typ": "JWT"}
	}
	head, body := encodeJSON(header), encodeJSON(claims)
	if state.Sign != nil {
		return head + "." + body + "." + state.Sign(head, body)
	}
	return head + "." + body + "." + SignWith(i.key, head, body)
}

// SignWith signs as RS256.
func SignWith(key *rsa.PrivateKey, head, body string) string {
	sum := sha256.Sum256([]byte(head + "." + body))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return encode(signature)
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusOK, map[string]any{"keys": []map[string]string{{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "key", "n": encode(i.key.N.Bytes()), "e": encode(big.NewInt(int64(i.key.E)).Bytes()),
	}}})
}

func (i *Issuer) userInfo(w http.ResponseWriter, _ *http.Request) {
	state := i.now()
	claims := maps.Clone(state.Claims)
	if state.Info != nil {
		state.Info(claims)
	}
	send(w, http.StatusOK, claims)
}

func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(cmp.Or(status, http.StatusOK))
	_ = json.NewEncoder(w).Encode(v)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return encode(b)
}
