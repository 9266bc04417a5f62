package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"pubquiz/internal/openid"
	"pubquiz/internal/secret"
	"pubquiz/internal/tracing"
	"pubquiz/web"
)

// providerNames are the OpenID providers with whom hosts may sign in.
type providerNames []string

// A name is part of addresses and of the names of variables.
var providerName = regexp.MustCompile(`^[a-z][a-z0-9]{0,19}$`)

func (n *providerNames) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		name = strings.TrimSpace(name)
		switch {
		case !providerName.MatchString(name):
			return fmt.Errorf("%q is no name: use up to 20 small letters and digits, such as google", name)
		case slices.Contains(*n, name):
			return fmt.Errorf("%q is there twice", name)
		}
		*n = append(*n, name)
	}
	return nil
}

// providerVariable is a variable of one provider: its name in capitals, and what it is.
var providerVariable = regexp.MustCompile(`^OIDC_([A-Z0-9]+)_(ISSUER|LABEL|CLIENT_ID|CLIENT_SECRET|CLIENT_SECRET_FILE)$`)

// readProviders reads what the environment says about each provider. The error names every variable that is wrong.
func readProviders(environment map[string]string, names providerNames) ([]openid.Settings, error) {
	var (
		all      []openid.Settings
		problems []error
	)
	for variable := range environment {
		if m := providerVariable.FindStringSubmatch(variable); m != nil && !slices.Contains(names, strings.ToLower(m[1])) {
			problems = append(problems, fmt.Errorf("%s: OIDC_PROVIDERS names no %s", variable, strings.ToLower(m[1])))
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	for _, name := range names {
		settings, err := readProvider(environment, name)
		if err != nil {
			problems = append(problems, err)
		}
		for _, other := range all {
			if other.Issuer == settings.Issuer {
				problems = append(problems, fmt.Errorf("OIDC_PROVIDERS: %s and %s have the same issuer", other.Name, name))
			}
		}
		all = append(all, settings)
	}
	return all, errors.Join(problems...)
}

func readProvider(environment map[string]string, name string) (openid.Settings, error) {
	prefix := "OIDC_" + strings.ToUpper(name) + "_"
	settings := openid.Settings{
		Name: name, Label: environment[prefix+"LABEL"], Issuer: environment[prefix+"ISSUER"],
		ClientID: environment[prefix+"CLIENT_ID"], ClientSecret: secret.Text(environment[prefix+"CLIENT_SECRET"]),
	}
	settings.Label = cmp.Or(settings.Label, strings.ToUpper(name[:1])+name[1:])
	if name == "google" {
		settings.Issuer = cmp.Or(settings.Issuer, openid.GoogleIssuer)
	}
	var problems []error
	if path := environment[prefix+"CLIENT_SECRET_FILE"]; path != "" {
		text, err := os.ReadFile(path)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("%sCLIENT_SECRET_FILE: %w", prefix, err))
		case settings.ClientSecret != "":
			problems = append(problems, fmt.Errorf("%[1]sCLIENT_SECRET and %[1]sCLIENT_SECRET_FILE are both set: keep one", prefix))
		}
		settings.ClientSecret = secret.Text(strings.TrimSpace(string(text)))
	}
	if settings.ClientID == "" {
		problems = append(problems, fmt.Errorf("%sCLIENT_ID is not set", prefix))
	}
	if settings.ClientSecret == "" {
		problems = append(problems, fmt.Errorf("%[1]sCLIENT_SECRET is not set, nor is %[1]sCLIENT_SECRET_FILE", prefix))
	}
	if err := checkIssuer(settings.Issuer); err != nil {
		problems = append(problems, fmt.Errorf("%sISSUER: %w", prefix, err))
	}
	return settings, errors.Join(problems...)
}

// checkIssuer takes https and, for trying things out, http on this machine.
func checkIssuer(issuer string) error {
	address, err := url.Parse(issuer)
	switch {
	case issuer == "":
		return errors.New("it is not set")
	case err != nil || address.Host == "" || address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return errors.New("it must be an address such as https://login.example.org")
	case address.Scheme == "https":
		return nil
	case address.Scheme == "http" && (address.Hostname() == "localhost" || net.ParseIP(address.Hostname()).IsLoopback()):
		return nil
	}
	return errors.New("it must begin with https://")
}

// signInProviders are the providers that come back to the base URL.
func (c config) signInProviders(traces *tracing.Traces) []*openid.Provider {
	var all []*openid.Provider
	for _, settings := range c.ProviderSettings {
		settings.Transport = traces.Calls(http.DefaultTransport)
		all = append(all, openid.New(settings, c.BaseURL.url().JoinPath(web.ProviderReturn(settings.Name))))
	}
	return all
}
