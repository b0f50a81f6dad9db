package rules

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Figures are the figures of a version of a rule.
type Figures struct {
	Version int          `json:"version"`
	Shadow  rule.Figures `json:"shadow"` // its matches in each mode
	Live    rule.Figures `json:"live"`
	// Failed counts the reports on which evaluation failed, the last with this kind of error at
	// this time.
	Failed   int          `json:"failed"`
	Error    *string      `json:"error"`
	FailedAt *domain.Time `json:"failedAt"`
}

// maxVersions is how many of the newest versions of a rule have figures.
const maxVersions = 100

// FiguresOf returns the figures of the versions of a rule, the newest first, or NotFound. It reads them by
// primary keys. They may lag by a second.
func FiguresOf(ctx context.Context, db postgres.Querier, key string) ([]Figures, error) {
	all, err := postgres.Collect(ctx, db, "read the versions of a rule", func(row pgx.CollectableRow) (f Figures, err error) {
		err = row.Scan(&f.Version, &f.Failed, &f.Error, &f.FailedAt)
		return f, err
	}, `SELECT r.version, coalesce(f.failed, 0), f.error, f.at FROM core_rules r LEFT JOIN core_rule_failures f USING (key, version)
		WHERE r.key = $1 ORDER BY r.version DESC LIMIT $2`, key, maxVersions)
	if err == nil && len(all) == 0 {
		err = domain.NotFound()
	}
	if err != nil {
		return nil, err
	}
	var keys []string
	into := map[string]*rule.Figures{}
	for i := range all {
		ref := rule.Ref{Key: key, Version: all[i].Version}
		shadow, live := rule.KeyOfMatch(rule.Match{Ref: ref, Shadow: true}), rule.KeyOfMatch(rule.Match{Ref: ref})
		keys = append(keys, shadow, live)
		into[shadow], into[live] = &all[i].Shadow, &all[i].Live
	}
	var found, value string
	return all, postgres.ForEach(ctx, db, "read the figures of a rule", []any{&found, &value}, func() error {
		return json.Unmarshal([]byte(value), into[found])
	}, `SELECT key, value FROM core_rule_records WHERE key = ANY ($1)`, keys)
}
