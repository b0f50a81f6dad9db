package seconds

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/projections"
)

// List pages second opinions by the time of the decision, by core_seconds_decided and core_seconds_status.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "decidedAt", Expr: "s.decided_at", Kind: paging.Time}},
	ID:        paging.ID{Expr: "s.id", Kind: paging.UUID},
}

const selectSecond = `s.id::text, s.report_id::text, s.decision_id::text, s.decided_at, s.decided_by::text, s.resolution, s.policy, s.status,
	s.second_at, s.second_by::text, s.second_resolution, s.second_policy, s.settled_at, s.settled_by::text, s.stands,
	(SELECT u.name FROM core_users u WHERE u.id = s.decided_by), (SELECT u.name FROM core_users u WHERE u.id = s.second_by), (SELECT u.name FROM core_users u WHERE u.id = s.settled_by),
	(SELECT convert_from(e.evidence, 'UTF8')::json #>> '{words,reason}' FROM core_moderation_report_events e WHERE e.report_id = s.report_id AND e.sequence = s.settled_sequence)`

func scanSecond(row pgx.CollectableRow) (s moderation.StoredSecond, err error) {
	var status second.Status
	var secondAt, settledAt *time.Time
	var secondBy, settledBy, resolution *string
	var secondPolicy *policy.Ref
	var stands *bool
	err = row.Scan(&s.ID, &s.ReportID, &s.Decision, &s.First.At, &s.First.By, &s.First.Resolution, &s.First.Policy, &status,
		&secondAt, &secondBy, &resolution, &secondPolicy, &settledAt, &settledBy, &stands, &s.Names[0], &s.Names[1], &s.Names[2], &s.Reason)
	s.Agreed = status == second.Agreed
	if secondAt != nil {
		s.Second.Second = &second.Verdict{By: secondBy, Resolution: report.Resolution(domain.OrEmpty(resolution)), Policy: secondPolicy, At: *secondAt}
	}
	if settledAt != nil {
		s.Settled = &second.Settlement{By: settledBy, Stands: stands != nil && *stands, At: *settledAt}
	}
	return s, err
}

// Find implements moderation.Seconds.
func (s *Store) Find(ctx context.Context, id string) (moderation.StoredSecond, error) {
	return postgres.CollectFound(ctx, s.pool, "find a second opinion", scanSecond, `SELECT `+selectSecond+` FROM core_seconds s WHERE s.id = $1`, id)
}

// Load implements moderation.Seconds.
func (s *Store) Load(ctx context.Context, tx pgx.Tx, reportID, decision string) (*moderation.StoredSecond, error) {
	events, err := postgres.Collect(ctx, tx, "load a second opinion", scanEvent, selectEvent+`FROM core_moderation_report_events e
		WHERE e.report_id = $1 AND (e.event_id = $2 OR e.type = ANY ($3)) ORDER BY e.sequence`, reportID, decision, types)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(events, func(e report.Event) bool { return e.ID == decision })
	if at < 0 {
		return nil, domain.NotFound()
	}
	loaded := &moderation.StoredSecond{Second: second.Of(events[at])}
	for _, e := range events[at+1:] {
		loaded.Second = loaded.Evolve(e)
	}
	people := []*string{loaded.First.By, nil, nil}
	if said := loaded.Second.Second; said != nil {
		people[1] = said.By
	}
	var name string
	return loaded, postgres.ForEach(ctx, tx, "name who decided", []any{&at, &name}, func() error {
		loaded.Names[at-1] = new(name)
		return nil
	}, `SELECT n, u.name FROM unnest($1::uuid[]) WITH ORDINALITY w (id, n) JOIN core_users u USING (id)`, people)
}

// List returns a page of the second opinions within the coverage; no statuses means any.
func (s *Store) List(ctx context.Context, c permission.Coverage, statuses []second.Status, r paging.Request) (paging.Page[moderation.StoredSecond], error) {
	q := psql.Select(selectSecond).From("core_seconds s").Join("core_moderation_reports r ON r.id = s.report_id").LeftJoin(projections.JoinTarget).Where(projections.PresentWithin(c))
	if len(statuses) > 0 {
		q = q.Where(squirrel.Eq{"s.status": statuses})
	}
	found, err := postgres.CollectBuilt(ctx, s.pool, "list second opinions", scanSecond)(sqlpage.Apply(r, q).ToSql())
	if err != nil {
		return paging.Page[moderation.StoredSecond]{}, err
	}
	return paging.NewPage(found, r, func(s moderation.StoredSecond) paging.Position { return paging.At(s.First.At, s.ID) }), nil
}

// DisputesWaiting counts the unsettled disputes, and returns the age of the oldest in seconds. It reads
// core_seconds_status.
func (s *Store) DisputesWaiting(ctx context.Context) (n int, age float64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT count(*), coalesce(extract(epoch FROM now() - min(second_at)), 0) FROM core_seconds WHERE status = 'disputed'`).Scan(&n, &age)
	return n, age, err
}

// By is what figures are grouped by.
type By string

// The groups of figures. A moderator's figures are about their own first decisions.
const (
	ByPolicy    By = "policy"
	ByModerator By = "moderator"
	ByReason    By = "reason"
)

// groups are the SQL for a group's key and its display name.
var groups = map[By][2]string{
	"":          {"NULL::text", "NULL::text"},
	ByPolicy:    {"s.policy ->> 'key'", "NULL::text"},
	ByReason:    {"r.reason", "NULL::text"},
	ByModerator: {"s.decided_by::text", "(SELECT u.name FROM core_users u WHERE u.id = s.decided_by)"},
}

// Figures are the figures of one group of decisions.
type Figures struct {
	Key  *string `json:"key"`  // a policy's key, a reason, or a moderator's id; null for decisions without one
	Name *string `json:"name"` // a moderator's
	second.Agreement
}

// Golden counts somebody's decisions where the answer was known.
type Golden struct {
	N      int `json:"n"`
	Agreed int `json:"agreed"` // with the final answer
}

// Agreement returns how often people agreed: in total, and by group, the one with most second opinions first. It counts
// decisions within the coverage and those of the user; if own is set, only the user's. golden is about the user.
func (s *Store) Agreement(ctx context.Context, c permission.Coverage, userID string, own bool, by By) (all second.Agreement, of []Figures, golden Golden, err error) {
	within := squirrel.Or{squirrel.Expr("s.decided_by = ?::uuid", userID)}
	if !own {
		within = append(within, projections.PresentWithin(c))
	}
	type row struct {
		Key, Name     *string
		First, Second report.Resolution
		Agreed        bool
		N             int
	}
	group := groups[by]
	rows, err := postgres.CollectBuilt(ctx, s.lists, "count how often people agree", pgx.RowToStructByPos[row])(psql.Select(group[0], group[1], "s.resolution", "s.second_resolution", "s.status = 'agreed'", "count(*)::int").
		From("core_seconds s").Join("core_moderation_reports r ON r.id = s.report_id").LeftJoin(projections.JoinTarget).Where("s.second_at IS NOT NULL").Where(within).GroupBy("1", "2", "3", "4", "5").ToSql())
	if err != nil {
		return all, nil, golden, err
	}
	var total second.Tally
	tallies, at := []*second.Tally{}, map[string]int{}
	for _, n := range rows {
		total.Add(n.First, n.Second, n.Agreed, n.N)
		key := domain.OrEmpty(n.Key)
		if _, known := at[key]; !known {
			at[key] = len(of)
			of, tallies = append(of, Figures{Key: n.Key, Name: n.Name}), append(tallies, new(second.Tally))
		}
		tallies[at[key]].Add(n.First, n.Second, n.Agreed, n.N)
	}
	for i := range of {
		of[i].Agreement = tallies[i].Agreement()
	}
	slices.SortFunc(of, func(a, b Figures) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(domain.OrEmpty(a.Key), domain.OrEmpty(b.Key)))
	})
	err = postgres.ScanBuilt(ctx, s.lists, "count golden answers", &golden.N, &golden.Agreed)(psql.Select("count(*)::int", "count(*) FILTER (WHERE agreed)::int").
		From("core_golden_answers").Where("answered_by = ?::uuid", userID).ToSql())
	return total.Agreement(), of, golden, err
}
