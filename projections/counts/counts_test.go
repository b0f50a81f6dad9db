package counts_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/projector"
)

type kind struct{ scope, status, holder string }

// kinds reads the counts by scope, status and holder.
func kinds(t *testing.T, pool *pgxpool.Pool) map[kind]int {
	t.Helper()
	rows, err := pool.Query(t.Context(), `SELECT scope_id, status, holder::text, reports FROM core_moderation_counts`)
	require.NoError(t, err)
	all := map[kind]int{}
	for rows.Next() {
		var k kind
		var n int
		require.NoError(t, rows.Scan(&k.scope, &k.status, &k.holder, &n))
		all[k] += n
	}
	require.NoError(t, rows.Err())
	return all
}

func requireVerified(t *testing.T, d *logtest.Database, reports int) {
	t.Helper()
	r, err := counts.Projection.Verify(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
	require.Equal(t, projector.Result{Compared: int64(reports)}, r)
}

const general, support = "general", "support"

func move(t *testing.T, d *logtest.Database, target, to string) {
	t.Helper()
	require.NoError(t, logtest.Move(t.Context(), d.Pool, target, to))
}

func TestCountsFollowEventsAndMoves(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	first, second := d.File(t, 0, "1", logtest.In(general)), d.File(t, 1, "1", logtest.In(general))
	d.File(t, 0, "2", logtest.In(support))
	d.Follow(t, counts.Projection) // counts all, since there are no counts
	require.Equal(t, map[kind]int{{"general", "new", counts.Nobody}: 2, {"support", "new", counts.Nobody}: 1}, kinds(t, d.Pool))

	d.Claim(t, first, 2)
	d.Resolve(t, second, 3, report.NoViolation)
	d.File(t, 3, "3") // has no scope
	d.Follow(t, counts.Projection)
	require.Equal(t, map[kind]int{{"general", "in_progress", d.Users[2]}: 1, {"general", "done", counts.Nobody}: 1,
		{"support", "new", counts.Nobody}: 1, {" ", "new", counts.Nobody}: 1}, kinds(t, d.Pool))

	move(t, d, "1", support)
	d.Follow(t, counts.Projection)
	require.Equal(t, map[kind]int{{"support", "in_progress", d.Users[2]}: 1, {"support", "done", counts.Nobody}: 1,
		{"support", "new", counts.Nobody}: 1, {" ", "new", counts.Nobody}: 1}, kinds(t, d.Pool))

	move(t, d, "1", general)
	d.Reopen(t, second, 3)
	d.Follow(t, counts.Projection)
	requireVerified(t, d, 4)
	before := kinds(t, d.Pool)
	require.Equal(t, 1, before[kind{"general", "new", counts.Nobody}])

	d.Rebuild(t, counts.Projection)
	require.Equal(t, before, kinds(t, d.Pool))
	requireVerified(t, d, 4)

	d.Resolve(t, first, 2, report.NoViolation)
	d.Follow(t, counts.Projection)
	require.Equal(t, 1, kinds(t, d.Pool)[kind{"general", "done", counts.Nobody}], "done reports of all holders are one kind")
}

func TestAMoveOfAnyTargetIsCounted(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	const odd = "a\x1fb \"c\"\\"
	d.File(t, 0, odd, logtest.In(general))
	d.Follow(t, counts.Projection)
	move(t, d, odd, support)
	d.Follow(t, counts.Projection)
	require.Equal(t, map[kind]int{{"support", "new", counts.Nobody}: 1}, kinds(t, d.Pool))
}

// A move that waits for its commit while the reports are counted is counted after it.
func TestAMoveThatCommitsLateIsCounted(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	id := d.File(t, 0, "1", logtest.In(general))
	tx := pgtest.Begin(t, d.Pool)
	require.NoError(t, logtest.Move(t.Context(), tx, "1", support))
	d.Claim(t, id, 2)
	d.Follow(t, counts.Projection)
	require.Equal(t, map[kind]int{{"general", "in_progress", d.Users[2]}: 1}, kinds(t, d.Pool))

	require.NoError(t, tx.Commit(t.Context()))
	d.Follow(t, counts.Projection)

	require.Equal(t, map[kind]int{{"support", "in_progress", d.Users[2]}: 1}, kinds(t, d.Pool))
	requireVerified(t, d, 1)
}

// Servers that follow, rebuild, file, work and move at once leave counts that are right.
func TestManyCountAtOnce(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	var all errgroup.Group
	for i := range 4 {
		all.Go(func() error {
			for n := range 8 {
				target := uuid.NewString()
				id := d.File(t, i, target, logtest.In(general))
				if n%2 == 0 {
					d.Claim(t, id, i)
				}
				if n%4 == 0 {
					if err := logtest.Move(t.Context(), d.Pool, target, support); err != nil {
						return err
					}
				}
				d.Seal(t)
				if err := projector.New(d.Pool, zerolog.Nop(), prometheus.NewRegistry(), counts.Projection).CatchUp(t.Context()); err != nil {
					return err
				}
				if n == 3 {
					if _, err := counts.Projection.Rebuild(t.Context(), d.Pool, projector.Options{}); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	d.Follow(t, counts.Projection)
	requireVerified(t, d, 32)
}

func TestVerifyFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.File(t, 0, "1", logtest.In(general))
	d.File(t, 1, "1", logtest.In(general))
	d.Follow(t, counts.Projection)
	for name, sql := range map[string]string{
		"a figure":      `UPDATE core_moderation_counts SET reports = reports + 3`,
		"a lost report": `DELETE FROM core_moderation_counted WHERE report_id = (SELECT report_id FROM core_moderation_counted LIMIT 1)`,
	} {
		d.SQL(t, sql)
		r, err := counts.Projection.Verify(t.Context(), d.Pool, projector.Options{})
		require.NoError(t, err)
		require.NotZero(t, r.Wrong, name)
		d.Rebuild(t, counts.Projection)
		requireVerified(t, d, 2)
	}
}
