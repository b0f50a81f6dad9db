package forum

import (
	"context"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain/target"
)

// setMember has the statement that sets a kind of measure in forum_members, as the manifest does for topics and posts.
// It inserts a row for a person who has a profile but no posts.
var setMember = func() map[target.MeasureKind]string {
	all := map[target.MeasureKind]string{}
	for kind, column := range map[target.MeasureKind]string{target.Restrict: "restricted_until", target.Suspend: "suspended_until", target.Terminate: "terminated_at"} {
		value := "EXCLUDED." + column
		if kind == target.Terminate { // since the first standing one
			value = fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN coalesce(m.%s, %[1]s) END", value, column)
		}
		all[kind] = fmt.Sprintf(`INSERT INTO forum_members AS m (user_id, %s) VALUES ($1, $2::timestamptz) ON CONFLICT (user_id) DO UPDATE SET %[1]s = %s`, column, value)
	}
	return all
}()

// people carries out measures on people whose profiles are reported.
func people() *target.People {
	set := func(ctx context.Context, r target.MeasureRequest) ([]target.Effect, error) {
		var value *string
		switch until, unending := r.Latest(); {
		case unending && r.Kind == target.Terminate:
			value = moment(r.At)
		case unending:
			value = new("infinity")
		case until != nil:
			value = moment(*until)
		}
		_, err := r.Tx.Exec(ctx, setMember[r.Kind], r.AuthorID, value)
		return nil, err
	}
	return &target.People{Kinds: []target.MeasureKind{target.Restrict, target.Suspend, target.Terminate}, Impose: set, End: set}
}

func moment(t time.Time) *string { return new(t.UTC().Format(time.RFC3339Nano)) }
