package targetscope

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
)

// The bounds of one run.
const (
	defaultBatch = 100
	defaultLimit = 2000

	// resolveTimeout bounds each call of a plugin, runTime a whole run.
	resolveTimeout = 5 * time.Second
	runTime        = 40 * time.Second
)

// Reconciler calls ResolveScope for reported targets and corrects the stored scopes. Each run
// continues where the last one stopped, on any server.
type Reconciler struct {
	Pool    *pgxpool.Pool
	Targets *registry.Targets
	Log     zerolog.Logger // names each target whose scope was corrected
	Batch   int            // targets per query; default 100
	Limit   int            // targets per run; default 2000
}

// stored is a row of core_moderation_targets; Family and ScopeID are nil for an
// unscoped target.
type stored struct {
	PluginID, Type, TargetID string
	Family, ScopeID          *string
	UpdatedAt                time.Time
}

// Run checks the next targets, at most Limit. A deleted target, or one whose type is no longer
// registered, keeps its last scope. A failing plugin does not delay other targets; the error joins
// the first failure of each type.
func (r *Reconciler) Run(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	return r.walk(ctx, bounded)
}

// walk is Run with a deadline in bounded; ctx remains for storing the position.
func (r *Reconciler) walk(ctx, bounded context.Context) error {
	batch, limit := cmp.Or(r.Batch, defaultBatch), cmp.Or(r.Limit, defaultLimit)
	var failed []error
	failing := map[[2]string]bool{} // types whose first failure is in failures
	for walked, end := 0, false; walked < limit && !end && bounded.Err() == nil; {
		size := min(batch, limit-walked)
		rows, err := r.next(ctx, size)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		end = len(rows) < size
		var last *stored
		for i, row := range rows {
			if bounded.Err() != nil {
				end = false
				break
			}
			if err := r.reconcile(bounded, row); err != nil && !failing[[2]string{row.PluginID, row.Type}] {
				failing[[2]string{row.PluginID, row.Type}] = true
				failed = append(failed, fmt.Errorf("target %s %s: %w", row.Type, row.TargetID, err))
			}
			last = &rows[i]
			walked++
		}
		switch {
		case end:
			last = &stored{} // the zero value is the beginning
		case last == nil: // the time was over before the first
			continue
		}
		if err := r.walkedTo(ctx, *last); err != nil {
			return errors.Join(append(failed, err)...)
		}
	}
	return errors.Join(append(failed, ctx.Err())...)
}

// next reads the targets after the stored position. The primary key gives the order,
// and core_moderation_reports_target shows whether there is a report.
func (r *Reconciler) next(ctx context.Context, size int) ([]stored, error) {
	return postgres.Collect(ctx, r.Pool, "read targets", pgx.RowToStructByPos[stored], `
		SELECT t.plugin_id, t.target_type, t.target_id, t.scope_family, t.scope_id, t.updated_at
		FROM core_moderation_targets t
		WHERE (t.plugin_id, t.target_type, t.target_id) >
			(SELECT plugin_id, target_type, target_id FROM core_moderation_scope_walk)
		AND EXISTS (SELECT FROM core_moderation_reports r
			WHERE r.plugin_id = t.plugin_id AND r.target_type = t.target_type AND r.target_id = t.target_id)
		ORDER BY t.plugin_id, t.target_type, t.target_id LIMIT $1`, size)
}

// walkedTo stores the position.
func (r *Reconciler) walkedTo(ctx context.Context, last stored) error {
	return postgres.Exec(ctx, r.Pool, "store the position of the walk", `UPDATE core_moderation_scope_walk SET plugin_id = $1, target_type = $2, target_id = $3`,
		last.PluginID, last.Type, last.TargetID)
}

func (r *Reconciler) reconcile(ctx context.Context, row stored) error {
	d := r.Targets.Find(row.PluginID, row.Type)
	if d == nil {
		return nil
	}
	var family, id *string
	if d.ScopeFamily != "" {
		resource, exists, err := resolve(ctx, d, row.TargetID)
		if errors.Is(err, target.ErrScopeUnknown) {
			return nil
		}
		if err != nil || !exists {
			return err
		}
		family, id = &d.ScopeFamily, &resource
	}
	// A move that the trigger has stored since the row was read is newer.
	corrected, err := r.Pool.Exec(ctx, `UPDATE core_moderation_targets SET scope_family = $4, scope_id = $5, updated_at = clock_timestamp()
		WHERE plugin_id = $1 AND target_type = $2 AND target_id = $3 AND updated_at = $6
		AND (scope_family, scope_id) IS NOT DISTINCT FROM ($7, $8)
		AND (scope_family, scope_id) IS DISTINCT FROM ($4, $5)`,
		row.PluginID, row.Type, row.TargetID, family, id, row.UpdatedAt, row.Family, row.ScopeID)
	if err != nil {
		return fmt.Errorf("store the scope: %w", err)
	}
	if corrected.RowsAffected() > 0 {
		r.Log.Warn().Str("pluginId", row.PluginID).Str("targetType", row.Type).Str("targetId", row.TargetID).
			Strs("stored", values(row.Family, row.ScopeID)).Strs("present", values(family, id)).
			Msg("the stored scope of a target was not that of its content: nothing told of a move, or somebody edited it")
	}
	return nil
}

// values returns the family and the resource of a scope; nothing for an unscoped target.
func values(family, id *string) (all []string) {
	for _, v := range []*string{family, id} {
		if v != nil {
			all = append(all, *v)
		}
	}
	return all
}

func resolve(ctx context.Context, d *target.Definition, id string) (resource string, exists bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	resource, exists, err = d.PresentScope(ctx, id)
	if err != nil {
		return "", false, fmt.Errorf("resolve the scope: %w", err)
	}
	return scope.ResourceOf(d.ScopeFamily, resource).ID, exists, nil
}
