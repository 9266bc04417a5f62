package main

import (
	"fmt"

	"pubquiz/internal/postgres"
)

type migrateCommand struct {
	Up      migrateUpCommand      `cmd:"" help:"Bring the schema up to date."`
	Down    migrateDownCommand    `cmd:"" help:"Take back the newest step, with what is stored in it."`
	Version migrateVersionCommand `cmd:"" help:"Print the newest step's number."`
}

type (
	migrateUpCommand      struct{}
	migrateDownCommand    struct{}
	migrateVersionCommand struct{}
)

func (migrateUpCommand) Run(env environment) error {
	c, err := readEnvironment[Database](env)
	if err != nil {
		return err
	}
	return postgres.Migrate(string(c.DatabaseURL))
}

func (migrateDownCommand) Run(env environment) error {
	c, err := readEnvironment[Database](env)
	if err != nil {
		return err
	}
	return postgres.MigrateDown(string(c.DatabaseURL))
}

func (migrateVersionCommand) Run(env environment) error {
	c, err := readEnvironment[Database](env)
	if err != nil {
		return err
	}
	version, dirty, err := postgres.Version(string(c.DatabaseURL))
	if err != nil {
		return err
	}
	if dirty {
		return fmt.Errorf("step %d was begun and failed: the schema needs to be looked at", version)
	}
	fmt.Println(version)
	return nil
}
