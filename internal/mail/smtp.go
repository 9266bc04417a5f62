package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// SMTP sends by a mail server. Each letter has a connection of its own: there are few.
type SMTP struct {
	host    string
	from    *netmail.Address
	options []gomail.Option
}

// NewSMTP returns a sender for the server at an address, which is one of
//
//	smtps://user:password@host        encrypted from the start, port 465
//	smtp://user:password@host         encrypted by STARTTLS, or nothing is sent, port 587
//	smtp://host?tls=none              not encrypted, port 25; with a password only to this machine
//
// perhaps with another port. from is who the letters are from, such as "Pub quiz <quiz@example.org>". The error never holds the password.
func NewSMTP(server, from string) (*SMTP, error) {
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("%q is not who a letter can be from", from)
	}
	address, err := url.Parse(server)
	if err != nil || address.Hostname() == "" || strings.Trim(address.Path, "/") != "" {
		return nil, errors.New("it must be an address such as smtps://user:password@mail.example.org") // err would hold the password
	}
	s := &SMTP{host: address.Hostname(), from: sender}
	port, err := s.secure(address)
	if err != nil {
		return nil, err
	}
	if given := address.Port(); given != "" {
		if port, err = strconv.Atoi(given); err != nil || port < 1 || port > 65535 {
			return nil, fmt.Errorf("%q is not a port", given)
		}
	}
	s.options = append(s.options, gomail.WithPort(port), gomail.WithTimeout(sendTimeout))
	if password, set := address.User.Password(); set {
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(address.User.Username()), gomail.WithPassword(password))
	} else if address.User != nil {
		return nil, errors.New("it names a user but no password")
	}
	if _, err := gomail.NewClient(s.host, s.options...); err != nil {
		return nil, err
	}
	return s, nil
}

// secure sets how the connection is encrypted, and returns the port that goes with it.
func (s *SMTP) secure(address *url.URL) (port int, err error) {
	query := address.Query()
	tls := query.Get("tls")
	query.Del("tls")
	switch {
	case len(query) > 0, tls != "" && tls != "none":
		return 0, errors.New("it may have no other setting than ?tls=none")
	case address.Scheme == "smtps" && tls == "":
		s.options = append(s.options, gomail.WithSSL())
		return 465, nil
	case address.Scheme == "smtp" && tls == "":
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSMandatory))
		return 587, nil
	case address.Scheme == "smtp" && (address.User == nil || isThisMachine(s.host)):
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.NoTLS))
		return 25, nil
	case address.Scheme == "smtp":
		return 0, errors.New("with tls=none a password would be sent for all to read: that is for localhost only")
	}
	return 0, errors.New("it must begin with smtps:// or smtp://, and only smtp:// can have ?tls=none")
}

func isThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Send implements Sender.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	message, err := s.compose(m)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, message)
	if message.IsDelivered() {
		return nil // whatever was wrong with the goodbye
	}
	if failure, ok := errors.AsType[*gomail.SendError](err); ok && isForGood(failure) {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return err
}

// Check connects, encrypts and signs in as for a letter, and sends none.
func (s *SMTP) Check(ctx context.Context) error {
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	_ = client.Close() // it has said all that was to be known
	return nil
}

// isForGood tells whether the server refuses this letter, and not all of ours because something is set up wrongly.
func isForGood(e *gomail.SendError) bool {
	return e.ErrorCode() >= 500 && (e.Reason == gomail.ErrSMTPRcptTo || e.Reason == gomail.ErrSMTPDataClose)
}

// compose makes the message with all its headers.
func (s *SMTP) compose(m Message) (*gomail.Msg, error) {
	local, domain, _ := strings.Cut(m.To, "@")
	domain, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return nil, fmt.Errorf("the address's domain: %w", err)
	}
	html, err := m.Letter.HTML()
	if err != nil {
		return nil, err
	}
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	message.FromMailAddress(s.from)
	if err := message.To(local + "@" + domain); err != nil {
		return nil, err
	}
	_, home, _ := strings.Cut(s.from.Address, "@")
	message.SetMessageIDWithValue(m.ID + "@" + home)
	message.SetDate()
	message.Subject(m.Letter.Subject)
	message.SetGenHeader("Auto-Submitted", "auto-generated") // so that nobody's holiday replies (RFC 3834)
	message.SetBodyString(gomail.TypeTextPlain, m.Letter.Plain())
	message.AddAlternativeString(gomail.TypeTextHTML, html)
	return message, nil
}
