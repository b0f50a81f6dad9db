package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/docketmod/docket/platform/upkeep"
)

// backupOld is the maximum age of a backup.
const backupOld = 36 * time.Hour

// Backup checks the age of the last backup.
func Backup(db upkeep.DB, now func() time.Time) Check {
	return Check{Name: "backup", Run: func(ctx context.Context) []Finding {
		const advice = "Run docket backup every night by a timer, keep the files on another machine, and restore one now and then."
		last, err := upkeep.Last(ctx, db)
		if err != nil {
			return unexamined(err)
		}
		made, ever := last[upkeep.Backup]
		age := now().Sub(made.At)
		switch {
		case !ever:
			return bad(Warning, "never", "No backup has been made yet.", advice)
		case age > backupOld:
			return bad(Warning, "old", fmt.Sprintf("The last backup was made %s ago.", age.Round(time.Hour)), advice)
		}
		return fine("The last backup was made %s ago.", age.Round(time.Minute))
	}}
}
