package dbtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFoldersOfOtherContainersAreLeftAlone: where a process is that holds a folder, nobody may know its number.
func TestFoldersOfOtherContainersAreLeftAlone(t *testing.T) {
	folder := func() string {
		t.Helper()
		path, err := os.MkdirTemp(memory, "quizd-test-1073741824-") // more than any process has
		if err != nil {
			t.Skipf("SKIPPED: nothing is kept in memory here: %v", err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(path) })
		return path
	}
	inUse, left := folder(), folder()
	if !hold(inUse) {
		t.Fatal("a new folder is somebody's")
	}
	clearAway()
	if _, err := os.Stat(inUse); err != nil {
		t.Errorf("%s is in use: %v", filepath.Base(inUse), err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left of a test that has ended: %v", filepath.Base(left), err)
	}
}
