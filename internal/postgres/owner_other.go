//go:build !linux

package postgres

import "syscall"

// endWithParent does nothing here: only Linux ends a child whose parent was killed.
func endWithParent(*syscall.SysProcAttr) {}
