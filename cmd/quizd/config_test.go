package main

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"
)

const (
	keyA = "0123456789abcdef0123456789abcdef"
	keyB = "fedcba9876543210fedcba9876543210"
)

// complete is the least that a server needs.
func complete() map[string]string {
	return map[string]string{
		"DATABASE_URL": "postgres://quizd:hunter2@localhost/quizd?password=hunter3",
		"BASE_URL":     "https://Quiz.example.org/",
		"SECRET_KEYS":  keyB + ", " + keyA,
		"REDIS_URL":    "redis://quizd:hunter4@localhost:6379/0",
		"SMTP_URL":     "smtps://quiz:hunter5@mail.example.org",
		"MAIL_FROM":    "Pub quiz <quiz@example.org>",

		"STRIPE_SECRET_KEY": "sk_test_hunter8", "STRIPE_WEBHOOK_SECRET": "whsec_hunter9", "BILLING_CURRENCY": "gbp",
		"BILLING_PRICES": allPrices,
	}
}

func TestReadConfig(t *testing.T) {
	c, err := readConfig(complete())
	if err != nil {
		t.Fatal(err)
	}
	if c.BaseURL != "https://quiz.example.org" {
		t.Errorf("base URL %q", c.BaseURL)
	}
	if len(c.keys()) != 2 || string(c.keys()[0]) != keyB || string(c.keys()[1]) != keyA {
		t.Errorf("the keys are not those of SECRET_KEYS in their order")
	}
	if c.ListenAddress != ":8080" || time.Duration(c.AnswerGrace) != 750*time.Millisecond || c.LogLevel != slog.LevelInfo {
		t.Errorf("defaults: listen on %q, grace %v, level %v", c.ListenAddress, time.Duration(c.AnswerGrace), c.LogLevel)
	}
}

func TestReadConfigNamesTheVariable(t *testing.T) {
	keyFile := t.TempDir() + "/keys"
	if err := os.WriteFile(keyFile, []byte(keyA+"\n"+keyB+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mailFile := t.TempDir() + "/mail"
	if err := os.WriteFile(mailFile, []byte("smtps://quiz:hunter6@mail.example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		variable, value string
		want            string // part of the error; empty: no error
	}{
		{"RETENTION_DAYS", "", ""},
		{"RETENTION_DAYS", "30", ""},
		{"RETENTION_DAYS", "0", "RETENTION_DAYS: it must be a number of days"},
		{"RETENTION_DAYS", "a month", "RETENTION_DAYS: it must be a number of days"},
		{"DATABASE_URL", "", "DATABASE_URL is not set"},
		{"DATABASE_URL", "mysql://localhost", "DATABASE_URL: it must begin with postgres://"},
		{"DATABASE_URL", "postgres://localhost:port/", "DATABASE_URL: "},
		{"BASE_URL", "", "BASE_URL is not set"},
		{"BASE_URL", "quiz.example.org", "BASE_URL: it must begin with https://"},
		{"BASE_URL", "https://quiz.example.org/quiz", "BASE_URL: it must be a scheme and a host only"},
		{"BASE_URL", "https://", "BASE_URL: it has no host"},
		{"BASE_URL", "http://localhost:8080", ""},
		{"SECRET_KEYS", "", "SECRET_KEYS is not set"},
		{"SECRET_KEYS", "short", "SECRET_KEYS: key 1 has 5 characters"},
		{"SECRET_KEYS", keyA + ",short", "SECRET_KEYS: key 2 has 5 characters"},
		{"SECRET_KEYS_FILE", keyFile, "SECRET_KEYS and SECRET_KEYS_FILE are both set"},
		{"SECRET_KEYS_FILE", keyFile + ".missing", "SECRET_KEYS_FILE"},
		{"LISTEN_ADDRESS", "8080", "LISTEN_ADDRESS: it must be host:port"},
		{"LISTEN_ADDRESS", "off", "LISTEN_ADDRESS: it must be host:port"},
		{"LISTEN_ADDRESS", ":99999", `LISTEN_ADDRESS: "99999" is not a port`},
		{"ANSWER_GRACE", "soon", "ANSWER_GRACE: it must be a duration"},
		{"ANSWER_GRACE", "11s", "ANSWER_GRACE: it must be between"},
		{"ANSWER_GRACE", "0s", ""},
		{"TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1", ""},
		{"TRUSTED_PROXIES", "0.0.0.0/0", "TRUSTED_PROXIES: "},
		{"LIMITS", "joinSession=200 auth=5/15m+shadow,global=2400", ""},
		{"LIMITS", "joinSessions=200", `LIMITS: setting "joinSessions=200": there is no limit named`},
		{"LIMITS", "joinSession=0", "LIMITS: setting \"joinSession=0\""},
		{"LIMITS", "joinSession=many", "LIMITS: setting \"joinSession=many\""},
		{"REDIS_URL", "", ""},
		{"REDIS_URL", "rediss://quizd:hunter4@redis.example.org/1", ""},
		{"REDIS_URL", "localhost:6379", "REDIS_URL: it must be an address such as redis://"},
		{"REDIS_URL", "redis://quizd:%zz@localhost", "REDIS_URL: it must be an address such as redis://"},
		{"SMTP_URL", "smtp://quiz:hunter6@mail.example.org", ""},
		{"SMTP_URL", "", "MAIL_FROM is set, but neither SMTP_URL nor"},
		{"SMTP_URL", "mail.example.org", "SMTP_URL: it must be an address such as smtps://"},
		{"SMTP_URL", "smtp://quiz:hunter6@mail.example.org?tls=none", "SMTP_URL: with tls=none a password would be"},
		{"SMTP_URL_FILE", mailFile, "SMTP_URL and SMTP_URL_FILE are both set"},
		{"MAIL_FROM", "", "MAIL_FROM is not set"},
		{"MAIL_FROM", "Pub quiz", `MAIL_FROM: "Pub quiz" is not who`},
		{"CLIENT_ADDRESS_HEADER", "CF-Connecting-IP", ""},
		{"CLIENT_ADDRESS_HEADER", "X-Forwarded-For:", "CLIENT_ADDRESS_HEADER: it must be the name of a header"},
		{"RATELIMIT_HEADERS", "draft", ""},
		{"RATELIMIT_HEADERS", "both", "RATELIMIT_HEADERS: it must be triple or draft"},
		{"LIMITS_MAX_KEYS", "0", "LIMITS_MAX_KEYS: it must be a number between 1000 and"},
		{"OPERATORS", "ops@example.org, Alice@Example.org", ""},
		{"OPERATORS", "ops@example.org,alice", `OPERATORS: "alice" is no e-mail address`},
		{"METRICS_ADDRESS", "off", ""},
		{"METRICS_ADDRESS", "on", "METRICS_ADDRESS: it must be host:port"},
		{"LOG_FORMAT", "xml", "LOG_FORMAT: it must be json or text"},
		{"LOG_LEVEL", "loud", "LOG_LEVEL: "},
	}
	for _, test := range tests {
		t.Run(test.variable+"="+test.value, func(t *testing.T) {
			environment := complete()
			environment[test.variable] = test.value
			_, err := readConfig(environment)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}

	t.Run("all that is wrong at once", func(t *testing.T) {
		_, err := readConfig(map[string]string{"LOG_FORMAT": "xml"})
		for _, want := range []string{"DATABASE_URL", "BASE_URL", "LOG_FORMAT"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s in it", err, want)
			}
		}
	})
	t.Run("keys from a file", func(t *testing.T) {
		environment := complete()
		delete(environment, "SECRET_KEYS")
		environment["SECRET_KEYS_FILE"] = keyFile
		c, err := readConfig(environment)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.keys()) != 2 || string(c.keys()[0]) != keyA {
			t.Errorf("the keys are not those of the file in their order")
		}
	})
}

func TestConfigPrintsNoSecrets(t *testing.T) {
	c, err := readConfig(complete())
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("start", "config", c, "keys", c.keys(), "database", c.DatabaseURL, "redis", c.RedisURL)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "config", c, "keys", c.keys(), "database", c.DatabaseURL, "redis", c.RedisURL)
	printed := log.String() + fmt.Sprintf("%v %+v %#v %s %x %q", c, c, c, c.SecretKeys, c.SecretKeys, c.SecretKeys)
	for _, secret := range []string{keyA, keyB, "hunter2", "hunter3", "hunter4", "hunter5", "hunter8", "hunter9", fmt.Sprintf("%x", keyA), fmt.Sprint([]byte(keyA))} {
		if strings.Contains(printed, secret) {
			t.Errorf("%q is in %s", secret, printed)
		}
	}
}
