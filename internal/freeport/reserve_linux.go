package freeport

import (
	"errors"
	"os"
	"syscall"
)

// reserve binds a socket to a port that the system chooses, and never listens on it. While a port is bound the system gives it to nobody who does not ask for it by its
// number; who does, with SO_REUSEADDR as servers do, may listen there, since nobody else listens. The socket is closed when the process ends.
func reserve() (port int, err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}
	port, err = bind(fd)
	if err != nil {
		return 0, errors.Join(err, syscall.Close(fd))
	}
	return port, nil
}

func bind(fd int) (port int, err error) {
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return 0, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{}); err != nil {
		return 0, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, os.NewSyscallError("getsockname", err)
	}
	return bound.(*syscall.SockaddrInet4).Port, nil
}
