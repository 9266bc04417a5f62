package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"

	"pubquiz/ratelimit"
)

type limitsCommand struct {
	JSON bool `help:"As JSON, with every column."`
}

func (c limitsCommand) Run() error {
	if c.JSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(ratelimit.Table)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tBUDGET\tKEY\tWHO IS HURT, AND WHY THIS NUMBER")
	for _, limit := range ratelimit.Table {
		fmt.Fprintf(table, "%s\t%d / %g min\t%v\t%s\n", limit.Name, limit.Budget, limit.Window.Minutes(), limit.Key, limit.Hurt)
	}
	return table.Flush()
}
