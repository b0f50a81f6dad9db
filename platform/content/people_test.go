package content_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// withPeople is the sound manifest whose goods have authors in a table.
var withPeople = strings.NewReplacer("{column: id, kind: bigint}", "{column: id, kind: bigint}\n    authors: {column: code}\n"+
	"    people: {table: people, key: id, restrictedUntil: restricted, suspendedUntil: suspended, terminatedAt: terminated}").Replace(sound)

func TestColumnsOfPeopleThatDoNotFit(t *testing.T) {
	t.Parallel()
	b := newBundle(t, faultTables+`CREATE TABLE people (id uuid PRIMARY KEY, ids uuid[], restricted timestamptz, suspended timestamp, terminated timestamptz, day date,
		always timestamptz NOT NULL)`, withPeople)
	const moment = "it must hold a timestamp (timestamptz or timestamp, a date is too coarse) that may be null"
	for _, test := range []struct{ old, new, fault string }{
		{"key: id", "key: ids", `key: the column "ids" is of type uuid[]; it must hold the id of an author: uuid or text`},
		{"restrictedUntil: restricted", "restrictedUntil: day", `restrictedUntil: the column "day" is of type date; ` + moment},
		{"suspendedUntil: suspended", "suspendedUntil: day", `suspendedUntil: the column "day" is of type date; ` + moment},
		{"terminatedAt: terminated", "terminatedAt: day", `terminatedAt: the column "day" is of type date; ` + moment},
		{"suspendedUntil: suspended", "suspendedUntil: always", `suspendedUntil: the column "always" is of type timestamptz not null; ` + moment},
	} {
		require.Contains(t, withPeople, test.old)
		_, err := b.register(strings.Replace(withPeople, test.old, test.new, 1))
		var faults registry.Faults
		require.ErrorAs(t, err, &faults, test.new)
		require.Equal(t, "shop.yaml:9: contentTypes[0].people."+test.fault, faults.Error())
	}
}

func TestAMeasureIsCarriedOutByTheIndexOfTheKey(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"uuid", "text", "varchar(40)"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, faultTables+`CREATE TABLE people (id `+kind+` PRIMARY KEY, restricted timestamptz, suspended timestamp, terminated timestamptz);
				INSERT INTO people (id) VALUES ('`+ada+`')`, withPeople)
			people := b.target("shop.good").People
			tx := pgtest.Begin(t, b.pool)
			pgtest.Exec(t, tx, `SET LOCAL enable_seqscan = off`)
			until := at.Add(time.Hour)
			r := target.MeasureRequest{AuthorID: ada, Kind: measure.Suspend, Until: &until, At: at, Standing: []measure.Standing{{Kind: measure.Suspend, Until: &until}}, Tx: tx}
			_, err := people.Impose(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, "2026-03-01 13:30:00.123456", pgtest.One[string](t, tx, `SELECT suspended::text FROM people`))
			require.Equal(t, 1, pgtest.One[int](t, tx, `SELECT idx_scan::int FROM pg_stat_xact_user_tables WHERE relname = 'people'`))
			r.Standing = nil
			_, err = people.End(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, 1, pgtest.One[int](t, tx, `SELECT count(*)::int FROM people WHERE suspended IS NULL`))

			for _, id := range []string{"somebody", bob} {
				r.AuthorID = id
				_, err = people.Impose(t.Context(), r)
				require.EqualError(t, err, "people has no row of "+id)
				_, err = people.End(t.Context(), r)
				require.NoError(t, err, "an author who is gone needs no ending")
			}
		})
	}
}
