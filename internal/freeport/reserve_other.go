//go:build !linux

package freeport

import "net"

// reserve listens on a port that the system chooses, and no longer.
func reserve() (port int, err error) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
