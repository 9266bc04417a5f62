// Package freeport finds ports for the servers that tests, the load test and benchmarks start.
package freeport

import (
	"fmt"
	"net"
	"strconv"
)

// Reserve returns a port that nobody uses, on any address of this machine, and that for as long as this process lives nobody is given who asks for any: no connection,
// no server, and no other call of Reserve. A server that is told of it can listen there, also again after it has ended.
//
// Only Linux can reserve a port. Elsewhere somebody else may be given it before the server listens.
func Reserve() (port string, err error) {
	n, err := reserve()
	if err != nil {
		return "", fmt.Errorf("reserve a port: %w", err)
	}
	return strconv.Itoa(n), nil
}

// Loopback is Reserve's port as an address of this machine, host:port.
func Loopback() (address string, err error) {
	port, err := Reserve()
	if err != nil {
		return "", err
	}
	return net.JoinHostPort("127.0.0.1", port), nil
}
