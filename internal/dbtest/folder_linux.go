package dbtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	memory     = "/dev/shm" // files that are kept in memory
	roomEnough = 1 << 30    // bytes: ten times what the tests of a package have written at most
)

// makeFolder makes the folder of a private server: in memory, where a test has its database in a twentieth of the time that a busy disk takes; on disk where there is
// too little of that.
func makeFolder() (string, error) {
	var room syscall.Statfs_t
	if err := syscall.Statfs(memory, &room); err != nil || room.Bavail*uint64(room.Bsize) < roomEnough {
		return os.MkdirTemp("", "quizd-test-")
	}
	clearAway()
	folder, err := os.MkdirTemp(memory, fmt.Sprintf("quizd-test-%d-", os.Getpid()))
	if err == nil {
		hold(folder)
	}
	return folder, err
}

// hold locks a folder for as long as this process lives, and reports whether nobody else had.
func hold(folder string) bool {
	fd, err := syscall.Open(folder, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = syscall.Close(fd)
		return false
	}
	return true
}

// clearAway removes the folders of tests that were killed, which would stay in memory until the machine restarts. What cannot be removed is another user's, or
// being removed already; and what another process holds is in use, though its number may mean nothing here: containers share the memory and not the numbers.
func clearAway() {
	folders, _ := filepath.Glob(filepath.Join(memory, "quizd-test-*-*"))
	for _, folder := range folders {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(folder), "quizd-test-%d-", &pid); err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && hold(folder) {
			_ = os.RemoveAll(folder)
		}
	}
}
