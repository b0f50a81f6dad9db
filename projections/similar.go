package projections

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

const (
	// maxCandidates bounds how many reports within the coverage that share a key one search compares.
	maxCandidates = 5000
	// maxNear bounds how many reports that share a key one search reads, within the coverage or not.
	maxNear = 20_000
	// maxLinked is how many open and how many decided reports with one link are counted.
	maxLinked = 1000
)

// joinFound joins the reports r of fingerprints f and their targets t one by one. The planner overestimates their
// number, and would read both tables completely.
const joinFound = `CROSS JOIN LATERAL (SELECT * FROM core_moderation_reports o WHERE o.id = f.report_id OFFSET 0) r
	LEFT JOIN LATERAL (SELECT o.scope_family, o.scope_id FROM core_moderation_targets o
		WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type AND o.target_id = r.target_id OFFSET 0) t ON true`

// SimilarList pages reports with similar content.
var SimilarList = paging.List{
	ID:        paging.ID{Kind: paging.UUID},
	Orderings: []paging.Ordering{{Name: "similarity", Kind: paging.Int, Default: paging.Desc}},
}

// SimilarFilter selects reports with similar content.
type SimilarFilter struct {
	Min  float64        // the least similarity
	Link *likeness.Link // only reports with this link, whatever their similarity
	Any  bool           // also reports that share a link, whatever their similarity
}

// Similar is an open report with its similarity to another.
type Similar struct {
	moderation.Stored
	Similarity float64 // see likeness.Signature.Alike
}

// candidate is a report that shares a key with another.
type candidate struct {
	id     string
	alike  int // of likeness.Hashes
	linked bool
}

// Similar returns a page of the open reports within the coverage whose content is similar to that of a report. The
// total is capped if the coverage includes maxCandidates candidates or more. It reveals nothing about reports outside
// of the coverage.
func (p *Reports) Similar(ctx context.Context, c permission.Coverage, of string, f SimilarFilter, r paging.Request) (paging.Page[Similar], error) {
	none := paging.Page[Similar]{}
	own, err := p.fingerprint(ctx, of)
	if err != nil {
		return none, err
	}
	found, capped, err := p.candidates(ctx, c, of, own, f)
	if err != nil {
		return none, err
	}
	page := paging.Slice(found, r, func(c candidate) paging.Position {
		return paging.Position{Value: paging.IntValue(int64(c.alike)), ID: paging.UUIDValue(c.id)}
	})
	ids := domain.Map(page.Edges, func(c candidate) string { return c.id })
	reports, err := p.findCounted(ctx, ids)
	if err != nil {
		return none, err
	}
	// Reports are never deleted, so each is found, except on a replica that lags.
	page.Edges = slices.DeleteFunc(page.Edges, func(c candidate) bool { return reports[c.id] == nil })
	return paging.Map(page, func(c candidate) Similar {
		return Similar{*reports[c.id], float64(c.alike) / likeness.Hashes}
	}).WithTotal(len(found), capped), nil
}

// fingerprint returns the fingerprint of a report, which is empty if the report is erased.
func (p *Reports) fingerprint(ctx context.Context, id string) (likeness.Fingerprint, error) {
	snapshot, err := postgres.CollectOne(ctx, p.pool, "read a snapshot", pgx.RowTo[[]byte], `SELECT snapshot FROM core_moderation_reports WHERE id = $1`, id)
	return likeness.Of(snapshot), err
}

func (p *Reports) candidates(ctx context.Context, c permission.Coverage, of string, own likeness.Fingerprint, f SimilarFilter) (found []candidate, capped bool, err error) {
	keys, links := own.Signature.Keys(), []int64{}
	switch {
	case f.Link != nil:
		keys, links = []int64{f.Link.Key}, []int64{f.Link.Key}
	case f.Any:
		keys, links = own.Keys(), likeness.LinkKeys(own.Links)
	}
	sql, args, err := candidatesQuery(c, of, keys, links)
	if err != nil {
		return nil, false, fmt.Errorf("find look-alikes: %w", err)
	}
	unread, err := p.unread(ctx, c, of)
	if err != nil {
		return nil, false, err
	}
	compare := func(id string, signature likeness.Signature, linked bool) {
		one := candidate{id, own.Signature.Alike(signature), linked}
		if one.linked || f.Link == nil && float64(one.alike) >= f.Min*likeness.Hashes {
			found = append(found, one)
		}
	}
	for id, newest := range unread {
		if common := newest.Keys(); intersect(common, keys) {
			compare(id, newest.Signature, intersect(common, links))
		}
	}
	var id string
	var signature []byte
	var linked bool
	compared := 0
	err = postgres.ForEach(ctx, p.Lists, "find look-alikes", []any{&id, &signature, &linked}, func() error {
		compared++
		if _, newer := unread[id]; !newer {
			compare(id, signature, linked)
		}
		return nil
	}, sql, args...)
	return found, compared == maxCandidates, err
}

func intersect(a, b []int64) bool {
	return slices.ContainsFunc(a, func(key int64) bool { return slices.Contains(b, key) })
}

// candidatesQuery returns the query for the open reports with one of the keys, by the index
// core_moderation_fingerprints_open.
func candidatesQuery(c permission.Coverage, of string, keys, links []int64) (string, []any, error) {
	return psql.Select("r.id::text", "f.signature", "f.linked").
		Prefix(`WITH near AS MATERIALIZED (SELECT report_id, signature, keys && ?::bigint[] AS linked FROM core_moderation_fingerprints
			WHERE open AND keys && ?::bigint[] LIMIT ?)`, links, keys, maxNear).
		From("near f").JoinClause(joinFound).
		Where("r.status <> 'done' AND r.id <> ?::uuid", of).Where(present.covered(c)).Limit(maxCandidates).ToSql()
}

// LinkCounts implements moderation.Reports. It reads both indexes on the keys of fingerprints.
func (p *Reports) LinkCounts(ctx context.Context, c permission.Coverage, of string, links []int64) (map[int64]moderation.LinkCount, error) {
	sql, args, err := linkCountsQuery(c, of, links)
	if err != nil {
		return nil, fmt.Errorf("count links: %w", err)
	}
	counts := map[int64]moderation.LinkCount{}
	var key int64
	var n moderation.LinkCount
	err = postgres.ForEach(ctx, p.Lists, "count links", []any{&key, &n.Reports, &n.Upheld}, func() error {
		counts[key] = n
		return nil
	}, sql, args...)
	return counts, err
}

func linkCountsQuery(c permission.Coverage, of string, links []int64) (string, []any, error) {
	const with = `SELECT report_id FROM core_moderation_fingerprints WHERE %s AND keys @> ARRAY[l.key] LIMIT %d`
	return psql.Select("l.key", "count(*)", "count(*) FILTER (WHERE r.resolution = 'action_taken')").
		From("near l").Prefix("WITH near AS (SELECT unnest(?::bigint[]) AS key)", links).
		JoinClause(fmt.Sprintf("CROSS JOIN LATERAL (("+with+") UNION ALL ("+with+")) f",
			"open", maxLinked, "decided_at IS NOT NULL AND NOT open", maxLinked)).
		JoinClause(joinFound).
		Where("r.id <> ?::uuid", of).Where(present.covered(c)).GroupBy("l.key").ToSql()
}

// Precedents are the decisions on content that is similar to that of a report.
type Precedents struct {
	Similar      int                       `json:"similar"`
	ByResolution map[report.Resolution]int `json:"byResolution"` // of standing decisions
	Overturned   int                       `json:"overturned"`
	Examples     []string                  `json:"examples"` // reports, the most alike first
}

// precedentAlike is the similarity from which content counts as a precedent.
const precedentAlike = 0.8

// maxExamples bounds the examples of precedents.
const maxExamples = 5

// Precedents returns the decisions of the last 365 days that cite a policy, or all for "".
func (p *Reports) Precedents(ctx context.Context, c permission.Coverage, of, policy string) (Precedents, error) {
	found := Precedents{ByResolution: map[report.Resolution]int{report.NoViolation: 0, report.ActionTaken: 0, report.Duplicate: 0}, Examples: []string{}}
	own, err := p.fingerprint(ctx, of)
	if err != nil {
		return found, err
	}
	sql, args, err := precedentsQuery(c, of, own.Signature.Keys())
	if err != nil {
		return found, fmt.Errorf("find precedents: %w", err)
	}
	var one candidate
	var signature []byte
	var resolution *report.Resolution
	var cited *string
	var overturned bool
	var alike []candidate
	err = postgres.ForEach(ctx, p.Lists, "find precedents", []any{&one.id, &signature, &resolution, &cited, &overturned}, func() error {
		one.alike = own.Signature.Alike(signature)
		switch {
		case float64(one.alike) < precedentAlike*likeness.Hashes || policy != "" && (cited == nil || *cited != policy):
			return nil
		case overturned:
			found.Overturned++
		case resolution != nil:
			found.ByResolution[*resolution]++
		default:
			return nil
		}
		found.Similar++
		alike = append(alike, one)
		return nil
	}, sql, args...)
	slices.SortFunc(alike, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(b.id, a.id))
	})
	for _, a := range alike[:min(len(alike), maxExamples)] {
		found.Examples = append(found.Examples, a.id)
	}
	return found, err
}

// precedentsQuery returns the query for the reports with one of the keys that were decided in the last 365 days, by the
// index core_moderation_fingerprints_decided: the resolution and the policy of the standing decision, or the policy of
// the overturned one. A decision that replaced an overturned one has the time of the appeal's decision; if the report
// was reopened instead there is none.
func precedentsQuery(c permission.Coverage, of string, keys []int64) (string, []any, error) {
	return psql.Select("r.id::text", "f.signature", "r.resolution",
		"CASE WHEN o.sequence IS NULL THEN r.decision -> 'policy' ->> 'key' ELSE convert_from(e.payload, 'UTF8')::json -> 'policy' ->> 'key' END",
		"o.sequence IS NOT NULL").
		Prefix(`WITH near AS MATERIALIZED (SELECT report_id, signature FROM core_moderation_fingerprints
			WHERE decided_at IS NOT NULL AND decided_at > now() - interval '365 days' AND keys && ?::bigint[] LIMIT ?)`, keys, maxNear).
		From("near f").JoinClause(joinFound).
		LeftJoin(`LATERAL (SELECT max(a.decision_sequence) AS sequence FROM core_moderation_appeals a WHERE a.report_id = r.id
			AND a.status = 'overturned' AND NOT a.superseded AND (a.decided_at = r.resolved_at OR r.resolved_at IS NULL)) o ON true`).
		LeftJoin("core_moderation_report_events e ON e.report_id = r.id AND e.sequence = o.sequence").
		Where("r.id <> ?::uuid", of).Where(present.covered(c)).Limit(maxCandidates).ToSql()
}
