package content

import (
	"context"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/target"
)

type payload struct {
	ContentID   string `json:"contentId"`
	ActorUserID string `json:"actorUserId"`
	HiddenAt    string `json:"hiddenAt,omitempty"` // when the event's record was hidden
}

type runFunc = func(context.Context, target.ActionRequest) (target.ActionResult, error)

// hide sets the columns of a record that is not hidden. The condition handles races: of two
// concurrent hides, the second waits for the row and changes nothing.
func hide(b *bound) runFunc {
	at := "$2::timestamptz"
	if !b.tables.base[b.Hidden.At].is("timestamptz") {
		at = "($2::timestamptz AT TIME ZONE 'UTC')::" + quote(b.tables.base[b.Hidden.At].typ)
	}
	sql := fmt.Sprintf("UPDATE %s SET %s = %s", b.from, quote(b.Hidden.At), at)
	if b.Hidden.By != "" {
		sql += fmt.Sprintf(", %s = $3::%s", quote(b.Hidden.By), quote(b.tables.base[b.Hidden.By].typ))
	}
	sql += fmt.Sprintf(" WHERE %s = $1::%s AND %s IS NULL", b.key(), b.keyType(), b.hiddenAt())

	return func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		hiddenAt := r.At.UTC().Truncate(time.Microsecond)
		values := []any{r.TargetID, hiddenAt}
		if b.Hidden.By != "" {
			values = append(values, domain.OrNull(r.ActorID)) // null for a rule
		}
		tag, err := r.Tx.Exec(ctx, sql, values...)
		if err != nil {
			return target.ActionResult{}, fmt.Errorf("hide %s %s: %w", b.ID, r.TargetID, err)
		}
		return changed(tag.RowsAffected(), target.Event{
			Name:    event.Hidden(b.ID),
			Payload: payload{r.TargetID, r.ActorID, hiddenAt.Format(domain.TimeLayout)},
		}), nil
	}
}

// unhide clears the columns of a record that is hidden.
func unhide(b *bound) runFunc {
	sql := fmt.Sprintf("UPDATE %s SET %s = NULL", b.from, quote(b.Hidden.At))
	if b.Hidden.By != "" {
		sql += fmt.Sprintf(", %s = NULL", quote(b.Hidden.By))
	}
	sql += fmt.Sprintf(" WHERE %s = $1::%s AND %s IS NOT NULL", b.key(), b.keyType(), b.hiddenAt())

	return func(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
		tag, err := r.Tx.Exec(ctx, sql, r.TargetID)
		if err != nil {
			return target.ActionResult{}, fmt.Errorf("restore %s %s: %w", b.ID, r.TargetID, err)
		}
		return changed(tag.RowsAffected(), target.Event{
			Name:    event.Unhidden(b.ID),
			Payload: payload{r.TargetID, r.ActorID, ""},
		}), nil
	}
}

func changed(rows int64, e target.Event) target.ActionResult {
	if rows == 0 {
		return target.ActionResult{}
	}
	return target.ActionResult{Changed: true, Events: []target.Event{e}}
}
