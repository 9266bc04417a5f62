package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/history"
)

// Postgres's disk is full: what does not fit is not acknowledged, and once there is room, all is as before.
func TestHistoryOfAFullDisk(t *testing.T) {
	t.Parallel()
	c := &cluster{t: t, folder: dbtest.Folder(t)}
	disk := smallDisk(t, filepath.Join(c.folder, "postgres"))
	c.start(1)
	n := nightOn(t, c, 40, byTheHost)
	n.play(t, func() func() {
		n.direct(t, func(ctx context.Context, conn *pgx.Conn) error { // so that a few answers need more room
			_, err := conn.Exec(ctx, `ALTER TABLE answers SET (fillfactor = 10)`)
			return err
		})
		return fill(t, disk)
	}, func() {
		ctx := t.Context()
		for n.history.Outcomes()["busy"] == 0 {
			if !pause(ctx, 10*time.Millisecond) {
				t.Fatal("nobody noticed that the disk is full")
			}
		}
	})
}

// smallDisk mounts a disk that has room for little more than an empty database.
func smallDisk(t *testing.T, folder string) string {
	t.Helper()
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	err := syscall.Mount("quizd-test", folder, "tmpfs", 0, "size=160m,mode=0755")
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skipf("SKIPPED: only root may mount a small disk: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// fill leaves no room on a disk until the function it returns is called.
func fill(t *testing.T, disk string) (clear func()) {
	t.Helper()
	ballast, err := os.Create(filepath.Join(disk, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(ballast, zeros{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	return func() {
		if err := errors.Join(ballast.Close(), os.Remove(ballast.Name())); err != nil {
			t.Error(err)
		}
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Strangers hold all files that a server may have open: who is in plays on, newcomers wait until the strangers have gone.
func TestHistoryOfNoFiles(t *testing.T) {
	t.Parallel()
	n := nightOn(t, newCluster(t, 1), 10, byTheHost)
	n.connected(t)
	n.play(t, func() func() { return n.takeFiles(t) }, func() {
		for i, p := range n.phones[early:through] {
			id := fmt.Sprintf("without-files-%d", i)
			sending := history.Sending{Participant: p.participant, Question: "1.1", Answer: id, Choice: 2, Began: time.Now()}
			arrived, ok := p.sendBySocket(id, map[string]any{"id": id, "question": "1.1", "given": map[string]any{"choices": []int{2}}})
			if !ok {
				t.Fatalf("%s has lost its socket", p.name)
			}
			select {
			case o := <-arrived:
				sending.Outcome = o.Outcome
				if len(o.Given.Choices) == 1 {
					sending.Told = o.Given.Choices[0]
				}
			case <-time.After(ampleTime):
				t.Errorf("%s was told nothing", p.name)
			}
			sending.Ended = time.Now()
			n.history.Sent(sending)
		}
	})
}

// takeFiles lets a server have no more files than it has and a few, and has strangers take those, until the function it returns is called.
func (n *night) takeFiles(t *testing.T) (giveBack func()) {
	t.Helper()
	const spare, strangers = 8, 40
	in := n.members[0]
	pid := strconv.Itoa(in.command.Process.Pid)
	open, err := os.ReadDir("/proc/" + pid + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("prlimit", "--pid", pid, "--nofile="+strconv.Itoa(len(open)+spare)+":").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	gone := make(chan struct{})
	var crowd sync.WaitGroup
	for range strangers {
		crowd.Go(func() {
			for {
				conn, err := net.Dial("tcp", in.env["LISTEN_ADDRESS"])
				if err != nil {
					return // the queue is full
				}
				cut := make(chan struct{})
				go func() { _, _ = io.Copy(io.Discard, conn); close(cut) }() // who says nothing is cut after a while
				select {
				case <-gone:
					conn.Close()
					<-cut
					return
				case <-cut:
					conn.Close()
				}
			}
		})
	}
	for deadline := time.Now().Add(ampleTime); ; {
		if now, err := os.ReadDir("/proc/" + pid + "/fd"); err == nil && len(now) >= len(open)+spare {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the strangers never took all files")
		}
		time.Sleep(10 * time.Millisecond)
	}
	return func() { close(gone); crowd.Wait() }
}
