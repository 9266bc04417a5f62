package pubquiz_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

var update = flag.Bool("update", false, "write cmd/quizd/licences.txt anew")

const licences = "cmd/quizd/licences.txt"

// shippable are the licences under which a part of the binary may be; docs/decisions/licence.md says why.
var shippable = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "GooglePatentsFile", "ISC", "MIT", "OFL-1.1", "PostgreSQL"}

// usable are those of what only tests and tools use.
var usable = append([]string{"MPL-2.0"}, shippable...)

// besides are the works of others that are in the binary and no Go modules, with the files that say their terms.
var besides = map[string]string{"Preact": "web/app/vendor/preact/LICENSE", "Figtree, the font": "web/static/fonts/OFL.txt"}

// platforms are those for which there are releases. Which modules are in the binary differs a little; that one has nothing for a platform fails here, too.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64"}

// TestLicences: whatever is shipped or used may be, and the binary has the notices that it owes.
func TestLicences(t *testing.T) {
	shipped := map[string][]string{} // the files with its terms, by work
	for name, file := range besides {
		shipped[name] = []string{file}
	}
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		maps.Copy(shipped, terms(t, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + processor}, "./cmd/quizd"))
	}
	checkTerms(t, shipped, shippable)
	checkTerms(t, terms(t, nil, "-test", "./...", "tool"), usable)

	if vendored, err := os.ReadDir("web/app/vendor"); err != nil || len(vendored) != 1 {
		t.Errorf("%v (%v) are vendored, and of Preact alone it is known under which licence", vendored, err)
	}
	notices := write(t, shipped)
	if *update {
		if err := os.WriteFile(licences, notices, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := os.ReadFile(licences); err != nil || !bytes.Equal(there, notices) {
		t.Errorf("%s is out of step (%v); run: go test . -run Licences -update", licences, err)
	}
}

// TestRelease: a release is for the platforms whose modules are looked at here, and takes along what is there.
func TestRelease(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	targets := "targets: [" + strings.ReplaceAll(strings.Join(platforms, ", "), "/", "_") + "]"
	if !bytes.Contains(text, []byte(targets)) {
		t.Errorf(".goreleaser.yaml has no %s", targets)
	}
	taken := regexp.MustCompile(`(?m)^ +- src: (\S+)$`).FindAllSubmatch(text, -1)
	if len(taken) == 0 {
		t.Error("a release takes nothing along")
	}
	for _, file := range taken {
		if _, err := os.Stat(strings.TrimSuffix(string(file[1]), "/**/*")); err != nil {
			t.Error(err)
		}
	}
}

var saysTerms = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.(md|txt))?$`)

// terms returns, for each module that packages use, the files that say its terms: those in the packages' folders and in all above, up to the module's.
func terms(t *testing.T, environment []string, packages ...string) map[string][]string {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Module"}, packages...)...)
	list.Env = append(os.Environ(), environment...)
	out, err := list.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("go list: %s", failed.Stderr)
	}
	found := map[string][]string{}
	seen := map[string]bool{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Dir string
				Main      bool
			}
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil || p.Module.Main { // Go's own packages are under the licence of golang.org/x/text
			continue
		}
		for folder := p.Dir; len(folder) >= len(p.Module.Dir) && !seen[folder]; folder = filepath.Dir(folder) {
			seen[folder] = true
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range entries {
				if saysTerms.MatchString(entry.Name()) && !entry.IsDir() {
					found[p.Module.Path] = append(found[p.Module.Path], filepath.Join(folder, entry.Name()))
				}
			}
		}
		if _, ok := found[p.Module.Path]; !ok {
			found[p.Module.Path] = nil
		}
	}
	return found
}

// checkTerms reads the files, and finds a licence for every work, and none that is not allowed.
func checkTerms(t *testing.T, works map[string][]string, allowed []string) {
	t.Helper()
	for work, files := range works {
		var licences []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found := licensecheck.Scan(text)
			if found.Percent < 90 && !strings.HasPrefix(filepath.Base(file), "NOTICE") {
				t.Errorf("%s has %.0f %% that no licence has: read it", file, 100-found.Percent)
			}
			for _, match := range found.Match {
				if !match.IsURL {
					licences = append(licences, match.ID)
				}
			}
		}
		if len(licences) == 0 {
			t.Errorf("%s: no licence is known in %v", work, files)
		}
		for _, licence := range licences {
			if !slices.Contains(allowed, licence) {
				t.Errorf("%s is under %s (%v), which docs/decisions/licence.md does not allow here", work, licence, files)
			}
		}
	}
}

// write writes every text once, however its lines are broken, below the works that it is for.
func write(t *testing.T, works map[string][]string) []byte {
	t.Helper()
	type notice struct {
		text  string
		works []string
	}
	notices := map[string]*notice{} // by their words
	for _, work := range slices.Sorted(maps.Keys(works)) {
		for _, file := range works[work] {
			text := trimmed(t, file)
			words := strings.Join(strings.Fields(text), " ")
			if notices[words] == nil {
				notices[words] = &notice{text: text}
			}
			if n := notices[words]; !slices.Contains(n.works, work) {
				n.works = append(n.works, work)
			}
		}
	}
	const rule = "\n\n================================================================================\n"
	var b bytes.Buffer
	b.WriteString("Pub quiz is licensed under the Apache License 2.0, which comes first. Below are the works of others that are in it, each with its terms.\n")
	b.WriteString("The Go standard library is under the terms of golang.org/x/text." + rule + "\n" + trimmed(t, "LICENSE"))
	for _, n := range slices.SortedFunc(maps.Values(notices), func(a, b *notice) int {
		return cmp.Or(strings.Compare(a.works[0], b.works[0]), strings.Compare(a.text, b.text))
	}) {
		b.WriteString(rule + strings.Join(n.works, "\n") + "\n\n" + n.text)
	}
	b.WriteString("\n")
	return b.Bytes()
}

// trimmed is what a file says, without blanks at the ends of its lines.
func trimmed(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.Trim(string(text), "\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.Join(lines, "\n")
}
