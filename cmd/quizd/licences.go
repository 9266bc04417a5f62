package main

import (
	_ "embed"
	"os"
)

type licencesCommand struct{}

// licences is made from the modules that are in the binary: go test . -run Licences -update, in the repository's root.
//
//go:embed licences.txt
var licences string

func (licencesCommand) Run() error {
	_, err := os.Stdout.WriteString(licences)
	return err
}
