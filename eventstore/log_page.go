package eventstore

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// LogList pages the log by position, by its primary key.
var LogList = paging.List{ID: paging.ID{Expr: "e.position", Kind: paging.Int}}

// FilteredLogList pages the events that match a LogFilter. It is ordered by time, since the log's table has only the
// position of an event.
var FilteredLogList = paging.List{
	Orderings: []paging.Ordering{{Name: "occurredAt", Expr: "e.occurred_at", Kind: paging.Time}},
	ID:        paging.ID{Expr: "e.event_id", Kind: paging.UUID},
}

// Logged is a sealed event for auditors, without its evidence. The hash covers a digest of that.
type Logged struct {
	Position   int64           `json:"position"`
	EventID    string          `json:"eventId"`
	ReportID   string          `json:"reportId"`
	Sequence   int             `json:"sequence"`
	Version    int             `json:"version"`
	Type       string          `json:"type"`
	ActorID    *string         `json:"actorId"`
	OccurredAt domain.Time     `json:"occurredAt"`
	Payload    json.RawMessage `json:"payload"`
	Hash       string          `json:"hash"` // in hexadecimal
}

// Logged returns the event without its evidence.
func (s Sealed) Logged() Logged {
	return Logged{Position: s.Position, EventID: s.EventID, ReportID: s.ReportID, Sequence: s.Sequence, Version: s.Version, Type: s.Type,
		ActorID: s.ActorID, OccurredAt: domain.Time(s.OccurredAt), Payload: s.Payload, Hash: hex.EncodeToString(s.Hash)}
}

// LogFilter selects sealed events. Its zero value selects all of them.
type LogFilter struct {
	ActorID, ReportID string
	Type              report.Type
	After, Before     *time.Time // exclusive
	Blind             *permission.Blind
}

// unseen is the condition that an event is not about the target in $n to $n+2, which Blind hides.
func unseen(n int) string {
	return fmt.Sprintf(`NOT EXISTS (SELECT FROM core_moderation_reports b WHERE b.id = e.report_id AND (b.plugin_id, b.target_type, b.target_id) = ($%d, $%d, $%d))`, n, n+1, n+2)
}

const (
	loggedEvents = `(SELECT l.position, e.* FROM core_moderation_report_events e JOIN core_moderation_log l USING (event_id)) e`
	logged       = `SELECT ` + FactColumns + `, e.position, e.hash FROM `
)

func scanLogged(row pgx.CollectableRow) (Logged, error) {
	var s Sealed
	err := row.Scan(append(FactFields(&s.Record), &s.Position, &s.Hash)...)
	return s.Logged(), err
}

// LogPage returns a page of the events after a position, as requested from LogList, without those about the target that
// blind hides.
func LogPage(ctx context.Context, db postgres.Querier, after int64, blind *permission.Blind, r paging.Request) (paging.Page[Logged], error) {
	where, args := ` WHERE e.position > $1`, []any{after}
	if blind != nil {
		where, args = where+` AND `+unseen(2), append(args, blind.PluginID, blind.TargetType, blind.TargetID)
	}
	page, err := sqlpage.List[Logged]{Task: "read the log",
		SQL: logged + loggedEvents + where, Args: args, Scan: scanLogged,
		Key: func(e Logged) paging.Position {
			return paging.Position{Value: paging.IntValue(e.Position), ID: paging.IntValue(e.Position)}
		}}.Read(ctx, db, r)
	// A position after which to read counts as a cursor.
	page.PageInfo.HasPreviousPage = page.PageInfo.HasPreviousPage || after > 0
	return page, err
}

// FilteredLogPage returns a page of the events that match the filter, as requested from FilteredLogList.
func FilteredLogPage(ctx context.Context, db postgres.Querier, f LogFilter, r paging.Request) (paging.Page[Logged], error) {
	sql, args := f.query(r)
	return sqlpage.List[Logged]{Task: "read the filtered log", SQL: sql, Args: args, Scan: scanLogged,
		Key: func(e Logged) paging.Position { return paging.At(time.Time(e.OccurredAt), e.EventID) }}.Read(ctx, db, r)
}

// query returns a SELECT that ends with its conditions. It reads one page of each type from
// core_moderation_report_events_type or core_moderation_report_events_by_actor, whose last column is the time, so that
// its cost depends neither on the length of the log nor on how deep the page is. For a report, it reads all of its few
// events.
func (f LogFilter) query(r paging.Request) (sql string, args []any) {
	types := report.Types()
	if f.Type != "" {
		types = []report.Type{f.Type}
	}
	args = []any{types}
	var conditions []string
	where := func(condition string, arg any) {
		args = append(args, arg)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if f.ActorID != "" {
		where("e.actor_id = $%d", f.ActorID)
	}
	if f.After != nil {
		where("e.occurred_at > $%d", *f.After)
	}
	if f.Before != nil {
		where("e.occurred_at < $%d", *f.Before)
	}
	if b := f.Blind; b != nil {
		conditions, args = append(conditions, unseen(len(args)+1)), append(args, b.PluginID, b.TargetType, b.TargetID)
	}
	if f.ReportID != "" {
		where("e.report_id = $%d", f.ReportID)
		return logged + loggedEvents + ` WHERE e.type = ANY ($1) AND ` + strings.Join(conditions, " AND "), args
	}
	beyond, cursor := sqlpage.Condition(r, len(args)+1)
	conditions, args = append(conditions, beyond), append(args, cursor...)
	return logged + `unnest($1::text[]) t (name) CROSS JOIN LATERAL (SELECT e.* FROM ` + loggedEvents +
		` WHERE e.type = t.name AND ` + strings.Join(conditions, " AND ") +
		fmt.Sprintf(` ORDER BY %s LIMIT %d) e WHERE true`, sqlpage.OrderClause(r), r.Limit()), args
}
