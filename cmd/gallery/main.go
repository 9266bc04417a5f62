// Command gallery makes the gallery of every screen, docs/screens, of the pictures that the browser tests have taken: gallery PICTURES GALLERY.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"pubquiz/internal/gallery"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gallery PICTURES GALLERY")
		os.Exit(2)
	}
	if err := hang(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hang takes down what hung there, and puts up what there is.
func hang(pictures, to string) error {
	names, err := gallery.Names(os.DirFS(pictures), "-light.png", "-dark.png")
	if err != nil {
		return err
	}
	if err := gallery.Differences(gallery.Sections(), names); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(to, "*.webp"))
	if err != nil {
		return err
	}
	for _, picture := range old {
		if err := os.Remove(picture); err != nil {
			return err
		}
	}
	var all errgroup.Group
	all.SetLimit(runtime.NumCPU())
	for _, name := range names {
		all.Go(func() error { return gallery.Write(pictures, to, name) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	page, err := gallery.Page(gallery.Sections(), os.DirFS(to))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "README.md"), []byte(page), 0o644)
}
