// Package composetest reads compose files as Docker Compose does, with the loader of the compose specification, which is what Docker Compose is built on. It takes no Docker.
//
// The loader is built from its module (the folder composeconfig) when a test first needs it; see testprogram.
package composetest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"pubquiz/internal/testprogram"
)

// Project is what would be started: with all files merged, variables filled in, and without services whose profile is not asked for. It has what tests look at.
type Project struct {
	Services map[string]Service
	Networks map[string]struct {
		Internal bool
		IPAM     struct{ Config []Pool }
	}
	Secrets map[string]struct{ File string }
}

// Pool is where a network's addresses are from. Services that name none get theirs from the range.
type Pool struct {
	Subnet, Gateway string
	Range           string `json:"ip_range"`
}

// Service is one of a project's services.
type Service struct {
	Image, User string
	Entrypoint  []string
	Environment map[string]string // with what is in its files
	Ports       []Port
	Networks    map[string]struct {
		Address string `json:"ipv4_address"`
	}
	Secrets     []struct{ Source, Target string }
	Volumes     []struct{ Type, Source, Target string }
	DependsOn   map[string]struct{ Condition string } `json:"depends_on"`
	Healthcheck *struct{ Test []string }
	ReadOnly    bool     `json:"read_only"`
	CapDrop     []string `json:"cap_drop"`
	SecurityOpt []string `json:"security_opt"`
	Deploy      struct {
		Resources struct {
			Limits struct {
				CPUs   float64
				Memory int64 `json:",string"`
			}
		}
	}
}

// Port is one that a container listens on, and where it is found outside.
type Port struct {
	HostIP    string `json:"host_ip"`
	Published string
	Target    int
}

// Load reads what docker compose up would start in a folder, where .env may say which files and profiles are meant. Whatever the loader complains of, such as a variable that is not set, fails the test.
func Load(t testing.TB, folder string) (p Project) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	command := exec.Command(testprogram.Path(t, filepath.Join(filepath.Dir(here), "composeconfig"), "pubquiz/internal/composetest/composeconfig"))
	command.Dir = folder
	command.Env = []string{} // nothing of whoever runs the test
	var complaints bytes.Buffer
	command.Stderr = &complaints
	output, err := command.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("the compose files do not load (%v): %s", err, &complaints)
	}
	if err := json.Unmarshal(output, &p); err != nil {
		t.Fatal(err)
	}
	return p
}
