package targetscope

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// reconciler walks posts whose trigger is gone, so that only it can mend them.
func (b *bundle) reconciler(resolve func(context.Context, string) (string, bool, error)) *Reconciler {
	b.t.Helper()
	b.exec(`ALTER TABLE "forum posts" DISABLE TRIGGER USER`)
	targets := registry.NewTargets(&target.Definition{
		PluginID: "forum", Type: "forum.post", ScopeFamily: family, ResolveScope: resolve,
	})
	return &Reconciler{Pool: b.pool, Targets: targets}
}

func TestReconcileMendsWhatNothingToldOf(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	r := b.reconciler(b.category)
	for id := 1; id <= 4; id++ {
		b.post(id, at("general"))
		b.report(id, "general")
	}
	b.move(1, at("support"))
	b.move(2, nil)
	b.exec(`DELETE FROM "forum posts" WHERE id = 3`)
	b.exec(`UPDATE core_moderation_targets SET scope_family = NULL, scope_id = NULL WHERE target_id = '4'`)

	require.NoError(t, r.Run(t.Context()))
	b.requireScope(1, "support")
	b.requireScope(2, "")
	b.requireScope(3, "general") // deleted: the last one stays
	b.requireScope(4, "general") // its type has got a family since
}

// Given stored scopes that somebody has edited, then each is named once and corrected; those
// that are right are not named.
func TestReconcileNamesEditedScopes(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	r := b.reconciler(b.category)
	var log bytes.Buffer
	r.Log = zerolog.New(&log)
	for id := 1; id <= 3; id++ {
		b.post(id, at("general"))
		b.report(id, "general")
	}
	b.exec(`UPDATE core_moderation_targets SET scope_id = 'mine' WHERE target_id = '1'`)
	b.exec(`UPDATE core_moderation_targets SET scope_family = 'forum.other' WHERE target_id = '2'`)
	for range 2 {
		require.NoError(t, r.Run(t.Context()))
	}
	for id := 1; id <= 3; id++ {
		b.requireScope(id, "general")
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `"targetId":"1","stored":["forum.category","mine"],"present":["forum.category","general"]`)
	require.Contains(t, lines[1], `"targetId":"2","stored":["forum.other","general"]`)
}

func TestReconcileGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var asked []string
	r := b.reconciler(func(_ context.Context, id string) (string, bool, error) {
		asked = append(asked, id)
		return "support", true, nil
	})
	r.Batch, r.Limit = 2, 3
	for id := 1; id <= 5; id++ {
		b.report(id, "general")
	}
	run := func(want ...string) {
		t.Helper()
		asked = nil
		require.NoError(t, r.Run(t.Context()))
		require.Equal(t, want, asked)
	}
	run("1", "2", "3")
	run("4", "5") // the end: the next run begins again
	run("1", "2", "3")
}

func TestReconcileAsksForReportedTargetsOfRegisteredTypesOnly(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	r := b.reconciler(func(context.Context, string) (string, bool, error) {
		t.Error("asked")
		return "", false, nil
	})
	b.exec(fileTarget, "1", "general") // pushed by a move, never reported
	b.report(2, "general")
	b.exec(`UPDATE core_moderation_targets SET target_type = 'forum.gone' WHERE target_id = '2'`)
	b.exec(`UPDATE core_moderation_reports SET target_type = 'forum.gone' WHERE target_id = '2'`)
	require.NoError(t, r.Run(t.Context()))
}

func TestReconcileUnscopesATypeWithoutFamily(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.report(1, "general")
	targets := registry.NewTargets(&target.Definition{PluginID: "forum", Type: "forum.post"})
	require.NoError(t, (&Reconciler{Pool: b.pool, Targets: targets}).Run(t.Context()))
	gotFamily, scope := b.stored(1)
	require.Empty(t, gotFamily)
	require.Equal(t, "<null>", scope)
}

func TestReconcileGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	down := errors.New("the plugin is down")
	r := b.reconciler(func(_ context.Context, id string) (string, bool, error) {
		if id == "3" {
			return "support", true, nil
		}
		return "", false, down
	})
	for id := 1; id <= 3; id++ {
		b.report(id, "general")
	}
	err := r.Run(t.Context())
	require.ErrorIs(t, err, down)
	require.ErrorContains(t, err, "target forum.post 1:")
	require.NotContains(t, err.Error(), "forum.post 2", "one failure of a type is enough")
	b.requireScope(3, "support")
}

func TestReconcileLosesToAMoveMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	r := b.reconciler(func(ctx context.Context, id string) (string, bool, error) {
		// The plugin reads `support`, and the target moves on before that is stored.
		err := logtest.Move(ctx, b.pool, id, "offtopic")
		return "support", true, err
	})
	b.report(1, "general")
	require.NoError(t, r.Run(t.Context()))
	b.requireScope(1, "offtopic")
}

func TestReconcileStopsWithItsContext(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	r := b.reconciler(b.category)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, r.Run(ctx), context.Canceled)
}

// TestReconcileStaysWhereItsTimeEnds lets the time of a run end while it reads the
// next targets.
func TestReconcileStaysWhereItsTimeEnds(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var asked []string
	r := b.reconciler(func(_ context.Context, id string) (string, bool, error) {
		asked = append(asked, id)
		return "support", true, nil
	})
	for id := 1; id <= 4; id++ {
		b.report(id, "general")
	}
	r.Limit = 2
	require.NoError(t, r.Run(t.Context()))
	require.Equal(t, []string{"1", "2"}, asked)

	position := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, position, `LOCK TABLE core_moderation_scope_walk`)
	bounded, over := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.walk(t.Context(), bounded) }()
	pgtest.AwaitLock(t, b.pool)
	over()
	require.NoError(t, position.Rollback(t.Context()))
	require.NoError(t, <-done)

	require.NoError(t, r.Run(t.Context()))
	require.Equal(t, []string{"1", "2", "3", "4"}, asked)
}
