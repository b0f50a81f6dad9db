package migrations_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
)

func TestGuardsThatAreOffAreNamed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for sql, problem := range map[string]string{
		``: "",
		`ALTER TABLE core_moderation_report_events DISABLE TRIGGER allow_erasure`:                                                                                                             "trigger core_moderation_report_events.allow_erasure: it is disabled",
		`ALTER TABLE core_moderation_log ENABLE REPLICA TRIGGER refuse_change`:                                                                                                                "trigger core_moderation_log.refuse_change: it is disabled",
		`DROP TRIGGER refuse_change ON core_ledger`:                                                                                                                                           "trigger core_ledger.refuse_change: it is missing",
		`CREATE TRIGGER root AFTER INSERT ON core_users FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change()`:                                                                       "trigger core_users.root: Docket did not make it",
		`CREATE OR REPLACE FUNCTION core_staff_refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`:                                                                  "trigger core_ledger.refuse_change: its function core_staff_refuse_change is not as the migrations made it",
		`CREATE RULE nothing AS ON INSERT TO core_ledger DO INSTEAD NOTHING`:                                                                                                                  "table core_ledger: the rule nothing changes what is written",
		`ALTER TABLE core_ledger ENABLE ROW LEVEL SECURITY`:                                                                                                                                   "table core_ledger: row security may hide its rows",
		`DROP TRIGGER refuse_change ON core_ledger; CREATE TRIGGER refuse_change BEFORE UPDATE ON core_ledger EXECUTE FUNCTION core_staff_refuse_change()`:                                    "trigger core_ledger.refuse_change: it is not as the migrations made it",
		`DROP TRIGGER refuse_change ON core_ledger; CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_ledger WHEN (false) EXECUTE FUNCTION core_staff_refuse_change()`: "trigger core_ledger.refuse_change: it is not as the migrations made it",
		`DROP TRIGGER refuse_change ON core_rules; CREATE TRIGGER refuse_change BEFORE UPDATE ON core_rules FOR EACH ROW EXECUTE FUNCTION core_moderation_mark_behind()`:                      "trigger core_rules.refuse_change: it is not as the migrations made it",
		`DROP TRIGGER refuse_held ON core_moderation_report_events; CREATE TRIGGER refuse_held BEFORE UPDATE ON core_moderation_report_events FOR EACH ROW
			WHEN (NEW.evidence IS NULL AND OLD.evidence IS NOT NULL AND OLD.report_id <> '019a0000-0000-7000-8000-000000000001') EXECUTE FUNCTION core_holds_refuse_erasure()`: "trigger core_moderation_report_events.refuse_held: it is not as the migrations made it",
		`ALTER TABLE core_moderation_report_events RENAME COLUMN evidence TO words`: "triggers: their conditions cannot be compared: ",
		`CREATE SCHEMA other; SET search_path = other; CREATE FUNCTION core_x() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; SET search_path = public; DROP TRIGGER refuse_change ON core_ledger; CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_ledger EXECUTE FUNCTION other.core_x()`: "trigger core_ledger.refuse_change: it is not as the migrations made it",
		`ALTER FUNCTION core_holds_refuse_erasure() SET search_path = other`:                                                                                                                                                             "trigger core_moderation_report_events.refuse_held: its function core_holds_refuse_erasure is not as the migrations made it",
		`CREATE OR REPLACE FUNCTION core_holds_of(report uuid) RETURNS SETOF core_holds LANGUAGE plpgsql STABLE AS 'BEGIN END'`:                                                                                                          "function core_holds_of: it is not as the migrations made it",
		`CREATE FUNCTION core_author_account(plugin text, author text, issuer varchar) RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'`:                                                                                                 "function core_author_account: there are several of that name, and Docket made one",
		`ALTER FUNCTION core_author_account(text, text, text) RENAME TO author_account`:                                                                                                                                                  "function core_author_account: it is missing",
		`CREATE FUNCTION core_x() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`:                                                                                                                                          "function core_x: Docket did not make it",
		`ALTER TABLE core_mutes RENAME TO mutes; CREATE VIEW core_mutes AS SELECT * FROM mutes WHERE current_setting('transaction_isolation') = 'repeatable read'`:                                                                       "table core_mutes: it is no table",
		`ALTER TABLE core_sessions DISABLE TRIGGER ALL`:                                                                                                                                                                                  "table core_sessions: its foreign keys are not checked",
		`CREATE FUNCTION unnest(uuid[]) RETURNS SETOF uuid LANGUAGE sql AS 'SELECT NULL::uuid'`:                                                                                                                                          "function unnest(uuid[]): it takes the place of one of PostgreSQL's own",
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = "$user", public, pg_catalog', current_database()); END $$`:                                                                                                      "role all: search_path is set so that names of PostgreSQL's own mean something else",
		`CREATE FUNCTION of(json, json) RETURNS text LANGUAGE sql AS 'SELECT NULL'; CREATE OPERATOR ->> (FUNCTION = of, LEFTARG = json, RIGHTARG = json)`:                                                                                "operator ->>(json,json): it takes the place of one of PostgreSQL's own",
		`CREATE RULE nothing AS ON INSERT TO core_mutes DO INSTEAD NOTHING; ALTER RULE nothing ON core_mutes RENAME TO "_RETURN"`:                                                                                                        "table core_mutes: the rule _RETURN changes what is written",
		`CREATE TABLE more () INHERITS (core_mutes)`:                                                                                                                                                                                     "table core_mutes: the rows of more are among its own",
		`CREATE SCHEMA other; SET LOCAL search_path = public, other; ALTER TABLE core_ladder SET SCHEMA other; ALTER TABLE core_ladder RENAME TO ladder; CREATE VIEW other.core_ladder AS SELECT * FROM ladder`:                          "table core_ladder: it is in another schema than Docket's other tables",
		`CREATE EXTENSION citext; CREATE EXTENSION pg_trgm; CREATE EXTENSION hstore; CREATE EXTENSION intarray`:                                                                                                                          "",
		`CREATE EXTENSION citext; CREATE FUNCTION lower(uuid) RETURNS text LANGUAGE sql AS 'SELECT NULL'; ALTER EXTENSION citext ADD FUNCTION lower(uuid)`:                                                                               "function lower(uuid): it takes the place of one of PostgreSQL's own",
		`CREATE EXTENSION citext; CREATE FUNCTION of(json, json) RETURNS text LANGUAGE sql AS 'SELECT NULL'; CREATE OPERATOR ->> (FUNCTION = of, LEFTARG = json, RIGHTARG = json); ALTER EXTENSION citext ADD OPERATOR ->> (json, json)`: "operator ->>(json,json): it takes the place",
		`ALTER FUNCTION core_moderation_allow_erasure() SECURITY DEFINER`:                                                                                                                                                                "trigger core_moderation_report_events.allow_erasure: its function core_moderation_allow_erasure is not as the migrations made it",
		`ALTER FUNCTION core_holds_of(uuid) SET search_path = other`:                                                                                                                                                                     "function core_holds_of: it is not as the migrations made it",
		`ALTER FUNCTION core_holds_of(uuid) IMMUTABLE STRICT`:                                                                                                                                                                            "function core_holds_of: it is not as",
		`SET search_path = public, pg_catalog`: "search_path: another schema comes before pg_catalog",
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$`: "role all: session_replication_role is set: no trigger works",
	} {
		t.Run(problem, func(t *testing.T) { // each in a transaction that is rolled back
			tx := pgtest.Begin(t, pool)
			defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
			pgtest.Exec(t, tx, sql)
			found, err := migrations.Guards(t.Context(), tx)
			require.NoError(t, err)
			if problem == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, strings.Join(found, "\n"), problem)
		})
	}
}

// A role without the privilege, as it is refused in a transaction that only reads.
func TestConditionsThatCannotBeComparedAreNoFault(t *testing.T) {
	t.Parallel()
	tx := pgtest.Begin(t, pgtest.New(t))
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	pgtest.Exec(t, tx, `ALTER TABLE core_moderation_log DISABLE TRIGGER refuse_change; SET TRANSACTION READ ONLY`)
	found, err := migrations.Guards(t.Context(), tx)
	require.ErrorIs(t, err, migrations.ErrUncompared)
	require.Equal(t, []string{"trigger core_moderation_log.refuse_change: it is disabled"}, found)
}

func TestGuardsOfALaterReleaseAreNotCompared(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (29990101000001, true)`)
	_, err := migrations.Guards(t.Context(), pool)
	require.ErrorIs(t, err, migrations.ErrLater, "who compares them says so")
}
