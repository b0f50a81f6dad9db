package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/fleet"
)

// Servers lists the running servers, and checks that their release, plugins and settings are the
// same.
func Servers(db postgres.Querier) Check {
	return Check{Name: "servers", Run: func(ctx context.Context) []Finding {
		servers, err := fleet.Living(ctx, db)
		if err != nil {
			return unexamined(err)
		}
		if len(servers) == 0 {
			return off("No server runs.")
		}
		releases := map[string]bool{}
		for _, s := range servers {
			releases[s.Release] = true
		}
		run := "1 server runs"
		if len(servers) > 1 {
			run = fmt.Sprintf("%d servers run", len(servers))
		}
		running := run + ", release " + strings.Join(slices.Sorted(maps.Keys(releases)), " and ")
		if differences := fleet.Differences(servers); len(differences) > 0 {
			return bad(Warning, "differ", running+". They differ: "+strings.Join(differences, "; ")+".",
				"Finish the upgrade, or give all servers the same settings. Until then a task waits for a server that takes it.")
		}
		return fine("%s.", running)
	}}
}

// Secrets checks that there is a key for binding sessions and tokens to their accounts.
func Secrets(set, production bool) Check {
	return Check{Name: "secrets", Run: func(context.Context) []Finding {
		if set {
			return fine("Sessions, tokens and links are bound to their accounts by DOCKET_SECRETS_KEY, and webhook secrets are encrypted.")
		}
		level := Off
		if production {
			level = Warning
		}
		return bad(level, "no_key", "DOCKET_SECRETS_KEY is not set: a session or token that somebody inserts by SQL signs them in, and webhook secrets are not encrypted.",
			"Set DOCKET_SECRETS_KEY on every server and where docket token create runs: the one that this database had before, or else a new one (openssl rand -base64 32).")
	}}
}
