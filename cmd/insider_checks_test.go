package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/doctor"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/targetscope"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/fingerprints"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/rules"
	"github.com/docketmod/docket/projections/seconds"
	"github.com/docketmod/docket/projections/statistics"
)

// check is a verification, or the rebuild.
type check struct {
	name string
	run  func() (found string)
	uses map[string]bool // tables
}

// addChecks adds what may notice an edit, and the rebuild.
func (s *sweep) addChecks() {
	// What projections verify does, without opening the database each time.
	all := []projector.Projection{projections.Inline{}, hasty(cases.Projection), hasty(counts.Projection), hasty(fingerprints.Projection), rules.New(nil), seconds.Projection}
	for _, p := range append(all, statistics.Projections...) {
		s.check("projections verify", s.wrong(func() (int64, error) {
			done, err := p.Verify(s.t.Context(), s.verifying, projector.Options{Wait: time.Second})
			if errors.Is(err, projector.ErrNotBuilt) { // it is said, and fails nothing
				err = nil
			}
			return done.Wrong, err
		}))
	}
	registered, err := registry.Register(s.t.Context(), registry.Deps{Content: content.NewStore(s.verifying)}, &registry.Declaration{Plugin: *forum.Plugin(s.verifying)})
	require.NoError(s.t, err)
	s.targets = registered.Targets
	s.check("reconcile-scopes", s.reconcile)
	s.checks[len(s.checks)-1].uses["core_moderation_moves"] = true // which it writes only if it corrects something
	s.check("audit verify", s.docket("audit", "verify"))
	s.check("projections verify", s.docket("projections", "verify", "--wait", "1s"))
	s.check("doctor", s.doctor)
	s.check("rebuild", s.docket("projections", "rebuild"))
	last := len(s.checks) - 1
	s.checks, s.rebuild = s.checks[:last], s.checks[last]
	s.restore(slices.Collect(maps.Keys(s.tables))) // the last two write
}

// hasty is a projection that fails at the first difference. Nobody else writes, so none of them is
// gone when it is looked at again later.
func hasty[K any](d projector.Derived[K]) projector.Projection {
	compare := d.Compare
	d.Compare = func(ctx context.Context, tx pgx.Tx, keys []K) ([]K, error) {
		wrong, err := compare(ctx, tx, keys)
		if err == nil && len(wrong) > 0 {
			err = errors.New("it differs")
		}
		return wrong, err
	}
	return d
}

// check adds a check, and notes which tables it uses.
func (s *sweep) check(name string, run func() string) {
	used := func() map[string]int64 {
		s.verifying.Reset()
		s.sql(`SELECT pg_stat_force_next_flush()`)
		pgtest.Eventually(s.t, func() bool { // others count theirs when they leave
			return one[int](s.t, s.pool, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`) == 0
		}, "nobody else is connected")
		all := map[string]int64{}
		var table string
		var n int64
		rows, err := s.pool.Query(s.t.Context(), `SELECT relname, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables WHERE schemaname = 'public'`)
		require.NoError(s.t, err)
		_, err = pgx.ForEachRow(rows, []any{&table, &n}, func() error { all[table] = n; return nil })
		require.NoError(s.t, err)
		return all
	}
	before := used()
	c := &check{name: name, run: run, uses: map[string]bool{}}
	require.Empty(s.t, run(), "%s finds something before anything is edited", name)
	for table, n := range used() {
		if n > before[table] {
			c.uses[table] = true
		}
	}
	s.checks = append(s.checks, c)
}

// wrong returns what a verification finds, which is nothing unless something is wrong.
func (s *sweep) wrong(verify func() (int64, error)) func() string {
	return func() string {
		wrong, err := verify()
		if err == nil && wrong == 0 {
			return ""
		}
		return fmt.Sprint(wrong, err)
	}
}

// docket returns what a command of the program finds, which is nothing if it succeeds.
func (s *sweep) docket(args ...string) func() string {
	return func() string {
		ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
		defer cancel()
		var stdout, stderr bytes.Buffer
		if (&app{environment: s.environment, stdout: &stdout, stderr: &stderr}).run(ctx, args) == 0 {
			return ""
		}
		return stdout.String() + stderr.String()
	}
}

// lasting are doctor's checks whose findings do not change with time.
var lasting = []string{"migrations", "triggers", "audit"}

func (s *sweep) doctor() string {
	a := &app{environment: s.environment, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	cfg, _ := a.settings()
	checks := slices.DeleteFunc(cfg.databaseChecks(s.verifying, nil, nil, time.Now), func(c doctor.Check) bool { return !slices.Contains(lasting, c.Name) })
	var said strings.Builder
	for _, f := range doctor.Examine(s.t.Context(), checks...) {
		if f.Level != doctor.OK {
			fmt.Fprintln(&said, f.Check, f.Level, f.Code)
		}
	}
	return said.String()
}

// reconcile returns what the job that reconciles the scopes of content corrects.
func (s *sweep) reconcile() string {
	var said bytes.Buffer
	require.NoError(s.t, (&targetscope.Reconciler{Pool: s.verifying, Targets: s.targets, Log: zerolog.New(&said)}).Run(s.t.Context()))
	return said.String()
}
