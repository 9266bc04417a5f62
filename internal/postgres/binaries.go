package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// OldestVersion of PostgreSQL that the product is tested with.
const OldestVersion = 14

// ErrNotInstalled says that no PostgreSQL server is installed, and what to do about it.
var ErrNotInstalled = errors.New(`no PostgreSQL server (14 or newer) found on this machine. Any of these will do:
  Debian, Ubuntu:  apt-get install postgresql
  Fedora:          dnf install postgresql-server
  macOS:           brew install postgresql@17
  or set DATABASE_URL to a database that runs elsewhere`)

// binaries is one installation of PostgreSQL.
type binaries struct {
	folder string
	major  int
}

func (b binaries) path(name string) string { return filepath.Join(b.folder, name) }

// findBinaries returns the installation of the given major version, or with 0 the newest there is.
func findBinaries(major int) (binaries, error) {
	var best binaries
	for _, folder := range installFolders() {
		found, err := inspect(folder)
		switch {
		case err != nil:
			continue // a client only, or a wrapper
		case major != 0 && found.major == major:
			return found, nil
		case major == 0 && found.major >= OldestVersion && found.major > best.major:
			best = found
		}
	}
	switch {
	case best.major != 0:
		return best, nil
	case major != 0:
		return binaries{}, fmt.Errorf("the data was written by PostgreSQL %d, which is not installed any more: install it again, or use another data folder", major)
	default:
		return binaries{}, ErrNotInstalled
	}
}

// installFolders lists where PostgreSQL's programs may be: on the PATH, and where packages put them off it.
func installFolders() []string {
	var folders []string
	if path, err := exec.LookPath("postgres"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",         // Debian
		"/usr/lib/postgresql*/bin",          // Alpine, Gentoo
		"/usr/pgsql-*/bin",                  // the project's RPM packages
		"/opt/homebrew/opt/postgresql*/bin", // Homebrew on ARM
		"/usr/local/opt/postgresql*/bin",    // Homebrew on Intel
		"/opt/local/lib/postgresql*/bin",    // MacPorts
		"/Applications/Postgres.app/Contents/Versions/*/bin",
		"/usr/local/pgsql/bin", // built from source
	} {
		matches, _ := filepath.Glob(pattern) // the only error is a bad pattern
		folders = append(folders, matches...)
	}
	return folders
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

func inspect(folder string) (binaries, error) {
	b := binaries{folder: folder}
	if _, err := os.Stat(b.path("initdb")); err != nil {
		return b, fmt.Errorf("inspect: %w", err)
	}
	out, err := exec.Command(b.path("postgres"), "--version").Output()
	if err != nil {
		return b, fmt.Errorf("inspect: %w", err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return b, fmt.Errorf("inspect: unknown version %q", out)
	}
	b.major, err = strconv.Atoi(string(match[1]))
	return b, err
}

// dataVersion returns the major version that wrote a data folder, 0 when there is none yet.
func dataVersion(data string) (int, error) {
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("reading the data folder's version: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}
