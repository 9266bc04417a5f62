package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const unitFile = "../../deploy/systemd/quizd.service"

// TestUnit: systemd understands every line of its unit, and finds the server as confined as docs/install-vps.md says.
func TestUnit(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("SKIPPED, and it should not be: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "quizd.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(read(t, unitFile), "/usr/local/bin/quizd", self)), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, said)
	}
	if said, err := exec.Command(analyze, "security", "--offline=true", "--threshold=12", unit).CombinedOutput(); err != nil { // tenths
		t.Errorf("systemd-analyze security: %v\n%s", err, said)
	}
}

// TestUnitLeavesTimeToStop: systemd kills nothing that is still letting requests finish.
func TestUnitLeavesTimeToStop(t *testing.T) {
	t.Parallel()
	said := regexp.MustCompile(`(?m)^TimeoutStopSec=(.+)$`).FindStringSubmatch(read(t, unitFile))
	if said == nil {
		t.Fatal("the unit does not say how long stopping may take")
	}
	if allowed, err := time.ParseDuration(said[1]); err != nil || allowed < drainTimeout+socketSpread {
		t.Errorf("%s (%v) to stop in, and draining alone may take %v", said[1], err, drainTimeout+socketSpread)
	}
}
