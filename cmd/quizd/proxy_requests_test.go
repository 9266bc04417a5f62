package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/proxies"
	"pubquiz/internal/redistest"
	"pubquiz/ratelimit"
)

// startProxy starts a proxy as it is deployed, in front of two servers, and returns its host:port. It ends with the test.
func startProxy(t *testing.T, p proxies.Proxy) (address string) {
	t.Helper()
	p.Deploy = "../../deploy"
	if p.Folder == "" {
		p.Folder = t.TempDir()
	}
	if p.Listen == "" {
		p.Listen = "127.0.0.1:" + freePort(t)
	}
	s, err := p.Start(t.Context())
	if errors.Is(err, proxies.ErrNotInstalled) && os.Getenv("CI") != "true" {
		t.Skipf("SKIPPED, and it should not be: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p.Listen
}

// eachProxy runs a test with every proxy that there is a configuration for.
func eachProxy(t *testing.T, test func(*testing.T, proxies.Program)) {
	t.Helper()
	if limitersOff {
		t.Skip("a proxy knows of no limits")
	}
	for _, program := range []proxies.Program{proxies.Nginx, proxies.Caddy} {
		t.Run(program.Name, func(t *testing.T) {
			t.Parallel()
			test(t, program)
		})
	}
}

// pretender stands where an instance does, counts what reaches it, and answers as it is told.
type pretender struct {
	address string
	mu      sync.Mutex
	asked   int
}

func pretend(t *testing.T, answer http.HandlerFunc) *pretender {
	t.Helper()
	p := &pretender{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/readyz" { // which proxies ask by themselves
			return
		}
		p.mu.Lock()
		p.asked++
		p.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	p.address = s.Listener.Addr().String()
	return p
}

func (p *pretender) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// impatience makes a proxy wait for an answer for a second, and no longer.
var impatience = map[string]map[string]string{
	"nginx": {"proxy_read_timeout       40s": "proxy_read_timeout 1s"},
	"caddy": {"response_header_timeout 40s": "response_header_timeout 1s"},
}

// TestProxiesRepeatNoAnswer: a POST that may have been carried out is not sent to the other instance, whatever becomes of it. What only reads is, and so is what cannot
// have arrived.
func TestProxiesRepeatNoAnswer(t *testing.T) {
	t.Parallel()
	hangs := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	hangsUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	answers := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "stored") }
	refuses := http.HandlerFunc(nil)
	for name, test := range map[string]struct {
		method        string
		first, second http.HandlerFunc // refuses: nobody listens there
		requests      int
		status, asked int               // of each request; of all together
		unlike        map[string][2]int // where a proxy does otherwise, which is as well
	}{
		"an answer, and nothing comes back":     {http.MethodPost, hangs, hangs, 1, http.StatusGatewayTimeout, 1, nil},
		"an answer, and the instance hangs up":  {http.MethodPost, hangsUp, hangsUp, 1, http.StatusBadGateway, 1, nil},
		"a page, and nothing comes back":        {http.MethodGet, hangs, hangs, 1, http.StatusGatewayTimeout, 2, nil},
		"a page, and the instance hangs up":     {http.MethodGet, hangsUp, hangsUp, 1, http.StatusBadGateway, 2, nil},
		"answers, and an instance is not there": {http.MethodPost, refuses, answers, 6, http.StatusOK, 6, nil},
		"an answer, and there are no instances": {http.MethodPost, refuses, refuses, 1, http.StatusBadGateway, 0, map[string][2]int{"caddy": {http.StatusServiceUnavailable, 0}}},
		// Of a revision, so that twice is once.
		"a save, and the instance hangs up": {http.MethodPut, hangsUp, hangsUp, 1, http.StatusBadGateway, 2, map[string][2]int{"caddy": {http.StatusBadGateway, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			eachProxy(t, func(t *testing.T, program proxies.Program) {
				status, asked := test.status, test.asked
				if unlike, ok := test.unlike[program.Name]; ok {
					status, asked = unlike[0], unlike[1]
				}
				var body string
				if test.method != http.MethodGet {
					body = "{}"
				}
				var there []*pretender
				var addresses [2]string
				for i, answer := range []http.HandlerFunc{test.first, test.second} {
					if answer == nil {
						addresses[i] = "127.0.0.1:" + freePort(t)
						continue
					}
					p := pretend(t, answer)
					there, addresses[i] = append(there, p), p.address
				}
				var changes map[string]string
				if test.status == http.StatusGatewayTimeout { // elsewhere an instance may be slow
					changes = impatience[program.Name]
				}
				proxy := startProxy(t, proxies.Proxy{Program: program, Instances: addresses, Changes: changes})
				for range test.requests {
					req, err := http.NewRequestWithContext(t.Context(), test.method, "http://"+proxy+"/api/v1/sessions/x/answers", strings.NewReader(body))
					if err != nil {
						t.Fatal(err)
					}
					answer, err := http.DefaultClient.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					page, _ := io.ReadAll(answer.Body)
					answer.Body.Close()
					if answer.StatusCode != status {
						t.Errorf("%s, want %d", answer.Status, status)
					}
					if away := strings.Contains(string(page), "Back in a moment"); away != (status != http.StatusOK) {
						t.Errorf("%s says %q", answer.Status, page)
					}
				}
				arrived := 0
				for _, p := range there {
					arrived += p.count()
				}
				if arrived < asked || arrived > asked && test.method != http.MethodGet { // nobody is hurt by a page that is asked for once more
					t.Errorf("the instances were asked %d times, want %d", arrived, asked)
				}
			})
		})
	}
}

// TestProxiesTellWhoAsks: behind a proxy each address has its budget, and nobody can make up another one, nor what their requests are called.
func TestProxiesTellWhoAsks(t *testing.T) {
	needsLimits(t)
	t.Parallel()
	eachProxy(t, tellsWhoAsks)
}

func tellsWhoAsks(t *testing.T, program proxies.Program) {
	settings := environment{
		"BASE_URL": "http://quiz.example", "DATABASE_URL": dbtest.URL(t), "REDIS_URL": redistest.Start(t).URL, "TRUSTED_PROXIES": "127.0.0.1",
	}
	var addresses [2]string
	for i := range addresses {
		addresses[i] = strings.TrimPrefix(startInstance(t, settings).base, "http://")
	}
	proxy := startProxy(t, proxies.Proxy{Program: program, Instances: addresses})
	tries := 0
	guess := func(from *http.Client) int {
		tries++
		form := url.Values{"email": {fmt.Sprintf("alice%d@example.org", tries)}, "password": {"not the one"}}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+proxy+"/signin", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Add("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", tries))
		req.Header.Add("X-Forwarded-For", fmt.Sprintf("203.0.113.%d, 127.0.0.1", tries))
		req.Header.Set("Forwarded", fmt.Sprintf("for=203.0.113.%d", tries))
		const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
		req.Header.Set("Traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
		answer, err := from.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if name := answer.Header.Get("X-Request-Id"); name == "" || name == trace {
			t.Errorf("a request is called %q", name)
		}
		return answer.StatusCode
	}
	for _, address := range []string{"127.0.3.1", "127.0.3.2"} {
		phone := clientFrom(t, address)
		for range ratelimit.Auth.Budget {
			if got := guess(phone); got != http.StatusUnprocessableEntity {
				t.Fatalf("%s gets %d within its budget", address, got)
			}
		}
		if got := guess(phone); got != http.StatusTooManyRequests {
			t.Errorf("%s gets %d beyond its budget", address, got)
		}
	}
}

// clientFrom is a client at an address of this machine.
func clientFrom(t *testing.T, address string) *http.Client {
	t.Helper()
	source := &net.TCPAddr{IP: net.ParseIP(address)}
	if l, err := net.ListenTCP("tcp", source); err != nil {
		t.Skipf("SKIPPED: this machine has no address %s: %v", address, err) // only Linux has the whole block
	} else {
		l.Close()
	}
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: source}).DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// TestNginxWithTLS: whoever comes without TLS is sent to where it is, and with it a browser's socket gets through.
func TestNginxWithTLS(t *testing.T) {
	t.Parallel()
	instance := pretend(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s asks %s to %s, %s", r.Header.Get("X-Forwarded-For"), r.Host, r.Header.Get("Connection"), r.Header.Get("Upgrade"))
	})
	folder, secure := t.TempDir(), "127.0.0.1:"+freePort(t)
	roots := writeCertificate(t, folder)
	plain := startProxy(t, proxies.Proxy{Program: proxies.Nginx, Main: "tls.conf", Instances: [2]string{instance.address, instance.address}, Changes: map[string]string{
		"listen 8443 ssl": "listen " + secure + " ssl", "/run/secrets/": folder + "/",
	}})
	client := &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "quiz.example"}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(client.CloseIdleConnections)
	ask := func(address string) (*http.Response, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "quiz.example"
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "WebSocket")
		answer, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(body)
	}
	if answer, _ := ask("http://" + plain + "/j/BCDFGH?x=1"); answer.StatusCode != http.StatusPermanentRedirect || answer.Header.Get("Location") != "https://quiz.example/j/BCDFGH?x=1" {
		t.Errorf("without TLS: %s, to %q", answer.Status, answer.Header.Get("Location"))
	}
	if _, said := ask("https://" + secure + "/api/v1/sessions/x/participant/socket"); said != "127.0.0.1 asks quiz.example to upgrade, websocket" {
		t.Errorf("through TLS: %s", said)
	}
}

// TestCaddyGetsACertificate: by itself, though here from an authority of its own; and whoever comes without TLS is sent to where it is.
func TestCaddyGetsACertificate(t *testing.T) {
	t.Parallel()
	instance := pretend(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s asks %s", r.Header.Get("X-Forwarded-For"), r.Host)
	})
	folder, plain, secure := t.TempDir(), freePort(t), freePort(t)
	startProxy(t, proxies.Proxy{Program: proxies.Caddy, Folder: folder, Listen: "127.0.0.1:" + secure, Instances: [2]string{instance.address, instance.address}, Changes: map[string]string{
		"\nquiz.example.org {": "\nquiz.example.org {",
		"\tadmin off":          "\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port " + plain + "\n\thttps_port " + secure,
	}})
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	var said string
	for said == "" && pause(ctx, 50*time.Millisecond) { // until it has one
		root, err := os.ReadFile(filepath.Join(folder, "caddy", "pki", "authorities", "local", "root.crt"))
		if err != nil {
			continue
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(root)
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+secure)
		}}
		if answer, err := (&http.Client{Transport: transport}).Get("https://quiz.example.org/"); err == nil {
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			said = string(body)
		}
		transport.CloseIdleConnections()
	}
	if said != "127.0.0.1 asks quiz.example.org" {
		t.Errorf("through TLS: %q", said)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+plain+"/j/BCDFGH?x=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "quiz.example.org"
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusPermanentRedirect || to != "https://quiz.example.org:"+secure+"/j/BCDFGH?x=1" && to != "https://quiz.example.org/j/BCDFGH?x=1" {
		t.Errorf("without TLS: %s, to %q", answer.Status, to)
	}
}

// writeCertificate writes a key and a certificate for quiz.example, as files of secrets are named, and returns who vouches for it.
func writeCertificate(t *testing.T, folder string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"quiz.example"}, NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"tls_certificate": {Type: "CERTIFICATE", Bytes: certificate}, "tls_key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(certificate)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return roots
}
