package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// owner is the user that a private server runs as.
type owner struct {
	name     string // empty: the user of this process
	uid, gid uint32
}

// serverUser returns this process's user, or for root, as which Postgres refuses to run, an unprivileged one.
func serverUser() (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user %s: %w", name, err)
		}
		return owner{name: name, uid: uint32(uid), gid: uint32(gid)}, nil
	}
	return owner{}, errors.New("there is no user postgres or nobody to run Postgres as, which refuses to run as root")
}

// makeFolder makes a folder that only this user, and root, may enter.
func (o owner) makeFolder(path string) error {
	if o.name != "" {
		if err := o.canReach(path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(path, 0o700); err != nil {
		return err
	}
	if o.name == "" {
		return nil
	}
	return os.Chown(path, int(o.uid), int(o.gid))
}

// canReach refuses a folder inside one, such as root's home, that is closed to this user.
func (o owner) canReach(path string) error {
	for parent := filepath.Dir(path); parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if errors.Is(err, os.ErrNotExist) {
			continue // it will be made
		}
		if err != nil {
			return err
		}
		owned := info.Sys().(*syscall.Stat_t).Uid == o.uid
		const anyoneMayEnter = 0o001
		if !owned && info.Mode().Perm()&anyoneMayEnter == 0 {
			return fmt.Errorf("the server runs as the user %s, who cannot enter %s: choose another folder", o.name, parent)
		}
	}
	return nil
}

// command prepares a program to run as this user, in a process group of its own, so that Ctrl-C in a terminal reaches only
// the process that started it.
func (o owner) command(ctx context.Context, folder, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = folder
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if o.name != "" {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: o.uid, Gid: o.gid}
	}
	endWithParent(cmd.SysProcAttr)
	return cmd
}
