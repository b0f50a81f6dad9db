package manifest

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// NoteIssuers stores, for each of these plugins, whether its platform has its own issuer, so that
// core_author_account does not take its member ids for ids of AUTH_ISSUER. It does not change other
// plugins, and writes only differences.
func (s *Store) NoteIssuers(ctx context.Context, own map[string]bool) error {
	noted, err := postgres.Collect(ctx, s.pool, "read which platforms have issuers", pgx.RowTo[string], `SELECT plugin_id FROM core_platform_issuers`)
	if err != nil {
		return err
	}
	var with, without []string
	for id, has := range own {
		switch is := slices.Contains(noted, id); {
		case has && !is:
			with = append(with, id)
		case is && !has:
			without = append(without, id)
		}
	}
	if len(with)+len(without) == 0 {
		return nil
	}
	return s.locked(ctx, func(tx pgx.Tx) error {
		const task = "note which platforms have issuers"
		if err := postgres.Exec(ctx, tx, task, `DELETE FROM core_platform_issuers WHERE plugin_id = ANY ($1)`, without); err != nil {
			return err
		}
		return postgres.Exec(ctx, tx, task, `INSERT INTO core_platform_issuers (plugin_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, with)
	})
}

// ownIssuers returns, for each plugin, whether its platform has its own issuer. Stored platforms that
// are off count too, since their member ids are still in use. Plugins with an unreadable manifest are
// left out.
func (c *Connections) ownIssuers(kept []*connection) map[string]bool {
	own := map[string]bool{}
	for _, p := range c.live.Plugins() {
		own[p.ID] = p.Issuer != nil
	}
	for _, one := range kept {
		if one.declared.Issuer != nil || len(one.faults) == 0 {
			own[one.ID] = one.declared.Issuer != nil
		}
	}
	return own
}
