package content_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
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
