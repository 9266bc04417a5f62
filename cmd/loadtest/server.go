package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pubquiz/internal/freeport"
	"pubquiz/internal/postgres"
	"pubquiz/internal/proxies"
)

// server is a server of our own: a Postgres with empty data, and one or more instances of quizd on it, each a real process.
type server struct {
	folder    string
	database  *postgres.Server
	instances []*instance
	proxy     *proxies.Server // nil without one
	proxyURL  string
}

// proxyConfigurations is the folder of the proxies' configurations, from the top of the repository.
const proxyConfigurations = "deploy"

// programs are the proxies, by the names that the command takes.
var programs = map[string]*proxies.Program{proxies.Nginx.Name: &proxies.Nginx, proxies.Caddy.Name: &proxies.Caddy}

// startServer builds quizd and starts so many instances of it, with settings beyond those that it needs, and the proxy in front of two of them if that is asked for.
// It returns when all are ready.
func startServer(ctx context.Context, instances int, behind *proxies.Program, settings ...string) (*server, error) {
	folder, err := os.MkdirTemp("", "loadtest-")
	if err != nil {
		return nil, fmt.Errorf("start a server: %w", err)
	}
	s := &server{folder: folder}
	if err := s.start(ctx, instances, behind, settings); err != nil {
		return nil, errors.Join(fmt.Errorf("start a server: %w", err), s.stop())
	}
	return s, nil
}

func (s *server) start(ctx context.Context, instances int, behind *proxies.Program, more []string) (err error) {
	// Postgres may run as another user, who must get through to its data.
	if err := os.Chmod(s.folder, 0o755); err != nil {
		return err
	}
	binary := filepath.Join(s.folder, "quizd")
	if built, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "pubquiz/cmd/quizd").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, built)
	}
	if s.database, err = (postgres.Embedded{Folder: filepath.Join(s.folder, "postgres")}).Start(ctx); err != nil {
		return err
	}
	// The environment's settings are another server's.
	settings := append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "DATABASE_URL=" + s.database.URL("postgres"),
		"SECRET_KEYS=" + rand.Text() + rand.Text(), "LOG_FORMAT=text", "LOG_LEVEL=warn",
	}, more...)
	listen := ""
	if behind != nil {
		port, err := freeport.Reserve()
		if err != nil {
			return err
		}
		listen, s.proxyURL = "127.0.0.1:"+port, "http://localhost:"+port
		settings = append(settings, "BASE_URL="+s.proxyURL, "TRUSTED_PROXIES=127.0.0.1")
	}
	for range instances {
		i, err := newInstance(binary, settings)
		if err != nil {
			return err
		}
		if behind == nil && len(s.instances) == 0 {
			settings = append(settings, "BASE_URL="+i.url) // of all: they stand behind one address
			i.settings = append(i.settings, "BASE_URL="+i.url)
		}
		s.instances = append(s.instances, i)
		if err := i.start(ctx); err != nil {
			return err
		}
	}
	if behind != nil {
		return s.startProxy(ctx, *behind, listen)
	}
	return nil
}

func (s *server) startProxy(ctx context.Context, program proxies.Program, listen string) (err error) {
	folder := filepath.Join(s.folder, program.Name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	p := proxies.Proxy{Program: program, Deploy: proxyConfigurations, Folder: folder, Listen: listen}
	for n := range p.Instances {
		p.Instances[n] = strings.Replace(s.instances[n].url, "http://localhost:", "127.0.0.1:", 1)
	}
	s.proxy, err = p.Start(ctx)
	return err
}

// urls are the addresses to play against, the first of which is the address that people use: of the proxy, or of all instances.
func (s *server) urls() (urls []string) {
	if s.proxy != nil {
		return []string{s.proxyURL}
	}
	for _, i := range s.instances {
		urls = append(urls, i.url)
	}
	return urls
}

// stop ends everything in order and removes the data.
func (s *server) stop() error {
	var errs []error
	if s.proxy != nil {
		errs = append(errs, s.proxy.Stop())
	}
	for _, i := range s.instances {
		errs = append(errs, i.stop())
	}
	if s.database != nil {
		errs = append(errs, s.database.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(s.folder))...)
}
