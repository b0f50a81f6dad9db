package projections

import (
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
)

// SecondTables are the tables of second opinions and golden answers.
type SecondTables struct{ Seconds, Golden string }

// CoreSeconds are the tables that lists read.
var CoreSeconds = SecondTables{"core_seconds", "core_golden_answers"}

// Queue stores an event of a drawn second opinion. Commands call it, so that lists never lag behind their response, and
// so does the projection of the log: it is idempotent.
func (t SecondTables) Queue(b *pgx.Batch, e report.Event) {
	switch f := e.Fact.(type) {
	case *report.SecondDecided:
		if f.Golden {
			b.Queue(`INSERT INTO `+t.Golden+` (id, decision_id, answered_by, answered_at, agreed) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`,
				f.SecondID, f.Decision, e.ActorID, e.OccurredAt, f.Agreed)
			return
		}
		status := second.Disputed
		if f.Agreed {
			status = second.Agreed
		}
		b.Queue(`UPDATE `+t.Seconds+` SET (status, second_at, second_by, second_resolution, second_policy) = ($2, $3, $4, $5, $6) WHERE id = $1 AND settled_at IS NULL`,
			f.SecondID, status, e.OccurredAt, e.ActorID, f.Resolution, f.Policy)
	case *report.SecondSettled:
		b.Queue(`UPDATE `+t.Seconds+` SET (status, settled_at, settled_by, settled_sequence, stands) = ($2, $3, $4, $5, $6) WHERE id = $1`,
			f.SecondID, second.Settled, e.OccurredAt, e.ActorID, e.Sequence, f.Stands)
	}
}
