// Package migrations holds the schema's history, one numbered pair of SQL files for each step.
package migrations

import "embed"

// FS holds every NNNNNN_name.up.sql and NNNNNN_name.down.sql.
//
//go:embed *.sql
var FS embed.FS
