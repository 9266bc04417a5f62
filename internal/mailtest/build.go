package mailtest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

var (
	once    sync.Once
	program string
	failure error
)

// build returns the path of Mailpit's program, and builds it if this version of it is not in the user's cache.
func build(ctx context.Context) (string, error) {
	once.Do(func() { program, failure = cached(ctx) })
	return program, failure
}

func cached(ctx context.Context) (string, error) {
	_, here, _, _ := runtime.Caller(0)
	module := filepath.Join(filepath.Dir(here), "mailpit")
	wanted, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("mailtest: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("mailtest: %w", err)
	}
	folder := filepath.Join(cache, "quizd-mailtest")
	path := filepath.Join(folder, fmt.Sprintf("mailpit-%x", sha256.Sum256(wanted)))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("mailtest: %w", err)
	}
	// Other packages' tests may be building it too: whoever is last replaces the same with the same.
	fresh := fmt.Sprintf("%s.%d", path, os.Getpid())
	command := exec.CommandContext(ctx, "go", "build", "-C", module, "-o", fresh, "github.com/axllent/mailpit")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("mailtest: building Mailpit: %w: %s", err, output)
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", fmt.Errorf("mailtest: %w", err)
	}
	return path, nil
}
