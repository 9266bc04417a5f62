package mail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gomail "github.com/wneessen/go-mail"

	"pubquiz/internal/freeport"
	"pubquiz/internal/mailtest"
)

const from = "Pub quiz <quiz@example.org>"

func newSMTP(t *testing.T, server string) *SMTP {
	t.Helper()
	s, err := NewSMTP(server, from)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestServersAreCheckedWhenNamed(t *testing.T) {
	for server, want := range map[string]string{
		"smtps://quiz:hunter2@mail.example.org":                "",
		"smtp://quiz:hunter2@mail.example.org":                 "",
		"smtp://quiz%40example.org:p%40ss@mail.example.org:25": "",
		"smtp://mailpit:1025?tls=none":                         "",
		"smtp://quiz:hunter2@localhost:1025?tls=none":          "",
		"smtp://quiz:hunter2@127.0.0.1?tls=none":               "",
		"smtp://quiz:hunter2@mail.example.org?tls=none":        "a password would be sent for all to read",
		"smtps://mail.example.org?tls=none":                    "only smtp:// can have ?tls=none",
		"smtp://mail.example.org?tls=maybe":                    "no other setting",
		"smtp://mail.example.org?verify=no":                    "no other setting",
		"https://mail.example.org":                             "must begin with smtps://",
		"mail.example.org:587":                                 "must be an address such as",
		"smtp://mail.example.org/inbox":                        "must be an address such as",
		"smtp://:587":                                          "must be an address such as",
		"smtp://quiz:hunter2@mail.example.org:hunter":          "must be an address such as",
		"smtp://mail.example.org:99999":                        "is not a port",
		"smtp://quiz@mail.example.org":                         "a user but no password",
	} {
		_, err := NewSMTP(server, from)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", server, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the password is in %q", server, err)
		}
	}
	for _, sender := range []string{"", "quiz", "Pub quiz quiz@example.org", "a@example.org, b@example.org", "a@example.org\r\nBcc: b@example.org"} {
		if _, err := NewSMTP("smtp://localhost?tls=none", sender); err == nil {
			t.Errorf("from %q", sender)
		}
	}
}

func TestALetterArrives(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	o, _ := newOutbox(t)
	put(t, o, "zoë@exämple.org")
	deliver(t, o, newSMTP(t, "smtp://"+server.SMTP+"?tls=none"))
	if s := status(t, o); s.Waiting+s.GivenUp != 0 {
		t.Fatalf("%+v", s)
	}
	m := server.Await("zoë@xn--exmple-cua.org", 1)
	if m.Subject != letter.Subject || m.From.String() != (&netmail.Address{Name: "Pub quiz", Address: "quiz@example.org"}).String() {
		t.Errorf("%q from %v", m.Subject, m.From)
	}
	if strings.ReplaceAll(m.Text, "\r\n", "\n") != letter.Plain() || !strings.Contains(m.HTML, "It works once.") || len(m.Attachments) != 0 {
		t.Errorf("text %q, page %q", m.Text, m.HTML)
	}
	header := server.Header(m)
	if got := header.Get("Auto-Submitted"); got != "auto-generated" {
		t.Errorf("Auto-Submitted is %q", got)
	}
	if id := header.Get("Message-Id"); !strings.HasSuffix(id, "@example.org>") || len(id) != len("<@example.org>")+36 {
		t.Errorf("Message-ID is %q", id)
	}
	if sent, err := netmail.ParseDate(header.Get("Date")); err != nil || time.Since(sent).Abs() > time.Minute {
		t.Errorf("Date is %q", header.Get("Date"))
	}
	if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "multipart/alternative") {
		t.Errorf("Content-Type is %q", kind)
	}
	for feature, shown := range server.Complaints(m) {
		if shown < 40 { // what is only for the better programs: the dark theme, the narrow layout
			t.Logf("%s works in %.0f %% of programs", feature, shown)
		}
	}
}

func TestAServerThatRefusesIsUnderstood(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	o, pool := newOutbox(t)
	sender := newSMTP(t, "smtp://"+server.SMTP+"?tls=none")

	server.Refuse(451)
	put(t, o, "alice@example.org")
	deliver(t, o, sender)
	if s := status(t, o); s.Waiting != 1 || s.GivenUp != 0 || !strings.Contains(s.LastError, "451") {
		t.Errorf("busy: %+v", s)
	}
	server.Refuse(0)
	exec(t, pool, `UPDATE mail_outbox SET due_at = now()`)
	deliver(t, o, sender)
	server.Await("alice@example.org", 1)

	server.Refuse(550)
	put(t, o, "nobody@example.org")
	deliver(t, o, sender)
	if s := status(t, o); s.Waiting != 0 || s.GivenUp != 1 || !strings.Contains(s.LastError, "550") {
		t.Errorf("no such mailbox: %+v", s)
	}
	if arrived := server.To("alice@example.org"); len(arrived) != 1 {
		t.Errorf("%d letters have arrived for alice", len(arrived))
	}
}

func TestAServerThatIsAwayIsTriedAgain(t *testing.T) {
	t.Parallel()
	away, err := freeport.Loopback()
	if err != nil {
		t.Fatal(err)
	}
	o, _ := newOutbox(t)
	put(t, o, "alice@example.org")
	deliver(t, o, newSMTP(t, "smtp://"+away+"?tls=none"))
	if s := status(t, o); s.Waiting != 1 || !strings.Contains(s.LastError, "refused") {
		t.Errorf("%+v", s)
	}
}

// TestEncryption: a letter goes only over a connection that is encrypted as it is set, to the server that is named.
func TestEncryption(t *testing.T) {
	t.Parallel()
	certificate, key, roots := selfSigned(t)
	login := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(login, []byte("quiz:hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	secured := []string{"--smtp-tls-cert", certificate, "--smtp-tls-key", key, "--smtp-auth-file", login}
	starttls := mailtest.Start(t, append(secured, "--smtp-require-starttls")...)
	implicit := mailtest.Start(t, append(secured, "--smtp-require-tls")...)
	plain := mailtest.Start(t)
	for name, test := range map[string]struct {
		server  *mailtest.Server
		url     string
		trusted bool
		arrives bool
		refused string
	}{
		"STARTTLS":                      {server: starttls, url: "smtp://quiz:hunter2@", trusted: true, arrives: true},
		"implicit TLS":                  {server: implicit, url: "smtps://quiz:hunter2@", trusted: true, arrives: true},
		"STARTTLS, not the one named":   {server: starttls, url: "smtp://quiz:hunter2@", refused: "certificate"},
		"implicit, not the one named":   {server: implicit, url: "smtps://quiz:hunter2@", refused: "certificate"},
		"no STARTTLS where it must be":  {server: plain, url: "smtp://", trusted: true, refused: "STARTTLS"},
		"a wrong password is no letter": {server: starttls, url: "smtp://quiz:hunter3@", trusted: true, refused: "535"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, _ := newOutbox(t)
			put(t, o, "alice@example.org")
			sender := newSMTP(t, test.url+test.server.SMTP)
			if test.trusted {
				sender.options = append(sender.options, gomail.WithTLSConfig(&tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}))
			}
			deliver(t, o, sender)
			s := status(t, o)
			if test.arrives && s.Waiting+s.GivenUp != 0 {
				t.Errorf("it does not arrive: %+v", s)
			}
			if !test.arrives && (s.Waiting != 1 || !strings.Contains(s.LastError, test.refused)) {
				t.Errorf("%+v, want an error with %q, and to be tried again", s, test.refused)
			}
			if strings.Contains(s.LastError, "hunter") {
				t.Errorf("the password is in %q", s.LastError)
			}
		})
	}
}

// selfSigned makes a certificate for 127.0.0.1.
func selfSigned(t *testing.T) (certificate, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	pkcs8, keyErr := x509.MarshalPKCS8PrivateKey(private)
	if err := errors.Join(err, keyErr); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	roots = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(parsed)
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", pkcs8), roots
}
