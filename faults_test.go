package pubquiz_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var faultTests = regexp.MustCompile("`((?:[a-z]+/)*[a-z]+\\.Test[A-Za-z]+)`")

// TestFaultsAreTried compares the table of faults in docs/operations.md with the tests: each row names some, all of them exist, and none that breaks something in the
// middle of a question is left out.
func TestFaultsAreTried(t *testing.T) {
	operations, err := os.ReadFile("docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(operations), "\n## Faults\n")
	if !found {
		t.Fatal("docs/operations.md says nothing of faults")
	}
	section, _, _ := strings.Cut(rest, "\n## ")
	existing := testsNamed(t, "Test")
	named, rows := map[string]bool{}, 0
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || cells[0] == "what breaks" {
			continue
		}
		rows++
		tests := faultTests.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 5 || len(tests) == 0 {
			t.Errorf("%d cells and %d tests: %s", len(cells), len(tests), line)
		}
		for _, test := range tests {
			named[test[1]] = true
			if !existing[test[1]] {
				t.Errorf("there is no test %s: %s", test[1], line)
			}
		}
	}
	if rows == 0 {
		t.Error("the table has no rows")
	}
	for name := range existing {
		if strings.HasPrefix(name, "cmd/quizd.TestHistoryOf") && !named[name] {
			t.Errorf("%s is not in the table", name)
		}
	}
}
