package projections

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// AuthorRecord counts the decisions on the newest reported content of an author, within a coverage. Only standing
// decisions count.
type AuthorRecord struct {
	Author  string             `json:"author"`
	Account *moderation.Person `json:"account"` // null if the author has none
	// MemberSince is when the account was created; null without an account, and for accounts of the
	// host platform or of a provider, which are created on first use.
	MemberSince *domain.Time              `json:"memberSince"`
	Decided     int                       `json:"decided"`
	Capped      bool                      `json:"capped,omitempty"` // some older reports were not read
	Outcomes    map[report.Resolution]int `json:"outcomes"`
	Policies    []PolicyCount             `json:"policies"` // the most cited first
	Latest      []AuthorDecision          `json:"latest"`   // at most ten
	Recent      []ReportedThing           `json:"recent"`   // at most five
	Strikes     int                       `json:"strikes"`  // from all decisions, including those outside of the coverage
	Measures    []moderation.MeasureView  `json:"measures"` // standing ones, the newest first
}

// PolicyCount counts the decisions that cite a version of a policy.
type PolicyCount struct {
	policy.Ref
	Decisions int `json:"decisions"`
}

// AuthorDecision is a decision on an author's content.
type AuthorDecision struct {
	ID         string            `json:"id"` // the report's
	PluginID   string            `json:"pluginId"`
	TargetType string            `json:"targetType"`
	TargetID   string            `json:"targetId"`
	Title      string            `json:"title"`
	Resolution report.Resolution `json:"resolution"`
	Policy     *policy.Ref       `json:"policy"`
	DecidedAt  domain.Time       `json:"decidedAt"`
}

// recordReports is how many of the newest decided reports a record reads for each of an author's ids.
const recordReports = 1000

// newestReports selects the decided reports of author n from the newest. plugin is the
// placeholder of a plugin's id; "" selects all plugins.
func newestReports(plugin string) string {
	return `SELECT a.report_id FROM core_moderation_report_authors a
		WHERE a.author = n.author AND a.plugin_id = coalesce(nullif(` + plugin + `, ''), a.plugin_id) ORDER BY a.report_id DESC`
}

// latestDecisions is how many decisions a record lists.
const latestDecisions = 10

// AuthorRecord returns the record of an author, given by an id in snapshots or by an account id. pluginID may be "".
// Strikes and measures are as of at. It reads an author's reports by id, the newest last, from
// core_moderation_report_authors_pkey.
func (p *Reports) AuthorRecord(ctx context.Context, c permission.Coverage, author, pluginID string, at time.Time) (AuthorRecord, error) {
	record := AuthorRecord{Author: author, Outcomes: map[report.Resolution]int{report.NoViolation: 0, report.ActionTaken: 0, report.Duplicate: 0},
		Policies: []PolicyCount{}}
	names, err := p.authorNames(ctx, author, pluginID, &record)
	if err != nil {
		return record, err
	}
	if blind := c.Blind; blind != nil { // whose counts could reveal the decision
		wrote, err := postgres.CollectOne(ctx, p.pool, "find the authors of what somebody is blind for", pgx.RowTo[bool],
			`SELECT EXISTS (SELECT FROM core_moderation_reports r JOIN core_moderation_report_authors a ON a.report_id = r.id
				WHERE (r.plugin_id, r.target_type, r.target_id) = ($1, $2, $3) AND a.author = ANY ($4))`, blind.PluginID, blind.TargetType, blind.TargetID, names)
		if err == nil && wrote {
			err = domain.NotFound()
		}
		if err != nil {
			return record, err
		}
	}
	if record.Recent, err = p.recentThings(ctx, c, names, pluginID); err != nil {
		return record, err
	}
	q := psql.Select("r.id::text", "r.plugin_id", "r.target_type", "r.target_id", "r.title", "r.resolution", "r.decision -> 'policy'", "r.resolved_at").
		From("core_moderation_reports r").LeftJoin(JoinTarget).
		Where("r.id IN (SELECT w.report_id FROM unnest(?::text[]) n (author) CROSS JOIN LATERAL ("+newestReports("?")+" LIMIT ?) w)",
			names, pluginID, recordReports).Where("r.status = 'done'").Where(present.covered(c)).OrderBy("r.resolved_at DESC", "1")
	record.Capped, err = postgres.CollectOne(ctx, p.pool, "read the record of an author", pgx.RowTo[bool],
		`SELECT EXISTS (SELECT FROM unnest($1::text[]) n (author) CROSS JOIN LATERAL (`+newestReports("$2")+` OFFSET $3 LIMIT 1) w)`,
		names, pluginID, recordReports)
	if err != nil {
		return record, err
	}
	decisions, err := postgres.CollectBuilt(ctx, p.pool, "read the record of an author", pgx.RowToStructByPos[AuthorDecision])(q.ToSql())
	if err != nil {
		return record, err
	}
	record.Decided, record.Latest = len(decisions), decisions[:min(len(decisions), latestDecisions)]
	cited := map[policy.Ref]int{}
	for _, d := range decisions {
		record.Outcomes[d.Resolution]++
		if d.Policy != nil {
			cited[*d.Policy]++
		}
	}
	for ref, n := range cited {
		record.Policies = append(record.Policies, PolicyCount{ref, n})
	}
	slices.SortFunc(record.Policies, func(a, b PolicyCount) int {
		return cmp.Or(cmp.Compare(b.Decisions, a.Decisions), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Version, b.Version))
	})
	var account *string // whose names may also be other people's, on other platforms
	if record.Account != nil {
		account = &record.Account.ID
	}
	if record.Strikes, err = p.strikesOf(ctx, `SELECT DISTINCT w.plugin_id AS plugin, w.author FROM (`+strikingAuthors+`) w
		WHERE w.author = ANY ($3::text[]) AND $4 IN ('', w.plugin_id) AND ($5::uuid IS NULL OR core_author_account(w.plugin_id, w.author, $6::text) = $5::uuid)`,
		at, names, pluginID, account, p.Issuer); err != nil {
		return record, err
	}
	measures, err := p.standingMeasures(ctx, at, p.selectMeasures().LeftJoin(JoinTarget).Where(present.covered(c)).
		Where("m.author = ANY (?) AND ? IN ('', m.plugin_id) AND (?::uuid IS NULL OR u.id = ?::uuid)", names, pluginID, account, account))
	record.Measures = domain.Map(measures, moderation.ViewMeasure)
	return record, err
}

// authorNames returns the ids by which snapshots may name the author, and stores the author's account in the record, if
// there is one.
func (p *Reports) authorNames(ctx context.Context, author, pluginID string, record *AuthorRecord) ([]string, error) {
	names := []string{author}
	var found moderation.Person
	var subjects []string
	var since *time.Time
	err := postgres.ForEach(ctx, p.pool, "find the account of an author", []any{&found.ID, &found.Name, &subjects, &since}, func() error {
		record.Account = &found // there is at most one
		if len(subjects) == 0 {
			record.MemberSince = domain.TimeOf(since)
		}
		names = append(append(names, found.ID), subjects...)
		return nil
	}, `SELECT u.id::text, u.name, ARRAY(SELECT i.subject FROM core_user_identities i WHERE i.user_id = u.id), u.created_at
		FROM core_users u WHERE u.id = core_author_account($1, $2, $3)`, pluginID, author, p.Issuer)
	return names, err
}
