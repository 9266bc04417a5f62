package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

var transactionRate = regexp.MustCompile(`tps = ([0-9.]+)`)

// pgbench is how many prepared single inserts a second the same database takes from so many clients of pgbench, each with participants of its own.
func (s *store) pgbench(ctx context.Context, folder string, clients int, d time.Duration) (perSecond float64, err error) {
	each := len(s.publicIDs) * seatsPerRoom / clients
	script := filepath.Join(folder, "insert.sql")
	text := fmt.Sprintf(`\set n :n + 1
\set at %d + :client_id * %d + :n
\set room :at / %d
\set s %d + :room
\set p %d + :at
\set q %d + :room
INSERT INTO answers (session_id, participant_id, question_id, answer_id, given) VALUES (:s, :p, :q, 'a' || :p::bigint, '{"choices": [1]}');
`, -1, each, seatsPerRoom, s.firstRoom, s.first, s.firstOpen)
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		return 0, err
	}
	address, err := url.Parse(s.url)
	if err != nil {
		return 0, err
	}
	binary := "pgbench"
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench"); len(found) > 0 {
		binary = found[len(found)-1]
	}
	out, err := exec.CommandContext(ctx, binary, "-n", "-M", "prepared", "-D", "n=0", "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(int(d/time.Second)),
		"-f", script, "-h", address.Query().Get("host"), "-U", address.Query().Get("user"), filepath.Base(address.Path)).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	found := transactionRate.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench: %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
