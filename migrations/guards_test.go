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
	for sql, problem := range map[string]string{
		``: "",
		`ALTER TABLE core_moderation_report_events DISABLE TRIGGER allow_erasure`:                                            "trigger core_moderation_report_events.allow_erasure: it is disabled",
		`ALTER TABLE core_moderation_log ENABLE REPLICA TRIGGER refuse_change`:                                               "trigger core_moderation_log.refuse_change: it is disabled",
		`DROP TRIGGER refuse_change ON core_ledger`:                                                                          "trigger core_ledger.refuse_change: it is missing",
		`CREATE TRIGGER root AFTER INSERT ON core_users FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change()`:      "trigger core_users.root: Docket did not make it",
		`CREATE OR REPLACE FUNCTION core_staff_refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`: "trigger core_ledger.refuse_change: its function core_staff_refuse_change is not as the migrations made it",
		`CREATE RULE nothing AS ON INSERT TO core_ledger DO INSTEAD NOTHING`:                                                 "table core_ledger: the rule nothing changes what is written",
		`ALTER TABLE core_ledger ENABLE ROW LEVEL SECURITY`:                                                                  "table core_ledger: row security may hide its rows",
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$`: "role all: session_replication_role is set: no trigger works",
	} {
		t.Run(problem, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			pgtest.Exec(t, pool, sql)
			found, err := migrations.Guards(t.Context(), pool)
			require.NoError(t, err)
			if problem == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, strings.Join(found, "\n"), problem)
		})
	}
}
