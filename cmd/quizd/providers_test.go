package main

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"pubquiz/internal/openid"
)

// withProviders are Google, and one of the operator's own.
func withProviders() map[string]string {
	environment := complete()
	maps.Copy(environment, map[string]string{
		"OIDC_PROVIDERS": "google, brewery", "OIDC_GOOGLE_CLIENT_ID": "quiz.apps.example", "OIDC_GOOGLE_CLIENT_SECRET": "hunter5",
		"OIDC_BREWERY_ISSUER": "https://login.example.org/realms/pub", "OIDC_BREWERY_LABEL": "The Brewery", "OIDC_BREWERY_CLIENT_ID": "quiz", "OIDC_BREWERY_CLIENT_SECRET": "hunter6",
	})
	return environment
}

func TestProvidersAreRead(t *testing.T) {
	c, err := readConfig(withProviders())
	if err != nil {
		t.Fatal(err)
	}
	want := []openid.Settings{
		{Name: "google", Label: "Google", Issuer: openid.GoogleIssuer, ClientID: "quiz.apps.example", ClientSecret: "hunter5"},
		{Name: "brewery", Label: "The Brewery", Issuer: "https://login.example.org/realms/pub", ClientID: "quiz", ClientSecret: "hunter6"},
	}
	if len(c.ProviderSettings) != 2 || c.ProviderSettings[0] != want[0] || c.ProviderSettings[1] != want[1] {
		t.Errorf("%+v", c.ProviderSettings)
	}
	if printed := fmt.Sprintf("%v %+v %#v %x", c, c, c, c.ProviderSettings[0].ClientSecret); strings.Contains(printed, "hunter5") || strings.Contains(printed, "hunter6") {
		t.Error("a secret is in " + printed)
	}
	if c, err := readConfig(complete()); err != nil || len(c.signInProviders(nil)) != 0 {
		t.Errorf("without any: %v", err)
	}
}

func TestProvidersNameTheVariable(t *testing.T) {
	file := t.TempDir() + "/secret"
	if err := os.WriteFile(file, []byte("hunter7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ variable, value, want string }{
		{"OIDC_PROVIDERS", "google,brewery,", `OIDC_PROVIDERS: "" is no name`},
		{"OIDC_PROVIDERS", "google,Brewery", `OIDC_PROVIDERS: "Brewery" is no name`},
		{"OIDC_PROVIDERS", "google,brewery,google", `OIDC_PROVIDERS: "google" is there twice`},
		{"OIDC_PROVIDERS", "google", "OIDC_BREWERY_ISSUER: OIDC_PROVIDERS names no brewery"},
		{"OIDC_PROVIDERS", "", "OIDC_GOOGLE_CLIENT_ID: OIDC_PROVIDERS names no google"},
		{"OIDC_WROK_ISSUER", "https://login.example.org", "OIDC_WROK_ISSUER: OIDC_PROVIDERS names no wrok"},
		{"OIDC_SERVICE_HOST", "10.0.0.1", ""},
		{"OIDC_GOOGLE_CLIENT_ID", "", "OIDC_GOOGLE_CLIENT_ID is not set"},
		{"OIDC_GOOGLE_CLIENT_SECRET", "", "OIDC_GOOGLE_CLIENT_SECRET is not set"},
		{"OIDC_GOOGLE_CLIENT_SECRET_FILE", file, "are both set: keep one"},
		{"OIDC_GOOGLE_CLIENT_SECRET_FILE", file + ".missing", "OIDC_GOOGLE_CLIENT_SECRET_FILE: "},
		{"OIDC_BREWERY_ISSUER", "", "OIDC_BREWERY_ISSUER: it is not set"},
		{"OIDC_BREWERY_ISSUER", "login.example.org", "OIDC_BREWERY_ISSUER: it must be an address"},
		{"OIDC_BREWERY_ISSUER", "http://login.example.org", "OIDC_BREWERY_ISSUER: it must begin with https://"},
		{"OIDC_BREWERY_ISSUER", "http://localhost:9000/", ""},
		{"OIDC_BREWERY_ISSUER", "http://127.0.0.1:9000/", ""},
		{"OIDC_BREWERY_ISSUER", openid.GoogleIssuer, "google and brewery have the same issuer"},
		{"OIDC_BREWERY_LABEL", "", ""},
	} {
		t.Run(test.variable+"="+test.value, func(t *testing.T) {
			environment := withProviders()
			environment[test.variable] = test.value
			_, err := readConfig(environment)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
	environment := withProviders()
	delete(environment, "OIDC_BREWERY_CLIENT_SECRET")
	environment["OIDC_BREWERY_CLIENT_SECRET_FILE"] = file
	if c, err := readConfig(environment); err != nil || c.ProviderSettings[1].ClientSecret != "hunter7" {
		t.Errorf("from a file: %v", err)
	}
}
