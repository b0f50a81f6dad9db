package rules

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/queue"
	rulestore "github.com/docketmod/docket/platform/rule"
)

// compiled caches the parsed expressions of rules, since parsing one takes a millisecond.
type compiled struct {
	mu          sync.Mutex
	expressions map[string]*rule.Expression // by text
	enqueued    atomic.Bool                 // tasks, since they were last looked for
}

// judge evaluates rules on a piece of the log: on each filing, with what was known then, and again with each signal
// that arrives later. A nil judge does nothing.
type judge struct {
	rules    []judging
	after    int64                // the position up to which rules were evaluated before
	filed    map[string]time.Time // the reports of the piece
	late     []At                 // signals that came after the filing
	tasks    []queue.Task
	enqueued *atomic.Bool
	failed   map[rule.Ref]failure
}

type judging struct {
	rule.Rule
	when *rule.Expression // nil if a later release finds fault with it
}

type failure struct {
	times int
	kind  string
}

// judge returns a judge for a piece of the log, with the rules that were shadow or live at its earliest event or later.
func (c *compiled) judge(ctx context.Context, tx pgx.Tx, events []Told) (*judge, error) {
	since := earliest(events)
	inForce, err := rulestore.InForceSince(ctx, tx, since)
	if err != nil {
		return nil, err
	}
	j := &judge{enqueued: &c.enqueued, filed: map[string]time.Time{}, failed: map[rule.Ref]failure{}}
	// After a rebuild it may be later than the piece.
	after, err := postgres.CollectFirst(ctx, tx, "read what was judged", pgx.RowTo[int64], `SELECT value::bigint FROM core_rule_records WHERE key = $1`, judged)
	if err != nil {
		return nil, err
	}
	j.after = domain.OrEmpty(after)
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := map[string]*rule.Expression{}
	for _, r := range inForce {
		if r.Mode == rule.Draft && since.After(r.ModeAt) {
			continue
		}
		e, known := c.expressions[r.When]
		if !known {
			e, _ = rule.Parse(r.When)
		}
		kept[r.When] = e
		j.rules = append(j.rules, judging{r, e})
	}
	c.expressions = kept
	return j, j.recall(ctx, tx, since)
}

// errNotFolded means that the facts of a filing are not stored yet.
var errNotFolded = errors.New("the facts of the filing are not kept yet")

// Confirm evaluates the rules of some matches on the report again and returns those that match. What is recorded is
// signed, so a task, which anybody with SQL can insert, is not trusted. A report whose evidence was erased meanwhile
// matches nothing.
func Confirm(ctx context.Context, db postgres.Querier, m moderation.RuleMatches) (moderation.RuleMatches, error) {
	confirmed := moderation.RuleMatches{ReportID: m.ReportID}
	// The sequences at which rules were evaluated: after the filing with its signals, and after each later signal.
	when, err := postgres.Collect(ctx, db, "read when a report was judged", pgx.RowTo[int], `SELECT coalesce(max(s.sequence) FILTER (WHERE s.occurred_at = e.occurred_at), e.sequence)
			FROM core_moderation_report_events e LEFT JOIN core_moderation_report_events s ON s.report_id = e.report_id AND s.type = 'signalled'
			WHERE e.report_id = $1 AND e.type = 'created' AND e.evidence IS NOT NULL GROUP BY e.event_id
		UNION SELECT s.sequence FROM core_moderation_report_events s JOIN core_moderation_report_events e ON e.report_id = s.report_id AND e.type = 'created'
			WHERE s.report_id = $1 AND s.type = 'signalled' AND s.occurred_at > e.occurred_at AND e.evidence IS NOT NULL ORDER BY 1`, m.ReportID)
	if err != nil || len(when) == 0 {
		return confirmed, err
	}
	filings, err := FactsOf(ctx, db, domain.Map(when, func(sequence int) At { return At{m.ReportID, sequence} }))
	if err == nil && len(filings) == 0 {
		err = errNotFolded
	}
	if err != nil {
		return confirmed, err
	}
	inForce, err := rulestore.InForceSince(ctx, db, filings[0].OccurredAt)
	if err != nil {
		return confirmed, err
	}
	j := &judge{failed: map[rule.Ref]failure{}}
	for _, r := range inForce {
		if slices.ContainsFunc(m.Matches, func(m report.RuleMatch) bool { return m.Rule == r.Key && m.Version == r.Version }) {
			e, _ := rule.Parse(r.When)
			j.rules = append(j.rules, judging{r, e})
		}
	}
	if err := j.recall(ctx, db, filings[0].OccurredAt); err != nil {
		return confirmed, err
	}
	for i := range filings {
		confirmed.Matches = append(confirmed.Matches, j.matches(&filings[i], false)...)
	}
	return confirmed, nil
}

// recall reads the earlier modes of rules whose present mode began after a filing.
func (j *judge) recall(ctx context.Context, db postgres.Querier, filed time.Time) error {
	var changed []rule.Ref
	for _, r := range j.rules {
		if r.Earlier == nil && !filed.After(r.ModeAt) {
			changed = append(changed, r.Ref)
		}
	}
	if changed == nil {
		return nil
	}
	modes, err := rulestore.ModesOf(ctx, db, changed)
	for i := range j.rules {
		if earlier, read := modes[j.rules[i].Ref]; read {
			j.rules[i].Earlier = earlier
		}
	}
	return err
}

// told processes an event of the piece of the log, after it is folded.
func (j *judge) told(t *Told) {
	if j == nil || t.Position <= j.after {
		return
	}
	switch t.Fact.(type) {
	case *report.Created:
		j.filed[t.ReportID] = t.OccurredAt
		if !t.Erased {
			j.judge(t, false)
		}
	case *report.Signalled:
		if at, here := j.filed[t.ReportID]; !here || !at.Equal(t.OccurredAt) {
			j.late = append(j.late, At{t.ReportID, t.Sequence})
		}
	}
}

// judge enqueues a task for the rules that match a filing.
func (j *judge) judge(t *Told, late bool) {
	if matches := j.matches(t, late); matches != nil {
		j.tasks = append(j.tasks, queue.Task{PluginID: permission.CorePlugin, Name: moderation.MatchTask, Payload: moderation.RuleMatches{ReportID: t.ReportID, Matches: matches}})
	}
}

// matches evaluates the rules that were shadow or live when the report was filed. If late is set, because a signal
// arrived, it evaluates only those that read signals and are still shadow or live.
func (j *judge) matches(t *Told, late bool) (matches []report.RuleMatch) {
	for i := range j.rules {
		r := &j.rules[i]
		mode := r.ModeFor(t.OccurredAt)
		if mode == rule.Draft || r.RetiredAt != nil && t.OccurredAt.After(*r.RetiredAt) {
			continue
		}
		if late && (r.RetiredAt != nil || r.Mode == rule.Draft || !strings.Contains(r.When, "signals")) {
			continue
		}
		matched, err := false, errInvalid
		if r.when != nil {
			matched, err = r.when.Matches(t.Facts)
		}
		if err != nil {
			j.failed[r.Ref] = failure{j.failed[r.Ref].times + 1, kindOf(err)}
		}
		if matched {
			matches = append(matches, report.RuleMatch{Rule: r.Key, Version: r.Version, Title: r.Title, Then: r.Then, Shadow: mode == rule.Shadow, Held: r.when.Held(t.Facts)})
		}
	}
	return matches
}

// earliest returns the time of the earliest event.
func earliest(events []Told) time.Time {
	return slices.MinFunc(events, func(a, b Told) int { return a.OccurredAt.Compare(b.OccurredAt) }).OccurredAt
}

var errInvalid = errors.New("the condition is no longer valid")

// kindOf names the kind of an evaluation error. CEL's own text may quote what was reported.
func kindOf(err error) string {
	for _, kind := range []string{"no such key", "division by zero", "cost limit", "overflow", "conversion", "no longer valid"} {
		if strings.Contains(err.Error(), kind) {
			return kind
		}
	}
	return "other"
}

// end evaluates rules again for reports with late signals, enqueues a task for each report that matched, and stores the
// failures, once the records of the piece are stored.
func (j *judge) end(ctx context.Context, tx pgx.Tx, upTo int64) error {
	if len(j.rules) > 0 && len(j.late) > 0 {
		filings, err := FactsOf(ctx, tx, j.late)
		if err != nil {
			return err
		}
		if len(filings) > 0 {
			if err := j.recall(ctx, tx, earliest(filings)); err != nil {
				return err
			}
		}
		for i := range filings {
			j.judge(&filings[i], true)
		}
	}
	if err := queue.EnqueueTx(ctx, tx, j.tasks...); err != nil {
		return err
	}
	if j.tasks != nil {
		j.enqueued.Store(true)
	}
	for ref, f := range j.failed {
		err := postgres.Exec(ctx, tx, "count what a rule failed on", `INSERT INTO core_rule_failures AS f (key, version, failed, error, at) VALUES ($1, $2, $3, $4, now())
			ON CONFLICT (key, version) DO UPDATE SET (failed, error, at) = (f.failed + EXCLUDED.failed, EXCLUDED.error, EXCLUDED.at)`, ref.Key, ref.Version, f.times, f.kind)
		if err != nil {
			return err
		}
	}
	if upTo <= j.after {
		return nil
	}
	return postgres.Exec(ctx, tx, "store what was judged", `INSERT INTO core_rule_records (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
		judged, strconv.FormatInt(upTo, 10))
}
