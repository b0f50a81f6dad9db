package eventstore

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// LogList pages the log by position, by its primary key.
var LogList = paging.List{ID: paging.ID{Expr: "l.position", Kind: paging.Int}}

// Logged is a sealed event as auditors read it, without the words that people wrote. The
// hash covers a digest of them.
type Logged struct {
	Position   int64           `json:"position"`
	EventID    string          `json:"eventId"`
	ReportID   string          `json:"reportId"`
	Sequence   int             `json:"sequence"`
	Version    int             `json:"version"`
	Type       string          `json:"type"`
	ActorID    *string         `json:"actorId"`
	OccurredAt moderation.Time `json:"occurredAt"`
	Payload    json.RawMessage `json:"payload"`
	Hash       string          `json:"hash"` // in hexadecimal
}

// Logged returns the event without its words.
func (s Sealed) Logged() Logged {
	return Logged{Position: s.Position, EventID: s.EventID, ReportID: s.ReportID, Sequence: s.Sequence, Version: s.Version, Type: s.Type,
		ActorID: s.ActorID, OccurredAt: moderation.Time(s.OccurredAt), Payload: s.Payload, Hash: hex.EncodeToString(s.Hash)}
}

// LogPage returns one page of the events after a position.
func LogPage(ctx context.Context, db postgres.Querier, after int64, r paging.Request) (paging.Page[Logged], error) {
	page, err := sqlpage.List[Logged]{Task: "read the log",
		SQL:  `SELECT ` + logColumns + ` FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id) WHERE l.position > $1`,
		Args: []any{after},
		Scan: func(row pgx.CollectableRow) (Logged, error) {
			s, err := scanSealed(row)
			return s.Logged(), err
		},
		Key: func(e Logged) paging.Position {
			return paging.Position{Value: paging.IntValue(e.Position), ID: paging.IntValue(e.Position)}
		}}.Read(ctx, db, r)
	// A given position counts as a cursor.
	page.PageInfo.HasPreviousPage = page.PageInfo.HasPreviousPage || after > 0
	return page, err
}
