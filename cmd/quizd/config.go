package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/jackc/pgx/v5"
	"golang.org/x/net/http/httpguts"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/mail"
	"pubquiz/internal/openid"
	"pubquiz/ratelimit"
)

// lead is longer than the news of a launch take to nearly every screen, and shorter than anybody waits for: docs/decisions/lead.md.
const lead = 700 * time.Millisecond

// config is everything that the environment decides about a server. The tags are the one place where variables are named
// and described: the README's table and .env.example are made from them.
type config struct {
	Database
	BaseURL baseURL `env:"BASE_URL,notEmpty" example:"https://quiz.example.org" about:"The address that people use, without a path. Links and QR codes are built from it, and only its pages may send commands."`
	Listening
	SecretKeys     secretKeys `env:"SECRET_KEYS" about:"Keys that sign the tokens of phones and big screens, and seal letters and what must not be read: at least 32 characters each, such as the output of openssl rand -hex 32, separated by commas. The first signs, all are accepted, so a new key goes in front. The same on all instances."`
	SecretKeysFile secretKeys `env:"SECRET_KEYS_FILE,file" about:"A file that holds the keys, instead of SECRET_KEYS."`
	AnswerGrace    grace      `env:"ANSWER_GRACE" envDefault:"750ms" about:"How long after the close an answer is still taken, for slow networks: 0s to 10s."`
	TrustedProxies string     `env:"TRUSTED_PROXIES" example:"10.0.0.0/8" about:"Addresses or networks of the reverse proxies in front, separated by commas. Only they are believed about a client's address."`
	AddressHeader  headerName `env:"CLIENT_ADDRESS_HEADER" envDefault:"X-Forwarded-For" about:"The header in which the trusted proxies tell a client's address."`
	Budgets
	Mail
	Plans
	RedisURL         redisURL       `env:"REDIS_URL" example:"redis://localhost:6379/0" about:"A Redis server in which several instances share their budgets and who is connected to them; one instance needs none. While it does not answer, each instance counts for itself, what must not go uncounted (the table says what) is refused, and a console shows the phones of its own instance as connected."`
	RateLimitHeaders headerStyle    `env:"RATELIMIT_HEADERS" envDefault:"triple" about:"How budgets are told to clients: triple for RateLimit-Limit, -Remaining and -Reset; draft for the RateLimit-Policy and RateLimit fields of the IETF's draft."`
	MaxKeys          maxKeys        `env:"LIMITS_MAX_KEYS" envDefault:"50000" about:"How many keys (addresses, phones, hosts) each limit holds exactly, 1000 to 2000000; beyond it, newcomers are counted together. A key takes about 150 bytes."`
	RetentionDays    days           `env:"RETENTION_DAYS" example:"90" about:"How many days after the end of a session its participants' names and answers are deleted, 1 to 3650. What stays is the quiz as it was asked, what was done and when, and how many took part. Without it they are kept until the host deletes the account."`
	Operators        operators      `env:"OPERATORS" example:"operator@example.org" about:"E-mail addresses, separated by commas, of the hosts who may see /operator: limits, refusals, busiest keys. Sign up first: nobody can make an account with an address that is named here."`
	Providers        providerNames  `env:"OIDC_PROVIDERS" example:"google,brewery" about:"Names, separated by commas, of the OpenID providers with whom hosts may sign in, in the order of their buttons. Each has variables with its name in capitals, here BREWERY: OIDC_BREWERY_CLIENT_ID, OIDC_BREWERY_CLIENT_SECRET (or OIDC_BREWERY_CLIENT_SECRET_FILE, a file that holds it), OIDC_BREWERY_ISSUER, the provider's address, and OIDC_BREWERY_LABEL, what its button says; google needs no issuer. At the provider, enter BASE_URL/signin/with/brewery/back as where it sends people back to."`
	Collector        collectorURL   `env:"OTEL_EXPORTER_OTLP_ENDPOINT" example:"http://localhost:4318" about:"Where traces are sent, by OpenTelemetry's protocol over HTTP; without it none are made. OpenTelemetry's other variables hold besides, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER."`
	MetricsAddress   metricsAddress `env:"METRICS_ADDRESS" envDefault:"127.0.0.1:9180" about:"Where Prometheus metrics and profiles are served, away from the public; off for nowhere."`
	LogFormat        logFormat      `env:"LOG_FORMAT" envDefault:"json" about:"How the log is written: json or text."`
	LogLevel         slog.Level     `env:"LOG_LEVEL" envDefault:"info" about:"What is logged: debug, info, warn or error."`

	proxies          ratelimit.Proxies // TrustedProxies and AddressHeader, read
	ProviderSettings []openid.Settings // Providers, with what is said about each; exported, so that its secrets print themselves

	letters mail.Sender       // Mail, read; nil where none is sent
	sold    *billing.Settings // Plans, read; nil where nothing is sold

	// What is not the operator's to decide.
	origins        []string           // whose pages may send commands besides BaseURL's
	limiterOptions []ratelimit.Option // for tests
	lead           time.Duration      // between a question's launch and its opening
	tray           *mail.Tray         // of a demo: where letters go that are not sent

	disturbed func(time.Time) time.Time // for tests: what is taken for the database's time
}

// Database is the part of the configuration that migrations need. Exported, since env fills no other embedded structs.
type Database struct {
	DatabaseURL databaseURL `env:"DATABASE_URL,notEmpty" example:"postgres://quizd:password@localhost:5432/quizd" about:"The Postgres database. Where it is set, demo uses it too and starts no Postgres of its own. Postgres itself, not PgBouncer in transaction mode, which carries no LISTEN."`
}

// Listening is the part of the configuration that says where the server is found.
type Listening struct {
	ListenAddress listenAddress `env:"LISTEN_ADDRESS" envDefault:":8080" about:"Where the server listens, as host:port."`
}

// Budgets is the part of the configuration that says what the limits are.
type Budgets struct {
	Limits limitTable `env:"LIMITS" example:"joinSession=200 auth=5/15m hostEdit=shadow" about:"Other budgets than those of the README's table, separated by spaces or commas: a limit's name and its budget (joinSession=200), budget and window (auth=5/15m), shadow (decides and logs, but admits) or shared (global only: counted in the shared store), several joined by a plus."`
}

// Mail is the part of the configuration that says how letters are sent.
type Mail struct {
	SMTPURL     smtpURL `env:"SMTP_URL" example:"smtps://user:password@mail.example.org" about:"The mail server that sends letters to hosts, to confirm an address and to replace a forgotten password: smtps:// for one that is encrypted from the start (port 465), smtp:// for STARTTLS (port 587), smtp://host:port?tls=none for one that needs no encryption. Without it no mail is sent; demo shows its letters at /demo/mail."`
	SMTPURLFile smtpURL `env:"SMTP_URL_FILE,file" about:"A file that holds the mail server's address, instead of SMTP_URL."`
	MailFrom    string  `env:"MAIL_FROM" example:"Pub quiz <quiz@example.org>" about:"Whom the letters are from. Required with SMTP_URL."`
}

// keys returns the signing keys, the current one first.
func (c config) keys() secretKeys {
	if len(c.SecretKeys) > 0 {
		return c.SecretKeys
	}
	return c.SecretKeysFile
}

// readConfig reads a server's configuration. The error names every variable that is wrong, on a line each; what could be read is read all the same.
func readConfig(environment map[string]string) (config, error) {
	c, unread := readEnvironment[config](environment)
	c.lead = lead
	problems := []error{unread}
	// together looks at variables that belong together. Where one of them could not be read, that has been said, and what would be said of the others might be wrong.
	together := func(variables string, look func() error) {
		for mistake := range strings.SplitSeq(fmt.Sprint(unread), "\n") {
			for begins := range strings.FieldsSeq(variables) {
				if strings.HasPrefix(mistake, begins) {
					return
				}
			}
		}
		problems = append(problems, look())
	}
	together("SECRET_KEYS", func() error {
		switch {
		case len(c.SecretKeys) > 0 && len(c.SecretKeysFile) > 0:
			return errors.New("SECRET_KEYS and SECRET_KEYS_FILE are both set: keep one")
		case len(c.keys()) == 0:
			return errors.New("SECRET_KEYS is not set, nor is SECRET_KEYS_FILE")
		}
		return nil
	})
	together("OIDC_", func() error {
		settings, err := readProviders(environment, c.Providers)
		if err == nil {
			c.ProviderSettings = settings
		}
		return err
	})
	together("SMTP_ MAIL_", func() (err error) {
		c.letters, err = c.sender()
		return err
	})
	together("STRIPE_ BILLING_", func() (err error) {
		c.sold, err = c.settings(c.BaseURL)
		return err
	})
	together("TRUSTED_PROXIES", func() (err error) {
		if c.proxies, err = ratelimit.ParseProxies(c.TrustedProxies, string(c.AddressHeader)); err != nil {
			return fmt.Errorf("TRUSTED_PROXIES: %w", err)
		}
		return nil
	})
	return c, errors.Join(problems...)
}

// readEnvironment fills a T by its env tags. The error names every variable that is wrong.
func readEnvironment[T any](environment map[string]string) (T, error) {
	var c T
	err := env.ParseWithOptions(&c, env.Options{Environment: environment})
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return c, err
	}
	var problems []error
	for _, err := range all.Errors {
		if parsing, ok := errors.AsType[env.ParseError](err); ok {
			field, _ := reflect.TypeFor[T]().FieldByName(parsing.Name)
			variable, _, _ := strings.Cut(field.Tag.Get("env"), ",")
			err = fmt.Errorf("%s: %w", variable, parsing.Err)
		} else if empty, ok := errors.AsType[env.EmptyVarError](err); ok {
			err = fmt.Errorf("%s is not set", empty.Key)
		}
		problems = append(problems, err)
	}
	return c, errors.Join(problems...)
}

// databaseURL prints without its password.
type databaseURL string

func (u *databaseURL) UnmarshalText(text []byte) error {
	address := string(text)
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return errors.New("it must begin with postgres://")
	}
	if _, err := pgx.ParseConfig(address); err != nil {
		return err // which leaves out the password
	}
	*u = databaseURL(address)
	return nil
}

func (u databaseURL) String() string { return redacted(string(u)) }

// Format prints String for every verb.
func (u databaseURL) Format(f fmt.State, _ rune) { fmt.Fprint(f, u.String()) }

func (u databaseURL) LogValue() slog.Value         { return slog.StringValue(u.String()) }
func (u databaseURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// redisURL prints without its password.
type redisURL string

func (u *redisURL) UnmarshalText(text []byte) error {
	address, err := url.Parse(string(text))
	if err != nil || !slices.Contains([]string{"redis", "rediss", "unix"}, address.Scheme) {
		return errors.New("it must be an address such as redis://localhost:6379/0") // err would hold the password
	}
	*u = redisURL(text)
	return nil
}

func (u redisURL) String() string { return redacted(string(u)) }

// Format prints String for every verb.
func (u redisURL) Format(f fmt.State, _ rune) { fmt.Fprint(f, u.String()) }

func (u redisURL) LogValue() slog.Value         { return slog.StringValue(u.String()) }
func (u redisURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// redacted is an address without its password.
func redacted(u string) string {
	address, err := url.Parse(u)
	if err != nil {
		return "xxxxx"
	}
	if query := address.Query(); query.Has("password") {
		query.Set("password", "xxxxx")
		address.RawQuery = query.Encode()
	}
	return address.Redacted()
}

// baseURL is an origin: scheme, host and perhaps a port.
type baseURL string

func (u *baseURL) UnmarshalText(text []byte) error {
	address, err := url.Parse(string(text))
	switch {
	case err != nil:
		return err
	case address.Scheme != "http" && address.Scheme != "https":
		return errors.New("it must begin with https:// or http://")
	case address.Host == "":
		return errors.New("it has no host")
	case strings.Trim(address.Path, "/") != "" || address.RawQuery != "" || address.Fragment != "" || address.User != nil:
		return errors.New("it must be a scheme and a host only, such as https://quiz.example.org")
	}
	*u = baseURL(address.Scheme + "://" + strings.ToLower(address.Host))
	return nil
}

func (u baseURL) url() *url.URL {
	address, _ := url.Parse(string(u)) // it was parsed before
	return address
}

// oneOf returns the secret that is in a variable or in a file, and which variable says so.
func oneOf[T ~string](variable string, text, inFile T) (found T, by string, err error) {
	switch {
	case text != "" && inFile != "":
		return "", "", fmt.Errorf("%[1]s and %[1]s_FILE are both set: keep one", variable)
	case inFile != "":
		return inFile, variable + "_FILE", nil
	default:
		return text, variable, nil
	}
}

// listenAddress is host:port; an empty host stands for all addresses.
type listenAddress string

func (a *listenAddress) UnmarshalText(text []byte) error {
	_, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return errors.New("it must be host:port or :port")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is not a port", port)
	}
	*a = listenAddress(text)
	return nil
}

// metricsAddress is host:port, or empty for off.
type metricsAddress string

func (a *metricsAddress) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*a = ""
		return nil
	}
	return (*listenAddress)(a).UnmarshalText(text)
}

type headerName string

func (h *headerName) UnmarshalText(text []byte) error {
	if !httpguts.ValidHeaderFieldName(string(text)) {
		return errors.New("it must be the name of a header, such as X-Real-IP")
	}
	*h = headerName(text)
	return nil
}

type grace time.Duration

func (g *grace) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return errors.New("it must be a duration such as 750ms")
	}
	if d < 0 || d > 10*time.Second {
		return errors.New("it must be between 0s and 10s")
	}
	*g = grace(d)
	return nil
}

type logFormat string

func (f *logFormat) UnmarshalText(text []byte) error {
	*f = logFormat(text)
	if !slices.Contains([]logFormat{"json", "text"}, *f) {
		return errors.New("it must be json or text")
	}
	return nil
}

// limitTable is the limits in force; nil for the product's own.
type limitTable []ratelimit.Limit

func (t *limitTable) UnmarshalText(text []byte) (err error) {
	*t, err = ratelimit.Override(ratelimit.Table, string(text))
	return err
}

func (b Budgets) table() []ratelimit.Limit {
	if b.Limits == nil {
		return ratelimit.Table
	}
	return b.Limits
}

type headerStyle string

func (h *headerStyle) UnmarshalText(text []byte) error {
	*h = headerStyle(text)
	if !slices.Contains([]headerStyle{"triple", "draft"}, *h) {
		return errors.New("it must be triple or draft")
	}
	return nil
}

type maxKeys int

func (m *maxKeys) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1000 || n > 2_000_000 {
		return errors.New("it must be a number between 1000 and 2000000")
	}
	*m = maxKeys(n)
	return nil
}

// days are a number of whole days; 0 where there is no end.
type days int

func (d *days) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > 3650 {
		return errors.New("it must be a number of days between 1 and 3650")
	}
	*d = days(n)
	return nil
}

// operators are e-mail addresses, in the form by which accounts are told apart.
type operators []string

func (o *operators) UnmarshalText(text []byte) error {
	for address := range strings.SplitSeq(string(text), ",") {
		key, err := account.EmailKey(strings.TrimSpace(address))
		if err != nil {
			return fmt.Errorf("%q is no e-mail address", address)
		}
		*o = append(*o, key)
	}
	return nil
}
