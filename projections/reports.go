package projections

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
)

// Reports answers every question about reports. It implements
// moderation.Reports and is safe for concurrent use.
type Reports struct{ pool *pgxpool.Pool }

// NewReports reads through the pool.
func NewReports(pool *pgxpool.Pool) *Reports { return &Reports{pool: pool} }

// peopleColumns are the names of the three accounts that a report refers to.
const (
	peopleColumns = `ur.name, ua.name, uv.name`
	peopleJoins   = ` LEFT JOIN core_users ur ON ur.id = r.reporter_id
		LEFT JOIN core_users ua ON ua.id = r.assignee_id
		LEFT JOIN core_users uv ON uv.id = r.resolver_id`
	// openOnTarget reads the partial index on the targets of reports that are not done.
	openOnTarget = `(SELECT count(*) FROM core_moderation_reports o WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type
		AND o.target_id = r.target_id AND o.status <> 'done')`
	// filedAnew tells by the same index whether the reporter of a done report has an open one of its target.
	filedAnew = `(r.status = 'done' AND EXISTS (SELECT FROM core_moderation_reports o WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type
		AND o.target_id = r.target_id AND o.status <> 'done' AND o.reporter_id = r.reporter_id))`
	joinTarget = `core_moderation_targets t ON t.plugin_id = r.plugin_id AND t.target_type = r.target_type AND t.target_id = r.target_id`
)

// Find implements moderation.Reports: one query by primary key.
func (p *Reports) Find(ctx context.Context, id string) (*moderation.Stored, error) {
	rows, err := p.pool.Query(ctx, `SELECT `+stateColumns+`, t.scope_family, t.scope_id, `+peopleColumns+`, `+openOnTarget+`, `+filedAnew+`, r.snapshot
		FROM core_moderation_reports r LEFT JOIN `+joinTarget+peopleJoins+` WHERE r.id = $1`, id)
	if err != nil {
		return nil, fmt.Errorf("find report: %w", err)
	}
	stored, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (*moderation.Stored, error) {
		var anew bool
		var snapshot []byte
		s, err := scanStored(row, &anew, &snapshot)
		if err == nil {
			s.FiledAnew, s.Snapshot = anew, snapshot
		}
		return s, err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find report: %w", err)
	}
	return stored, nil
}

// scanStored reads stateColumns, the present scope, the people, the open
// reports and what more the query selects.
func scanStored(row pgx.CollectableRow, more ...any) (*moderation.Stored, error) {
	var s moderation.Stored
	var family, id, reporter, assignee, resolver *string
	fields, done := stateFields(&s.State)
	fields = append(fields, &family, &id, &reporter, &assignee, &resolver, &s.OpenReportsOnTarget)
	if err := row.Scan(append(fields, more...)...); err != nil {
		return nil, err
	}
	done()
	s.Scope = resource(family, id)
	s.Reporter, s.Assignee, s.Resolver = person(s.ReporterID, reporter), person(s.AssigneeID, assignee), person(s.ResolverID, resolver)
	return &s, nil
}

func person(id, name *string) *moderation.Person {
	if id == nil || name == nil {
		return nil
	}
	return &moderation.Person{ID: *id, Name: *name}
}

// Note implements moderation.Reports.
func (p *Reports) Note(ctx context.Context, reportID, noteID string) (*report.Note, error) {
	rows, err := p.pool.Query(ctx, selectNote, noteID, reportID)
	if err != nil {
		return nil, fmt.Errorf("find note: %w", err)
	}
	notes, err := pgx.CollectRows(rows, scanNote)
	if err != nil || len(notes) == 0 {
		return nil, err
	}
	return &notes[0], nil
}

// SetScope implements moderation.Reports. A move that was stored since the
// report was read stands: it is as new as what the target said.
func (p *Reports) SetScope(ctx context.Context, t report.Target, before *scope.Resource, now scope.Resource) error {
	var family, id *string
	if before != nil {
		family, id = &before.Family, &before.ID
	}
	_, err := p.pool.Exec(ctx, `UPDATE core_moderation_targets SET scope_family = $4, scope_id = $5, updated_at = now()
		WHERE plugin_id = $1 AND target_type = $2 AND target_id = $3 AND (scope_family, scope_id) IS NOT DISTINCT FROM ($6, $7)`,
		t.PluginID, t.Type, t.ID, now.Family, now.ID, family, id)
	if err != nil {
		return fmt.Errorf("store the scope of a target: %w", err)
	}
	return nil
}
