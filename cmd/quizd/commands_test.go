package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/freeport"
	"pubquiz/ratelimit"
)

// quizd prepares the command as a process of its own, with nothing in its environment but what is given.
func quizd(t *testing.T, env environment, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env = []string{"QUIZD_TEST_MAIN=1", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

// output runs the command to its end.
func output(t *testing.T, command *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), errs.String(), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), 0
}

func TestLimitsCommand(t *testing.T) {
	t.Parallel()
	out, _, code := output(t, quizd(t, nil, "limits", "--json"))
	var printed []struct {
		Name, Key            string
		Limit, WindowSeconds int
	}
	if err := json.Unmarshal([]byte(out), &printed); err != nil || code != 0 {
		t.Fatalf("exit status %d, %v: %s", code, err, out)
	}
	if len(printed) != len(ratelimit.Table) {
		t.Fatalf("%d limits printed, %d in the table", len(printed), len(ratelimit.Table))
	}
	table, _, _ := output(t, quizd(t, nil, "limits"))
	for i, limit := range ratelimit.Table {
		p := printed[i]
		if p.Name != string(limit.Name) || p.Limit != limit.Budget || p.WindowSeconds != int(limit.Window.Seconds()) || p.Key != limit.Key.String() {
			t.Errorf("printed %+v for %+v", p, limit)
		}
		if !strings.Contains(table, p.Name) {
			t.Errorf("%s is not in\n%s", p.Name, table)
		}
	}
}

// The limits that are printed are those in force, and a setting that cannot be is named.
func TestLimitsCommandWithSettings(t *testing.T) {
	t.Parallel()
	out, _, code := output(t, quizd(t, environment{"LIMITS": "joinSession=250/2m"}, "limits"))
	if code != 0 || !regexp.MustCompile(`joinSession +250 / 2 min`).MatchString(out) {
		t.Errorf("exit status %d: %s", code, out)
	}
	out, _, code = output(t, quizd(t, environment{"LIMITS": "joinSession=shadow global=500+shared"}, "limits"))
	if code != 0 || !regexp.MustCompile(`joinSession +100 / 1 min, shadow `).MatchString(out) || !regexp.MustCompile(`global +500 / 1 min  `).MatchString(out) {
		t.Errorf("exit status %d: %s", code, out)
	}
	if _, errs, code := output(t, quizd(t, environment{"LIMITS": "nothing=1"}, "limits")); code == 0 || !strings.Contains(errs, "LIMITS") {
		t.Errorf("exit status %d: %s", code, errs)
	}
}

func TestMigrateCommand(t *testing.T) {
	t.Parallel()
	env := environment{"DATABASE_URL": dbtest.URL(t)}
	migrate := func(verb string) string {
		t.Helper()
		out, errs, code := output(t, quizd(t, env, "migrate", verb))
		if code != 0 {
			t.Fatalf("migrate %s: exit status %d: %s", verb, code, errs)
		}
		return strings.TrimSpace(out)
	}
	newest, err := strconv.Atoi(migrate("version"))
	if err != nil {
		t.Fatal(err)
	}
	migrate("down")
	if older, err := strconv.Atoi(migrate("version")); err != nil || older >= newest { // the numbers have gaps
		t.Errorf("version %d after a step down from %d: %v", older, newest, err)
	}
	migrate("up")
	if got := migrate("version"); got != strconv.Itoa(newest) {
		t.Errorf("version %s after going up again, want %d", got, newest)
	}

	_, errs, code := output(t, quizd(t, nil, "migrate", "up"))
	if code == 0 || !strings.Contains(errs, "DATABASE_URL is not set") {
		t.Errorf("without a database: exit status %d, %q", code, errs)
	}
}

func TestServeCommand(t *testing.T) {
	t.Parallel()
	_, errs, code := output(t, quizd(t, environment{"ANSWER_GRACE": "soon"}, "serve"))
	for _, variable := range []string{"DATABASE_URL", "BASE_URL", "ANSWER_GRACE"} {
		if code == 0 || !strings.Contains(errs, variable) {
			t.Errorf("exit status %d, and %s is not named in %q", code, variable, errs)
		}
	}

	port, metrics := freePort(t), freePort(t)
	command := quizd(t, environment{
		"DATABASE_URL": dbtest.URL(t), "BASE_URL": "http://localhost:" + port, "SECRET_KEYS": keyA,
		"LISTEN_ADDRESS": "127.0.0.1:" + port, "METRICS_ADDRESS": "127.0.0.1:" + metrics, "LIMITS": "playerPageLoad=1",
	}, "serve")
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	log := bufio.NewReader(stderr)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	awaitLine(t, log, `"msg":"serving"`)
	if body := get(t, "http://localhost:"+port+"/readyz"); !strings.Contains(body, "ready") {
		t.Errorf("readiness: %s", body)
	}
	get(t, "http://localhost:"+port+"/")
	if answer, err := http.Get("http://localhost:" + port + "/"); err != nil || answer.StatusCode != http.StatusTooManyRequests {
		t.Errorf("past the budget of LIMITS: %v %v", answer, err)
	}
	refused := `quizd_limiter_decisions_total{decision="refused",limiter="playerPageLoad",reason="over-budget",store="memory"} 1`
	if body := get(t, "http://127.0.0.1:"+metrics+"/metrics"); !strings.Contains(body, refused) || !strings.Contains(body, "go_goroutines") {
		t.Errorf("no %s in the metrics: %s", refused, body)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest := awaitLine(t, log, `"msg":"stopped"`)
	if !strings.Contains(rest, `"limiter":"playerPageLoad"`) {
		t.Errorf("the refusal is not in the log: %s", rest)
	}
	for _, secret := range []string{keyA, "127.0.0.1", "::1"} {
		if strings.Contains(rest, secret) {
			t.Errorf("the log holds %s: %s", secret, rest)
		}
	}
	if err := command.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestDemoCommand plays the newcomer: a start, a second one beside it, Ctrl-C, a start again.
func TestDemoCommand(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "quizd-test-") // short enough for a socket, and open to the server's user
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	first := startDemo(t, folder, port)
	page := get(t, "http://localhost:"+port+"/j/"+first.joinCode)
	if !strings.Contains(page, first.joinCode) {
		t.Errorf("the join page of %s is %s", first.joinCode, page)
	}
	get(t, first.link)

	if _, errs, code := output(t, quizd(t, nil, "demo", "--port", port, "--data", folder)); code == 0 || !strings.Contains(errs, "port "+port+" is taken") {
		t.Errorf("a second demo on the same port: exit status %d, %s", code, errs)
	}
	if _, errs, code := output(t, quizd(t, nil, "demo", "--port", freePort(t), "--data", folder)); code == 0 || !strings.Contains(errs, "another demo is using "+folder) {
		t.Errorf("a second demo on the same data: exit status %d, %s", code, errs)
	}

	first.interrupt(t)
	if _, err := os.Stat(filepath.Join(folder, "postgres", "data", "postmaster.pid")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Postgres has not ended in order: %v", err)
	}
	keys, err := os.Stat(filepath.Join(folder, "secret_keys"))
	if err != nil {
		t.Fatal(err)
	}
	if keys.Mode().Perm() != 0o600 {
		t.Errorf("the keys are %v", keys.Mode())
	}

	again := startDemo(t, folder, port)
	if again.joinCode != first.joinCode {
		t.Errorf("the session is %s, want %s as before", again.joinCode, first.joinCode)
	}

	// Without its database it does not linger.
	endFirstLine(t, filepath.Join(folder, "postgres", "data", "postmaster.pid"))
	_, _ = io.Copy(io.Discard, again.stdout)
	if err := again.command.Wait(); err == nil || !strings.Contains(again.stderr.String(), "Postgres has ended") {
		t.Errorf("after Postgres ended: %v, %s", err, again.stderr)
	}
}

type demo struct {
	command        *exec.Cmd
	stdout         *bufio.Reader
	stderr         *bytes.Buffer
	link, joinCode string
}

func startDemo(t *testing.T, folder, port string) demo {
	t.Helper()
	d := demo{command: quizd(t, nil, "demo", "--port", port, "--data", folder), stderr: &bytes.Buffer{}}
	d.command.Stderr = d.stderr
	out, err := d.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.stdout = bufio.NewReader(out)
	if err := d.command.Start(); err != nil {
		t.Fatal(err)
	}
	said := awaitLine(t, d.stdout, "Ctrl-C stops")
	link := regexp.MustCompile(`http://localhost:` + port + `/signin/link\?token=\S+`).FindString(said)
	code := regexp.MustCompile(`/j/([A-Z0-9]{6})`).FindStringSubmatch(said)
	if link == "" || code == nil {
		t.Fatalf("no link or no code in\n%s\n%s", said, d.stderr)
	}
	d.link, d.joinCode = link, code[1]
	return d
}

// interrupt is Ctrl-C.
func (d demo) interrupt(t *testing.T) {
	t.Helper()
	if err := d.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, d.stdout)
	if err := d.command.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v", err)
	}
}

// awaitLine reads until a line holds what is wanted, and returns all that was read.
func awaitLine(t *testing.T, out *bufio.Reader, want string) string {
	t.Helper()
	var said strings.Builder
	for {
		line, err := out.ReadString('\n')
		said.WriteString(line)
		if strings.Contains(line, want) {
			return said.String()
		}
		if err != nil {
			t.Fatalf("it ended (%v) without %q, having said\n%s", err, want, said.String())
		}
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s\n%s", url, answer.Status, body)
	}
	return string(body)
}

// freePort returns a port for a program to listen on, on any address of this machine.
func freePort(t *testing.T) string {
	t.Helper()
	port, err := freeport.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// endFirstLine ends the process whose id is the first line of a file.
func endFirstLine(t *testing.T, pidFile string) {
	t.Helper()
	line, _, _ := strings.Cut(read(t, pidFile), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
