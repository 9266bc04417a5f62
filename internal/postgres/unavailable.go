package postgres

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// Unavailable reports whether err says that the database did not answer, or cannot at this moment: it is away, starting, or short of something. Trying again later may
// help. What the transaction has done by then is not certain.
func Unavailable(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return shortOf(refused.Code)
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return pgconn.SafeToRetry(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, net.ErrClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// shortOf reports whether a code of Postgres's stands for a want that passes. See "PostgreSQL Error Codes" in its manual.
func shortOf(code string) bool {
	const lockNotAvailable, readOnly = "55P03", "25006" // the second of a server that is a copy until it takes over
	switch code[:min(len(code), 2)] {
	case "08", // the connection
		"53", // disk, memory, connections
		"57", // stopped or starting, or the statement took too long
		"58": // the system under it
		return true
	}
	return code == lockNotAvailable || code == readOnly
}
