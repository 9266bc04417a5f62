package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/mail"
)

// smtpURL is a mail server's address, which prints without its password.
type smtpURL string

func (u *smtpURL) UnmarshalText(text []byte) error {
	address := strings.TrimSpace(string(text)) // of a file, too
	if _, err := mail.NewSMTP(address, "quiz@example.org"); err != nil {
		return err // which leaves out the password
	}
	*u = smtpURL(address)
	return nil
}

func (u smtpURL) String() string { return redacted(string(u)) }

// Format prints String for every verb.
func (u smtpURL) Format(f fmt.State, _ rune) { fmt.Fprint(f, u.String()) }

func (u smtpURL) LogValue() slog.Value         { return slog.StringValue(u.String()) }
func (u smtpURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// sender sends the letters to hosts; nil where the configuration names no mail server. The error names the variable that is wrong.
func (m Mail) sender() (mail.Sender, error) {
	server, _, err := oneOf("SMTP_URL", m.SMTPURL, m.SMTPURLFile)
	if err != nil {
		return nil, err
	}
	switch {
	case server == "" && m.MailFrom == "":
		return nil, nil
	case server == "":
		return nil, errors.New("MAIL_FROM is set, but neither SMTP_URL nor SMTP_URL_FILE")
	case m.MailFrom == "":
		return nil, errors.New("MAIL_FROM is not set: letters need somebody whom they are from")
	}
	smtp, err := mail.NewSMTP(string(server), m.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("MAIL_FROM: %w", err)
	}
	return smtp, nil
}

// sends is where letters go: to the mail server, or to the tray of a demo; nil where none are written.
func (c config) sends() mail.Sender {
	if c.letters == nil && c.tray != nil {
		return c.tray
	}
	return c.letters
}

// outbox is where letters wait to be sent; nil where none are written.
func (c config) outbox(pool *pgxpool.Pool) (*mail.Outbox, error) {
	if c.sends() == nil {
		return nil, nil
	}
	return mail.NewOutbox(pool, c.keys()...)
}
