package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lockFolder claims a folder for this process. The system gives it free when the process ends, in whatever way.
func lockFolder(folder string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrInUse
		}
		return nil, fmt.Errorf("locking %s: %w", folder, err)
	}
	return lock, nil
}

// unlockFolder gives the folder free. Closing the file would not be enough: a process that is being started at this
// moment holds it, too, until it has become what it is to be.
func unlockFolder(lock *os.File) {
	_ = syscall.Flock(int(lock.Fd()), syscall.LOCK_UN)
	lock.Close()
}

// stopOrphan stops the server that a killed process left behind, if there is one. On Linux it is already stopping by itself.
func (s *Server) stopOrphan(ctx context.Context, data string) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	for asked := false; ; asked = true {
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(s.socket, socketName))
		if err != nil {
			return ctx.Err() // nobody listens, unless the time is up
		}
		conn.Close()
		if !asked {
			// It answers, so the process id that it wrote down is its own and not, after a restart, somebody else's.
			if err := interrupt(filepath.Join(data, "postmaster.pid")); err != nil {
				return fmt.Errorf("stopping a server that was left behind: %w", err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// interrupt asks the process whose id is the first line of a file to end.
func interrupt(pidFile string) error {
	text, err := os.ReadFile(pidFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil // it has just ended
	}
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return fmt.Errorf("%s: %w", pidFile, err)
	}
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
