package main

import (
	"maps"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/internal/composetest"
)

// instances are the services that run this program.
var instances = []string{"quizd-1", "quizd-2"}

const (
	withTLS   = "COMPOSE_FILE=docker-compose.yml:deploy/tls.yml\nBASE_URL=https://quiz.example.org\n"
	toMailpit = "SMTP_URL=smtp://mail:1025?tls=none\nMAIL_FROM=quiz@example.org\n"
)

// inEnv are the ways of starting docker-compose.yml that docs/operations.md knows: what stands in .env, which services there are besides the five that there always are, and what is open to whom.
var inEnv = []struct {
	name, lines string
	besides     []string
	open        []string
}{
	{"nothing", "", nil, []string{"proxy 8080:8080"}},
	{"an address", "BASE_URL=http://192.168.1.20:8080\n", nil, []string{"proxy 8080:8080"}},
	{"a port", "BASE_URL=http://192.168.1.20\nHTTP_PORT=80\n", nil, []string{"proxy 80:8080"}},
	{"TLS", withTLS, nil, []string{"proxy 443:8443", "proxy 80:8080"}},
	{"monitoring", "COMPOSE_PROFILES=monitoring\n", []string{"grafana", "prometheus"}, []string{"grafana 127.0.0.1:3000:3000", "proxy 8080:8080"}},
	{"dev", "COMPOSE_PROFILES=dev\n" + toMailpit, []string{"mail"}, []string{"mail 127.0.0.1:8025:8025", "proxy 8080:8080"}},
	{"both", "COMPOSE_PROFILES=dev,monitoring\n" + toMailpit, []string{"grafana", "mail", "prometheus"}, []string{"grafana 127.0.0.1:3000:3000", "mail 127.0.0.1:8025:8025", "proxy 8080:8080"}},
	{"all", withTLS + "COMPOSE_PROFILES=dev,monitoring\n" + toMailpit, []string{"grafana", "mail", "prometheus"}, []string{"grafana 127.0.0.1:3000:3000", "mail 127.0.0.1:8025:8025", "proxy 443:8443", "proxy 80:8080"}},
}

// TestComposeStarts: whatever stands in .env, the compose files load without a complaint, and say of every service what docs/operations.md says.
func TestComposeStarts(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, way := range inEnv {
		lines = append(lines, strings.Split(way.lines, "\n")...)
		t.Run(way.name, func(t *testing.T) {
			project, folder := compose(t, way.lines)
			services := slices.Sorted(slices.Values(append([]string{"postgres", "proxy", "quizd-1", "quizd-2", "redis"}, way.besides...)))
			if started := slices.Sorted(maps.Keys(project.Services)); !slices.Equal(started, services) {
				t.Errorf("%v are started, want %v", started, services)
			}
			if open := published(project); !slices.Equal(open, way.open) {
				t.Errorf("%q are open, want %q", open, way.open)
			}
			for name, service := range project.Services {
				checkConfined(t, name, service)
				checkGiven(t, name, service, project)
			}
			checkOrder(t, project)
			checkAddresses(t, project)
			checkProxy(t, project.Services["proxy"])
			for _, name := range instances {
				checkInstance(t, project, name, folder)
			}
		})
	}
	documented := found(readFile(t, "../../docs/operations.md"), "(?m)^\\| `(COMPOSE_[^`]+)`")
	if len(documented) == 0 {
		t.Error("docs/operations.md has no table of what may stand in .env")
	}
	for _, line := range documented {
		if !slices.Contains(lines, line) {
			t.Errorf("docs/operations.md says %s, which is not tried", line)
		}
	}
}

// TestComposeHandsOnWhatIsSet: every line of .env.example arrives as it stands there, but for what docker-compose.yml sets itself, and so does a dollar in single quotes.
func TestComposeHandsOnWhatIsSet(t *testing.T) {
	t.Parallel()
	itself, _ := compose(t, "")
	example := regexp.MustCompile(`(?m)^#([A-Z_]+=)`).ReplaceAllString(readFile(t, "../../.env.example"), "$1") + "SMTP_URL='smtps://quiz:pa$$word@mail.example.org'\n"
	given, _ := compose(t, example)
	want := map[string]string{}
	for line := range strings.Lines(example) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			want[name] = strings.Trim(value, "'")
		}
	}
	set := itself.Services["quizd-1"].Environment
	delete(set, "BASE_URL") // whose default it has
	maps.Copy(want, set)
	if got := given.Services["quizd-1"].Environment; !maps.Equal(got, want) {
		t.Errorf("the instances get %q, want %q", got, want)
	}
}

// compose reads our files as they are read in a folder with this .env, after scripts/secrets, and with a certificate and its key where docs/operations.md says.
func compose(t *testing.T, env string) (project composetest.Project, folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, copied := range []string{"deploy", "scripts"} {
		if err := os.CopyFS(filepath.Join(folder, copied), os.DirFS(filepath.Join("../..", copied))); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := exec.Command("bash", filepath.Join(folder, "scripts/secrets")).CombinedOutput(); err != nil {
		t.Fatalf("scripts/secrets: %v: %s", err, said)
	}
	for name, content := range map[string]string{".env": env, "docker-compose.yml": readFile(t, "../../docker-compose.yml"), "secrets/tls_certificate": "", "secrets/tls_key": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return composetest.Load(t, folder), folder
}

func published(project composetest.Project) (open []string) {
	for name, service := range project.Services {
		for _, port := range service.Ports {
			at := port.Published + ":" + strconv.Itoa(port.Target)
			if port.HostIP != "" {
				at = port.HostIP + ":" + at
			}
			open = append(open, name+" "+at)
		}
	}
	slices.Sort(open)
	return open
}

// checkConfined: a service can take neither the machine nor more rights than it needs, and is the version that it was.
func checkConfined(t *testing.T, name string, s composetest.Service) {
	t.Helper()
	if limits := s.Deploy.Resources.Limits; limits.CPUs == 0 || limits.Memory == 0 {
		t.Errorf("%s has no bound for memory or processor", name)
	}
	if !slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
		t.Errorf("%s may gain rights: %v", name, s.SecurityOpt)
	}
	if confined := s.ReadOnly && slices.Equal(s.CapDrop, []string{"ALL"}); !confined && name != "postgres" { // which gives its folder to its user first
		t.Errorf("%s can write its files (read only: %t) or has capabilities (dropped: %v)", name, s.ReadOnly, s.CapDrop)
	}
	if _, tag, tagged := strings.Cut(s.Image, ":"); (!tagged || tag == "latest") && !slices.Contains(instances, name) { // which are built here
		t.Errorf("%s is of whichever version is the latest: %s", name, s.Image)
	}
}

// checkGiven: whatever a service is given of ours is there, and it is given the secrets that its variables name.
func checkGiven(t *testing.T, name string, s composetest.Service, project composetest.Project) {
	t.Helper()
	var secrets []string
	for _, secret := range s.Secrets {
		secrets = append(secrets, secret.Target)
		if _, err := os.Stat(project.Secrets[secret.Source].File); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, volume := range s.Volumes {
		if _, err := os.Stat(volume.Source); volume.Type == "bind" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for variable, value := range s.Environment {
		for _, file := range found(value, `(/run/secrets/\w+)`) {
			if !slices.Contains(secrets, file) {
				t.Errorf("%s of %s names %s, and there are %v", variable, name, file, secrets)
			}
		}
	}
}

// checkOrder: nothing starts before what it needs answers.
func checkOrder(t *testing.T, project composetest.Project) {
	t.Helper()
	for name, needs := range map[string][]string{"proxy": instances, "quizd-1": {"postgres", "redis"}, "quizd-2": {"postgres", "redis"}} {
		waits := project.Services[name].DependsOn
		for _, needed := range needs {
			if waits[needed].Condition != "service_healthy" {
				t.Errorf("%s does not wait until %s answers", name, needed)
			}
		}
	}
	for name, service := range project.Services {
		if service.Healthcheck == nil && name != "mail" { // whose image has one
			t.Errorf("nobody asks whether %s answers", name)
		}
	}
}

// checkAddresses: nobody can be given an address that is another's, the instances believe the proxy alone, nginx and Prometheus ask the instances, and what keeps data is not reached from outside.
func checkAddresses(t *testing.T, project composetest.Project) {
	t.Helper()
	const network = "front"
	if len(project.Networks[network].IPAM.Config) != 1 {
		t.Fatalf("the addresses are from %v", project.Networks[network].IPAM.Config)
	}
	pool := project.Networks[network].IPAM.Config[0]
	whole, given := prefix(t, pool.Subnet), prefix(t, pool.Range)
	proxy := project.Services["proxy"].Networks[network].Address
	var upstream, watched []string
	for _, name := range instances {
		instance := project.Services[name]
		upstream = append(upstream, instance.Networks[network].Address)
		watched = append(watched, name+instance.Environment["METRICS_ADDRESS"])
		if trusted := instance.Environment["TRUSTED_PROXIES"]; trusted != proxy {
			t.Errorf("%s believes %s, and the proxy is %s", name, trusted, proxy)
		}
	}
	for _, address := range append([]string{pool.Gateway, proxy}, upstream...) {
		if at, err := netip.ParseAddr(address); err != nil || !whole.Contains(at) || given.Contains(at) {
			t.Errorf("%q (%v) is not in %v, or among those given to whoever comes, %v", address, err, whole, given)
		}
	}
	if asked := found(readFile(t, "../../deploy/nginx/http.conf"), `server ([\d.]+):8080`); !slices.Equal(asked, upstream) {
		t.Errorf("nginx asks %v, and the instances are %v", asked, upstream)
	}
	if asked := found(readFile(t, "../../deploy/prometheus/prometheus.yml"), `targets: \[(.*)\]`); !slices.Equal(asked, []string{strings.Join(watched, ", ")}) {
		t.Errorf("Prometheus asks %v, and the instances are %v", asked, watched)
	}
	for _, name := range []string{"postgres", "redis", "prometheus"} {
		for joined := range project.Services[name].Networks {
			if !project.Networks[joined].Internal {
				t.Errorf("%s is in %s, which leads outside", name, joined)
			}
		}
	}
}

func prefix(t *testing.T, text string) netip.Prefix {
	t.Helper()
	parsed, err := netip.ParsePrefix(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// checkProxy: what is open outside is what nginx listens on, with the file that it is started with, and it has the secrets that the file names.
func checkProxy(t *testing.T, proxy composetest.Service) {
	t.Helper()
	file := proxy.Entrypoint[slices.Index(proxy.Entrypoint, "-c")+1]
	configuration := readFile(t, filepath.Join("../../deploy/nginx", filepath.Base(file)))
	var open, secrets []string
	for _, port := range proxy.Ports {
		open = append(open, strconv.Itoa(port.Target))
	}
	for _, secret := range proxy.Secrets {
		secrets = append(secrets, secret.Target)
	}
	if listens := found(configuration, `listen (\d+)`); !slices.Equal(slices.Sorted(slices.Values(listens)), slices.Sorted(slices.Values(open))) {
		t.Errorf("with %s nginx listens on %v, and open are %v", file, listens, open)
	}
	if named := found(configuration, `(/run/secrets/\w+)`); !slices.Equal(slices.Sorted(slices.Values(named)), slices.Sorted(slices.Values(secrets))) {
		t.Errorf("%s names %v, and nginx is given %v", file, named, secrets)
	}
	if proxy.User != "nginx" {
		t.Errorf("nginx runs as %q", proxy.User)
	}
}

// checkInstance: the server reads all that it is given, can make sense of it, and finds Postgres, with its password, and Redis there.
func checkInstance(t *testing.T, project composetest.Project, name, folder string) {
	t.Helper()
	known := []string{"GOMEMLIMIT", "COMPOSE_FILE", "COMPOSE_PROFILES", "HTTP_PORT"} // the runtime's, and what .env has for Docker Compose
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		variable, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		known = append(known, variable)
	}
	instance, server := project.Services[name], project.Services["postgres"].Environment
	given := map[string]string{}
	for variable, value := range instance.Environment {
		if !slices.Contains(known, variable) {
			t.Errorf("nobody reads %s", variable)
		}
		given[variable] = strings.ReplaceAll(value, "/run/secrets/", folder+"/secrets/")
	}
	if _, err := readConfig(given); err != nil {
		t.Errorf("%s does not start: %v", name, err)
	}
	database, err := pgconn.ParseConfig(given["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	if database.User != server["POSTGRES_USER"] || database.Database != server["POSTGRES_DB"] {
		t.Errorf("%s asks for %s of %s, and Postgres has %s of %s", name, database.Database, database.User, server["POSTGRES_DB"], server["POSTGRES_USER"])
	}
	if password := readFile(t, filepath.Join(folder, "secrets/postgres_password")); password == "" || database.Password != password {
		t.Errorf("%s has another password than Postgres", name)
	}
	redis, err := url.Parse(given["REDIS_URL"])
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{database.Host, redis.Hostname()} {
		if !meet(instance, project.Services[host]) {
			t.Errorf("%s does not reach %s", name, host)
		}
	}
	if letters := given["SMTP_URL"]; letters != "" && !meet(instance, project.Services["mail"]) {
		t.Errorf("%s does not reach the server of %s", name, letters)
	}
	if check := instance.Healthcheck; check == nil || check.Test[0] != "CMD" { // the image has no shell
		t.Errorf("%s is asked by %v", name, check)
	}
}

// meet reports whether two services are in one network.
func meet(a, b composetest.Service) bool {
	for network := range a.Networks {
		if _, ok := b.Networks[network]; ok {
			return true
		}
	}
	return false
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
