package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
)

type limitsCommand struct {
	JSON bool `help:"As JSON, with every column."`
}

func (l limitsCommand) Run(env environment) error {
	c, err := readEnvironment[Budgets](env)
	if err != nil {
		return err
	}
	if l.JSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(c.table())
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tBUDGET\tKEY\tWHO IS HURT, AND WHY THIS NUMBER")
	for _, limit := range c.table() {
		mode := ""
		if limit.PerInstance {
			mode += ", each instance"
		}
		if limit.Shadow {
			mode += ", shadow"
		}
		fmt.Fprintf(table, "%s\t%d / %g min%s\t%v\t%s\n", limit.Name, limit.Budget, limit.Window.Minutes(), mode, limit.Key, limit.Hurt)
	}
	return table.Flush()
}
