package main

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestComposeAgreesWithTheProxy: the addresses in nginx's files are those of the containers, and the instances believe the proxy's alone.
func TestComposeAgreesWithTheProxy(t *testing.T) {
	t.Parallel()
	compose, proxy := readFile(t, "../../docker-compose.yml"), readFile(t, "../../deploy/nginx/http.conf")
	addresses := found(compose, `ipv4_address: ([\d.]+)`)
	if len(addresses) != 3 {
		t.Fatalf("the fixed addresses are %v, want the proxy's and two instances'", addresses)
	}
	if trusted := found(compose, `TRUSTED_PROXIES: (.*)`); !slices.Equal(trusted, addresses[:1]) {
		t.Errorf("%v are believed, and the proxy is %s", trusted, addresses[0])
	}
	if upstream := found(proxy, `server ([\d.]+):8080`); !slices.Equal(upstream, addresses[1:]) {
		t.Errorf("nginx asks %v, and the instances are %v", upstream, addresses[1:])
	}
}

// TestComposeSetsWhatIsRead: every variable that the instances are given is one of theirs.
func TestComposeSetsWhatIsRead(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(readFile(t, "../../docker-compose.yml"), "environment: &settings\n")
	settings, _, ok := strings.Cut(rest, "\n  secrets:")
	if !ok {
		t.Fatal("docker-compose.yml has no settings of the instances")
	}
	known := []string{"GOMEMLIMIT"} // the runtime's
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		known = append(known, name)
	}
	for _, name := range found(settings, `(?m)^    ([A-Z_]+):`) {
		if !slices.Contains(known, name) && !strings.HasPrefix(name, "OIDC_") {
			t.Errorf("nobody reads %s", name)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// found are the first groups of all matches.
func found(text, pattern string) (groups []string) {
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		groups = append(groups, match[1])
	}
	return groups
}
