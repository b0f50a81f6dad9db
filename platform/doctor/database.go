package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
)

// minPostgres is the oldest major version of PostgreSQL that Docket runs on.
const minPostgres = 15

// Database checks that the database responds, is new enough, stores durably and lets Docket write and migrate.
func Database(pool *pgxpool.Pool) Check {
	return Check{Name: "database", Run: func(ctx context.Context) []Finding {
		var (
			version                            int
			fsync, recovery, readOnly, creates bool
			commit, role                       string
		)
		err := pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('fsync')::bool,
			pg_is_in_recovery(), current_setting('default_transaction_read_only')::bool, has_schema_privilege(current_schema(), 'CREATE'),
			current_setting('synchronous_commit'), current_user`).
			Scan(&version, &fsync, &recovery, &readOnly, &creates, &commit, &role)
		if err != nil {
			return Unreachable(err)
		}
		var found []Finding
		add := func(level Level, code Code, detail, advice string) {
			found = append(found, bad(level, code, detail, advice)...)
		}
		major := version / 10000
		if major < minPostgres {
			add(Fault, "old", fmt.Sprintf("PostgreSQL %d is older than %d.", major, minPostgres), "Upgrade PostgreSQL: pg_upgrade keeps the data.")
		}
		if recovery || readOnly {
			add(Fault, "read_only", "The database takes no writes: it is a replica, or its transactions are read-only.",
				"Point DATABASE_URL at the primary. A replica may stand in DATABASE_READ_URL.")
		}
		if !creates {
			add(Fault, "no_create", fmt.Sprintf("The role %s may not create tables, which migrations need.", role),
				fmt.Sprintf("As a superuser, on this database: GRANT CREATE ON SCHEMA public TO %s; or ALTER DATABASE … OWNER TO %s;", role, role))
		}
		if !fsync || commit == "off" {
			add(Warning, "not_durable", "fsync or synchronous_commit is off: a crash of the machine loses what was acknowledged.",
				"Set both to on in postgresql.conf.")
		}
		missing, err := withoutRights(ctx, pool)
		if err != nil {
			return Unreachable(err)
		}
		if len(missing) > 0 {
			add(Fault, "no_rights", fmt.Sprintf("The role %s may not read and write %s.", role, strings.Join(missing, ", ")),
				fmt.Sprintf("Run the servers and the migrations as one role, or: REASSIGN OWNED BY … TO %s;", role))
		}
		if found == nil {
			found = fine("PostgreSQL %d answers, role %s.", major, role)
		}
		return found
	}}
}

// withoutRights names up to five of Docket's tables that the role cannot use.
func withoutRights(ctx context.Context, pool *pgxpool.Pool) (missing []string, err error) {
	err = pool.QueryRow(ctx, `SELECT coalesce(array_agg(relname ORDER BY relname), '{}') FROM (
		SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relkind = 'r' AND (c.relname LIKE 'core\_%' OR c.relname LIKE 'watermill\_%')
			AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE'))
		ORDER BY c.relname LIMIT 5) t`).Scan(&missing)
	return missing, err
}

// Unreachable is the finding of a database that does not respond or refuses.
func Unreachable(err error) []Finding {
	if errors.Is(err, postgres.ErrPooler) {
		return pooled("DATABASE_URL")
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return bad(Fault, "refused", "The database refuses: "+refused.Message+".", "Look at user, password and database in DATABASE_URL, and at pg_hba.conf of the server.")
	}
	return bad(Fault, "unreachable", "The database does not answer: "+withoutURL(err)+".", "Look at the host and port in DATABASE_URL, and whether PostgreSQL runs: pg_isready.")
}

// pooled is the finding of a pooler in a variable's URL.
func pooled(variable string) []Finding {
	return bad(Fault, "pooler", "A pooler such as PgBouncer answers, and drops the settings, locks and prepared statements of sessions.",
		"Point "+variable+" at PostgreSQL, or at a proxy of connections such as HAProxy in TCP mode. Docket pools its connections itself.")
}

// withoutURL returns the innermost cause: outer ones may contain the URL.
func withoutURL(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return strings.TrimSuffix(err.Error(), ".")
		}
		err = inner
	}
}

// Replica checks that the server of DATABASE_READ_URL responds, streams from a primary, is at most a minute behind, and
// shows Docket its replication status. A nil pool means that there is no replica.
func Replica(pool *pgxpool.Pool) Check {
	return Check{Name: "replica", Run: func(ctx context.Context) []Finding {
		if pool == nil {
			return off("No replica: DATABASE_READ_URL is not set.")
		}
		if err := postgres.Check(ctx, pool); errors.Is(err, postgres.ErrPooler) {
			return pooled("DATABASE_READ_URL")
		}
		var (
			standby, sees, streams bool
			behind                 *float64
			role                   string
		)
		err := pool.QueryRow(ctx, `SELECT pg_is_in_recovery(), pg_has_role('pg_read_all_stats', 'USAGE'), current_user,
			EXISTS (SELECT FROM pg_stat_wal_receiver), CASE WHEN pg_last_wal_receive_lsn() <> pg_last_wal_replay_lsn()
			THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END`).Scan(&standby, &sees, &role, &streams, &behind)
		switch {
		case err != nil:
			return bad(Fault, "unreachable", "The replica does not answer: "+withoutURL(err)+".", "Look at DATABASE_READ_URL, or unset it: everything then reads from the primary.")
		case behind != nil && *behind > 60:
			return bad(Warning, "behind", fmt.Sprintf("The replica is %.0f seconds behind.", *behind), "Look at its replication: pg_stat_wal_receiver.")
		}
		switch {
		case !standby:
			return bad(Warning, "no_replica", "The server of DATABASE_READ_URL is no replica, so everything reads from the primary.", "Point DATABASE_READ_URL at a streaming replica, or unset it.")
		case !sees:
			return bad(Warning, "unseen", fmt.Sprintf("The role %s may not see the replica's replication, so everything reads from the primary.", role),
				fmt.Sprintf("As a superuser, on the primary: GRANT pg_read_all_stats TO %s;", role))
		case !streams:
			return bad(Warning, "not_streaming", "The replica does not stream from a primary, so everything reads from the primary.", "Look at primary_conninfo and the log of the replica.")
		}
		return fine("The replica answers.")
	}}
}

// maxSkew is how far the clocks of server and database may differ without harm.
const maxSkew = 2 * time.Second

// Clock compares this machine's clock with the database's.
func Clock(pool *pgxpool.Pool, now func() time.Time) Check {
	return Check{Name: "clock", Run: func(ctx context.Context) []Finding {
		before := now()
		var there time.Time
		if err := pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&there); err != nil {
			return unexamined(err)
		}
		after := now()
		// The database's time was read at some moment in between.
		skew := max(before.Sub(there), there.Sub(after), 0)
		if skew > maxSkew {
			return bad(Fault, "skew", fmt.Sprintf("The clocks of this machine and the database are %s apart.", skew.Round(time.Second)),
				"Run a time service on both, such as chrony or systemd-timesyncd. Sign-in tokens and deadlines depend on it.")
		}
		return fine("The clock agrees with the database's.")
	}}
}

// ErrPending is the error of a check that needs the newest schema, ErrLater of one that does not know the schema, and
// ErrUncompared of one that could not create temporary tables to compare with.
var (
	ErrPending    = errors.New("migrations are pending")
	ErrLater      = errors.New("a later release has migrated the database")
	ErrUncompared = errors.New("no temporary tables")
)

// unexamined is the finding of a check that the error prevented.
func unexamined(err error) []Finding {
	var refused *pgconn.PgError
	noTable := errors.As(err, &refused) && (refused.Code == "42P01" || refused.Code == "42703") // or no column
	if noTable || errors.Is(err, ErrPending) {
		return bad(Warning, "unexamined", "Not examined, since migrations are pending.", "Run docket migrate up first.")
	}
	if errors.Is(err, ErrLater) {
		return bad(Warning, "unexamined", "Not examined, since a later release has migrated the database.", "Run docket doctor of that release. If there is none, somebody has written into goose_db_version.")
	}
	if errors.Is(err, ErrUncompared) {
		return bad(Warning, "unexamined", "The conditions of triggers were not compared, since Docket's role may make no temporary tables.", "GRANT TEMPORARY ON DATABASE … TO that role.")
	}
	return bad(Warning, "unexamined", "Not examined, since the database does not answer: "+withoutURL(err)+".", "Mend the database first.")
}

// Migrations checks that the schema is this version's. pending lists the migrations that are not applied.
func Migrations(pending func(context.Context) ([]string, error)) Check {
	return Check{Name: "migrations", Run: func(ctx context.Context) []Finding {
		names, err := pending(ctx)
		switch {
		case err != nil:
			return unexamined(err)
		case len(names) > 0:
			pending := "1 migration is pending:"
			if len(names) > 1 {
				pending = fmt.Sprintf("%d migrations are pending, the first is", len(names))
			}
			return bad(Fault, "pending", fmt.Sprintf("%s %s.", pending, names[0]), "Run docket migrate up. No server starts before.")
		}
		return fine("The schema is current.")
	}}
}

// Guards checks the triggers that protect the log and the ledger. problems lists the faults.
func Guards(problems func(context.Context) ([]string, error)) Check {
	return Check{Name: "triggers", Run: func(ctx context.Context) []Finding {
		found, err := problems(ctx)
		switch {
		case len(found) > 0:
			return bad(Fault, "off", strings.Join(found, "; ")+".",
				"Find out who changed it, run docket audit verify, and then make it as the migrations do: ALTER TABLE … ENABLE TRIGGER …, or DROP TRIGGER … for one that Docket did not make.")
		case err != nil:
			return unexamined(err)
		}
		return fine("The triggers that keep the log are as the migrations made them.")
	}}
}
