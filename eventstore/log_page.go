package eventstore

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
)

// LogList is how the log pages: by position, which its primary key serves.
var LogList = paging.List{ID: paging.ID{Expr: "l.position", Kind: paging.Int}}

// Logged is a sealed event as auditors read it (contract section 8): without
// the words, for which the digest in the hash stands.
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

func logged(s Sealed) Logged {
	return Logged{Position: s.Position, EventID: s.EventID, ReportID: s.ReportID, Sequence: s.Sequence, Version: s.Version, Type: s.Type,
		ActorID: s.ActorID, OccurredAt: moderation.Time(s.OccurredAt), Payload: s.Payload, Hash: hex.EncodeToString(s.Hash)}
}

// LogPage reads one page of the events behind a position.
func LogPage(ctx context.Context, db querier, after int64, r paging.Request) (paging.Page[Logged], error) {
	condition, args := r.Condition(2)
	rows, err := db.Query(ctx, fmt.Sprintf(`SELECT `+logColumns+` FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 AND %s ORDER BY %s LIMIT %d`, condition, r.OrderClause(), r.Limit()), append([]any{after}, args...)...)
	if err != nil {
		return paging.Page[Logged]{}, fmt.Errorf("read the log: %w", err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Logged, error) {
		s, err := scanSealed(row)
		return logged(s), err
	})
	if err != nil {
		return paging.Page[Logged]{}, fmt.Errorf("read the log: %w", err)
	}
	page := paging.NewPage(events, r, func(e Logged) paging.Position {
		return paging.Position{Value: paging.IntValue(e.Position), ID: paging.IntValue(e.Position)}
	})
	// A position given is a cursor given (contract section 4).
	page.PageInfo.HasPreviousPage = page.PageInfo.HasPreviousPage || after > 0
	return page, nil
}
