package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// inUse is the memory in bytes that the instance's heap and stacks have in use, after a collection. Resident memory, with its garbage and
// its slow return to the system, cannot tell what a phone costs.
func (i *instance) inUse(ctx context.Context) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := get(ctx, i.metrics+"/debug/pprof/heap?gc=1", func(io.Reader) error { return nil }); err != nil {
		return 0, err
	}
	var bytes float64
	err := get(ctx, i.metrics+"/metrics", func(r io.Reader) (err error) {
		bytes, err = sumMetrics(r, "go_memstats_heap_inuse_bytes", "go_memstats_stack_inuse_bytes")
		return err
	})
	return bytes, err
}

func get(ctx context.Context, url string, read func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, res.Status)
	}
	return read(res.Body)
}

// sumMetrics adds up metrics without labels in Prometheus's text format.
func sumMetrics(r io.Reader, names ...string) (sum float64, err error) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if !wanted[name] {
			continue
		}
		delete(wanted, name)
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		sum += v
	}
	if len(wanted) > 0 {
		return 0, errors.New("the server does not tell its memory")
	}
	return sum, nil
}
