package target_test

import (
	"context"

	"github.com/docketmod/docket/domain/target"
)

// Members are suspended in a column that is null unless a suspension stands, and infinity if it
// has no end.
func ExamplePeople() {
	set := func(ctx context.Context, r target.MeasureRequest) ([]target.Effect, error) {
		until, unending := r.Latest()
		_, err := r.Tx.Exec(ctx, `UPDATE members SET suspended_until = CASE WHEN $3 THEN 'infinity' ELSE $2::timestamptz END WHERE id = $1`,
			r.AuthorID, until, unending)
		return nil, err
	}
	_ = target.Definition{
		People: &target.People{Kinds: []target.MeasureKind{target.Suspend}, Impose: set, End: set},
	}
}
