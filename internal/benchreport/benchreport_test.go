package benchreport

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteSection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	for _, section := range [][2]string{{"One", "1\n"}, {"Two", "2\n"}, {"One", "new\n"}, {"Two", "newer\n"}} {
		if err := WriteSection(path, section[0], section[1]); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if want := "# Benchmarks\n\n## One\n\nnew\n\n## Two\n\nnewer\n"; err != nil || string(written) != want {
		t.Errorf("%q (%v), want %q", written, err, want)
	}
}
