// Package testprogram builds and runs the real programs that tests try the product against. Each has a module of its own, a folder with a go.mod that pins it, so that
// nothing of it is part of the product.
package testprogram

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pubquiz/internal/freeport"
)

var (
	mu    sync.Mutex
	built = map[string]result{} // by the program's package
)

type result struct {
	path string
	err  error
}

// Path returns the path of the program that a package of the module in the folder is, and builds it if the user's cache does not have it as the module is now.
// That takes a minute or two. Where it is not possible the test fails in CI, and is skipped elsewhere.
func Path(t testing.TB, module, program string) string {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	r, ok := built[program]
	if !ok {
		r.path, r.err = cached(t.Context(), module, program)
		built[program] = r
	}
	switch {
	case r.err != nil && os.Getenv("CI") == "true":
		t.Fatal(r.err)
	case r.err != nil:
		t.Skipf("SKIPPED, and it should not be: %v", r.err)
	}
	return r.path
}

func cached(ctx context.Context, module, program string) (string, error) {
	version, err := sum(module)
	if err != nil {
		return "", fmt.Errorf("testprogram: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("testprogram: %w", err)
	}
	folder := filepath.Join(cache, "quizd-test-programs")
	path := filepath.Join(folder, fmt.Sprintf("%s-%x", filepath.Base(module), version))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("testprogram: %w", err)
	}
	// Other packages' tests may be building it too: whoever is last replaces the same with the same.
	fresh := fmt.Sprintf("%s.%d", path, os.Getpid())
	command := exec.CommandContext(ctx, "go", "build", "-C", module, "-o", fresh, program)
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("testprogram: building %s: %w: %s", program, err, output)
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", fmt.Errorf("testprogram: %w", err)
	}
	return path, nil
}

// sum tells a module as it is from what it was: by what it pins, and by the code of its own that it may have.
func sum(module string) ([]byte, error) {
	code, err := filepath.Glob(filepath.Join(module, "*.go"))
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, path := range append([]string{filepath.Join(module, "go.mod")}, code...) {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		hash.Write(content)
	}
	return hash.Sum(nil), nil
}

// Run starts a program that serves, and ends it with its test. It returns when the program answers, and fails the test if it does not.
func Run(t testing.TB, command *exec.Cmd, answers func() bool) {
	t.Helper()
	const patience = time.Minute
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = command.Wait(); close(ended) }()
	t.Cleanup(func() { _ = command.Process.Kill(); <-ended })
	for deadline := time.Now().Add(patience); !answers(); time.Sleep(20 * time.Millisecond) {
		select {
		case <-ended:
			t.Fatalf("%s has ended: %s", filepath.Base(command.Path), output.String())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not answer", filepath.Base(command.Path))
		}
	}
}

// FreeAddress is an address of this machine for a program to listen on.
func FreeAddress(t testing.TB) string {
	t.Helper()
	address, err := freeport.Loopback()
	if err != nil {
		t.Fatal(err)
	}
	return address
}
