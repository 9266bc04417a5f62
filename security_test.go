package pubquiz_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// requirements are how many of ASVS 5.0 each section has of levels 1 and 2, which come before those of level 3.
var requirements = map[string]int{
	"1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1,
	"4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2,
	"7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3,
	"11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4,
	"14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
}

var (
	citedTest   = regexp.MustCompile("`([a-z][a-z/]*)\\.((?:Test|Fuzz)[A-Za-z0-9_]*)`")
	citedFile   = regexp.MustCompile("`([A-Za-z][a-z/-]*\\.(?:go|ts|mod|json|yml)|Dockerfile)`")
	requirement = regexp.MustCompile(`^\| V(\d+\.\d+)\.(\d+)(?:–V\d+\.\d+\.(\d+))? \| (met|partly|not|operator|—) \| \S`)
)

// TestSecurityReview: the tests and files that docs/security.md names are there, and no requirement is left out or there twice. WebRTC's, of which there is nothing here, are in one line.
func TestSecurityReview(t *testing.T) {
	document, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(document)
	for _, cited := range citedTest.FindAllStringSubmatch(text, -1) {
		if !isTest(t, cited[1], cited[2]) {
			t.Errorf("there is no test %s in %s", cited[2], cited[1])
		}
	}
	for _, cited := range citedFile.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(cited[1]); err != nil {
			t.Errorf("there is no file %s", cited[1])
		}
	}
	reviewed := map[string]int{}
	for line := range strings.Lines(text) {
		switch row := requirement.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "| V17."):
		case row != nil:
			for n := number(row[2]); n <= max(number(row[2]), number(row[3])); n++ {
				reviewed[fmt.Sprintf("%s.%d", row[1], n)]++
			}
		case strings.HasPrefix(line, "| V"):
			t.Errorf("not read: %s", line)
		}
	}
	wanted := 0
	for section, count := range requirements {
		wanted += count
		for n := 1; n <= count; n++ {
			if name := fmt.Sprintf("%s.%d", section, n); reviewed[name] != 1 {
				t.Errorf("V%s is there %d times", name, reviewed[name])
			}
		}
	}
	if len(reviewed) != wanted {
		t.Errorf("%d requirements are reviewed, want %d", len(reviewed), wanted)
	}
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// isTest looks for a test in the folder's files.
func isTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
