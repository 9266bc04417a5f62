//go:build !linux

package dbtest

import "os"

// makeFolder makes the folder of a private server.
func makeFolder() (string, error) { return os.MkdirTemp("", "quizd-test-") }
