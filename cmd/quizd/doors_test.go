package main

import (
	"errors"
	"net"
	"testing"
)

// TestDoors: who knocks while they are shut is refused by the system; whoever waits for the next comer waits on; and closed for good they stay.
func TestDoors(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:"+freePort(t)) // where they can be opened again
	if err != nil {
		t.Fatal(err)
	}
	d := newDoors(l)
	came := make(chan error)
	go func() {
		for {
			conn, err := d.Accept()
			if err == nil {
				conn.Close()
			}
			if came <- err; err != nil {
				return
			}
		}
	}()
	knock := func() error {
		conn, err := net.Dial("tcp", d.Addr().String())
		if err == nil {
			conn.Close()
		}
		return err
	}
	for range 2 {
		if err := errors.Join(knock(), <-came); err != nil {
			t.Fatalf("while they are open: %v", err)
		}
		d.shut()
		if knock() == nil {
			t.Fatal("somebody listens though they are shut")
		}
		if err := d.reopen(); err != nil {
			t.Fatal(err)
		}
	}
	d.shut()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-came; !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed for good: %v", err)
	}
	if err := d.reopen(); err != nil || knock() == nil {
		t.Errorf("they were opened again: %v", err)
	}
}
