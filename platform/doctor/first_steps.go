package doctor

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Administrators checks that the loss of one account does not lock out everybody. count returns how many administrators
// can sign in.
func Administrators(count func(context.Context) (int, error)) Check {
	return Check{Name: "administrators", Run: func(ctx context.Context) []Finding {
		n, err := count(ctx)
		switch {
		case err != nil:
			return unexamined(err)
		case n == 0:
			return bad(Off, "none", "There is no administrator.", "Open the link that docket serve prints, or run docket user create --admin-root.")
		case n == 1:
			return bad(Off, "one", "There is one administrator.", "Make a second under Administration: when the first loses their password, only the command line helps.")
		}
		return fine("There are %d administrators.", n)
	}}
}

// FirstReport checks that a report was ever filed, as proof that a platform reaches the board.
func FirstReport(db postgres.Querier) Check {
	return Check{Name: "reports", Run: func(ctx context.Context) []Finding {
		filed, err := postgres.CollectOne(ctx, db, "look for a report", pgx.RowTo[bool], `SELECT EXISTS (SELECT FROM core_moderation_reports)`)
		switch {
		case err != nil:
			return unexamined(err)
		case !filed:
			return bad(Off, "none", "No report has been filed yet.", "Report something from your platform, to see that it arrives on the board.")
		}
		return fine("Reports arrive.")
	}}
}

// Platforms checks that there is something to moderate. declared reports whether a plugin is
// loaded, or a platform is connected.
func Platforms(declared func(context.Context) (bool, error)) Check {
	return Check{Name: "platforms", Run: func(ctx context.Context) []Finding {
		is, err := declared(ctx)
		if err != nil {
			return unexamined(err)
		}
		if !is {
			return bad(Off, "none", "Nothing to moderate is declared.", "Connect a platform: under Administration, Platforms, or give its manifest to docket serve --plugin or DOCKET_PLUGINS, see docs/plugins.md.")
		}
		return fine("There is something to moderate.")
	}}
}
