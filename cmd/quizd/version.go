package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
)

// release is set by the linker where a release or an image is built. Other builds know from the repository's history what they are.
var release string

// version is a release's tag, or where in the history between two the build is from.
func version() string {
	built, _ := debug.ReadBuildInfo()
	if built == nil {
		built = &debug.BuildInfo{}
	}
	return cmp.Or(release, built.Main.Version, "(devel)")
}

// versionLine is what --version prints, and what a report of a fault should begin with.
func versionLine() string {
	return fmt.Sprintf("quizd %s (%s, %s/%s)", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildInfo is 1, with the version as its label, so that a graph can tell when which one ran.
func buildInfo() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "quizd_build_info", Help: "1, labelled with what this server is built from.",
		ConstLabels: prometheus.Labels{"version": version(), "goversion": runtime.Version()},
	}, func() float64 { return 1 })
}
