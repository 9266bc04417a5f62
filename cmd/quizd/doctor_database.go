package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
)

const aboutDatabase = "database"

// checkDatabase looks whether the database answers, and then at all that a quiz needs of it.
func (c config) checkDatabase(ctx context.Context) []finding {
	pool, err := postgres.Open(ctx, string(c.DatabaseURL))
	if err != nil {
		return []finding{databaseAway(err)}
	}
	defer pool.Close()
	var found []finding
	for _, look := range []func(context.Context, *pgxpool.Pool) (finding, error){databaseVersion, databaseRights, databaseSchema, databaseConnections, databaseDurability, databaseClock} {
		f, err := look(ctx, pool)
		if err != nil {
			return append(found, finding{aboutDatabase, wrongLevel, "it broke off: " + err.Error(), "look at its log"})
		}
		f.About = aboutDatabase
		found = append(found, f)
	}
	return found
}

// databaseAway says in plain words why the database does not answer.
func databaseAway(err error) finding {
	f := finding{aboutDatabase, wrongLevel, "it does not answer: " + err.Error(), "see that Postgres runs, and that DATABASE_URL names its host and port"}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		f.Says = "it refuses: " + pgErr.Message
		switch pgErr.Code {
		case "28P01", "28000":
			f.Do = "put the user and the password that Postgres knows into DATABASE_URL"
		case "3D000":
			f.Do = "make the database, for example with createdb, or correct its name in DATABASE_URL"
		case "53300":
			f.Do = "raise max_connections, or end what else is connected"
		case "57P03":
			f.Do = "wait: Postgres is starting or recovering"
		default:
			f.Do = "look at Postgres's log"
		}
		return f
	}
	if unknown, ok := errors.AsType[*net.DNSError](err); ok {
		f.Says, f.Do = "nobody knows the host "+unknown.Name, "correct the host in DATABASE_URL"
	}
	return f
}

func databaseVersion(ctx context.Context, pool *pgxpool.Pool) (f finding, err error) {
	var (
		number  int
		version string
		replica bool
	)
	if err := pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_version'), pg_is_in_recovery()`).Scan(&number, &version, &replica); err != nil {
		return f, err
	}
	switch {
	case number < postgres.OldestVersion*10000:
		return finding{Is: wrongLevel, Says: fmt.Sprintf("Postgres %s is too old", version), Do: fmt.Sprintf("use version %d or newer", postgres.OldestVersion)}, nil
	case replica:
		return finding{Is: wrongLevel, Says: "it is a replica, in which nothing can be written", Do: "name the primary in DATABASE_URL"}, nil
	}
	return finding{Is: fineLevel, Says: "Postgres " + version + " answers"}, nil
}

func databaseSchema(ctx context.Context, pool *pgxpool.Pool) (f finding, err error) {
	newest, err := postgres.NewestStep()
	if err != nil {
		return f, err
	}
	var (
		at    uint
		dirty bool
	)
	err = pool.QueryRow(ctx, `SELECT version, dirty FROM schema_migrations`).Scan(&at, &dirty)
	pgErr, _ := errors.AsType[*pgconn.PgError](err)
	switch {
	case errors.Is(err, pgx.ErrNoRows), pgErr != nil && pgErr.Code == "42P01": // no rows, no table
		return finding{Is: lookLevel, Says: "it is empty: serve makes the schema when it starts"}, nil
	case pgErr != nil && pgErr.Code == "42501":
		return finding{Is: wrongLevel, Says: "the user may not read which step its schema is at", Do: "give the user its tables, as above"}, nil
	case err != nil:
		return f, err
	case dirty:
		return finding{Is: wrongLevel, Says: fmt.Sprintf("step %d of the schema was begun, and nobody knows whether it was finished", at),
			Do: "compare the schema with the step's file, and set schema_migrations to what is there (docs/decisions/migrations.md)"}, nil
	case at > newest:
		return finding{Is: lookLevel, Says: fmt.Sprintf("its schema is at step %d, newer than this program's %d: an instance of a newer version has been here", at, newest)}, nil
	case at < newest:
		return finding{Is: fineLevel, Says: fmt.Sprintf("its schema is at step %d; serve brings it to %d when it starts", at, newest)}, nil
	}
	return finding{Is: fineLevel, Says: fmt.Sprintf("its schema is at the newest step, %d", at)}, nil
}

// databaseRights looks whether the user may do what a server does: change the schema, for which it must own the tables, and make new ones.
func databaseRights(ctx context.Context, pool *pgxpool.Pool) (f finding, err error) {
	var (
		user, owner string
		mayCreate   bool
		strange     int
		superuser   bool
	)
	const look = `
		SELECT current_user, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), count(c.oid) FILTER (WHERE NOT pg_has_role(c.relowner, 'USAGE')),
			coalesce(min(pg_get_userbyid(c.relowner)) FILTER (WHERE NOT pg_has_role(c.relowner, 'USAGE')), ''),
			coalesce(bool_or(c.relowner = 10) FILTER (WHERE NOT pg_has_role(c.relowner, 'USAGE')), false)
		FROM (SELECT) AS one LEFT JOIN pg_class c ON c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'S')`
	if err := pool.QueryRow(ctx, look).Scan(&user, &mayCreate, &strange, &owner, &superuser); err != nil {
		return f, err
	}
	switch {
	case strange > 0:
		f = finding{Is: wrongLevel, Says: fmt.Sprintf("%d of its tables and sequences are %s's, and the user is %s", strange, owner, user),
			Do: fmt.Sprintf("as a superuser, in this database: REASSIGN OWNED BY %s TO %s", pgx.Identifier{owner}.Sanitize(), pgx.Identifier{user}.Sanitize())}
		if superuser { // who made the cluster, and whose things cannot all be another's
			f.Do = fmt.Sprintf("restore it once more, without --no-owner, into a new database: createdb --owner=%s", user)
		}
		return f, nil
	case !mayCreate:
		return finding{Is: wrongLevel, Says: "the user " + user + " may make no tables", Do: fmt.Sprintf("as the database's owner: GRANT CREATE ON SCHEMA public TO %s", pgx.Identifier{user}.Sanitize())}, nil
	}
	return finding{Is: fineLevel, Says: "the user " + user + " may do what a server does"}, nil
}

// databaseConnections compares what Postgres takes with what the instances that are running may ask for.
func databaseConnections(ctx context.Context, pool *pgxpool.Pool) (f finding, err error) {
	var room, instances int
	const look = `
		SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - coalesce(current_setting('reserved_connections', true)::int, 0),
			(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN session_changed')`
	if err := pool.QueryRow(ctx, look).Scan(&room, &instances); err != nil {
		return f, err
	}
	each := int(pool.Config().MaxConns) + 1 // the one that listens
	says := fmt.Sprintf("it takes %d connections; an instance has up to %d; instances running: %d", room, each, instances)
	if each*max(instances, 1) > room {
		return finding{Is: wrongLevel, Says: says, Do: "raise max_connections, or lower the pool with pool_max_conns in DATABASE_URL"}, nil
	}
	return finding{Is: fineLevel, Says: says}, nil
}

// databaseDurability looks whether an answer that was acknowledged survives a power cut.
func databaseDurability(ctx context.Context, pool *pgxpool.Pool) (f finding, err error) {
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		var value string
		if err := pool.QueryRow(ctx, `SELECT current_setting($1)`, setting).Scan(&value); err != nil {
			return f, err
		}
		if value == "off" {
			return finding{Is: wrongLevel, Says: setting + " is off: a power cut loses answers that phones were told are stored", Do: "turn it on in postgresql.conf"}, nil
		}
	}
	return finding{Is: fineLevel, Says: "what it has said is stored survives a power cut"}, nil
}

// clockApart is how far this machine's clock may be from the database's before somebody should know.
const clockApart = 2 * time.Second

func databaseClock(ctx context.Context, pool *pgxpool.Pool) (f finding, err error) {
	clock, err := postgres.NewClock(ctx, pool)
	if err != nil {
		return f, err
	}
	return clockFinding(time.Until(clock.Now())), nil
}

func clockFinding(ahead time.Duration) finding {
	if ahead.Abs() > clockApart {
		return finding{Is: lookLevel, Says: fmt.Sprintf("its clock is %v ahead of this machine's. Quizzes go by the database's, but logs, sign-ins with a provider and certificates do not", ahead.Round(time.Second)), Do: "have both machines set their clocks by NTP"}
	}
	return finding{Is: fineLevel, Says: fmt.Sprintf("its clock and this machine's are %v apart", ahead.Abs().Round(time.Millisecond))}
}
