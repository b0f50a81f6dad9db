package eventstore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	policies "github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/projections"
)

// TestMeasuresFollowTheDecisions gives random decisions, appeals, reopenings and erasures while time
// passes, and versions of a rule with other strikes and other ladders are published. At every moment
// the strikes are the naive sum over the log. No measure stands whose decision does not, each ends
// once, and after the job those of the ladder stand exactly as long as the strikes behind them.
func TestMeasuresFollowTheDecisions(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	b := &bundle{pool: pool, reports: projections.NewReports(pool)}
	store := policies.New(pool, ledger.Ledger{Signer: logtest.NewKey(t), Now: time.Now})
	defer b.verifyTables(t)
	rapid.Check(t, func(t *rapid.T) {
		m := &measuring{now: time.Now().UTC().Truncate(time.Microsecond), policies: store, rule: "rule-" + uuid.NewString()}
		clock := func() time.Time {
			m.now = m.now.Add(time.Microsecond) // no two commands are at one time
			return m.now
		}
		b.store = eventstore.New(pool, projections.Inline{}, nil, nil, clock, func() {})
		m.machine = &machine{bundle: b, users: b.users(t, 4), author: uuid.NewString(), notes: map[string][]string{}}
		carry := func(context.Context, target.MeasureRequest) ([]target.Effect, error) { return nil, nil }
		forum := &target.Definition{PluginID: "forum", Type: "forum.post", PermissionModule: "posts",
			Current: func(context.Context, string, string) (*target.State, error) { return nil, nil }, // the content is gone
			People:  &target.People{Kinds: measure.Kinds, Impose: carry, End: carry}}
		m.service = moderation.New(b.store, b.reports, nil, registry.NewTargets(forum), clock, "en")
		m.service.Policies, m.service.AppealPeriod = store, 10*measure.Day
		m.publish(t)
		m.setLadder(t)
		commands := []func(*rapid.T){m.file, m.file, m.decide, m.decide, m.decide, m.decide, m.reopen, m.appealAsAuthor, m.appealAsAuthor, m.overturn, m.overturn,
			m.publish, m.setLadder, m.endOne, m.removeAccount, m.erase, m.pass, m.pass, m.runJob, m.runJob}
		t.Repeat(map[string]func(*rapid.T){"": m.checkMeasures, "command": func(t *rapid.T) { pick(t, "command", commands...)(t) }})
	})
}

// measuring is a machine whose clock the test sets, with what was published.
type measuring struct {
	*machine
	now      time.Time
	service  *moderation.Service
	policies *policies.Store
	rule     string
	versions []policy.Policy // of the rule, by version from 1
	fresh    bool            // the job has run since the last command
}

// publish publishes a version of the rule with strikes of its own.
func (m *measuring) publish(t *rapid.T) {
	p, _, err := m.policies.Publish(context.Background(), uuid.NewString(), policy.Draft{Key: m.rule, Title: "A rule", Text: fmt.Appendf(nil, `{"version": %d}`, len(m.versions)),
		Strikes: pick(t, "strikes", 2, 1, 3, 0), StrikeDays: pick(t, "strike days", 30, 365, 1)})
	require.NoError(t, err)
	m.versions = append(m.versions, p)
	require.Len(t, m.versions, p.Version)
}

func (m *measuring) setLadder(t *rapid.T) {
	week, third := 7, pick(t, "terminates at", 5, 3)
	ladder := pick(t, "ladder", measure.Ladder{{Strikes: 2, Kind: measure.Suspend, Days: &week}, {Strikes: third, Kind: measure.Terminate}},
		measure.Ladder{{Strikes: 1, Kind: measure.Restrict}}, measure.Ladder{})
	require.NoError(t, m.policies.SetLadder(context.Background(), uuid.NewString(), ladder))
}

// decide decides a report by the rule in force, with what the ladder proposes or a measure of the moderator's own.
func (m *measuring) decide(t *rapid.T) {
	ctx := context.Background()
	stored, err := m.bundle.reports.Find(ctx, m.report(t))
	require.NoError(t, err)
	a := &moderation.Authorized{Caller: &permission.Caller{UserID: m.user(t), Moderator: &permission.Entry{Unrestricted: true}}, Report: stored}
	c := report.Resolve{Resolution: pick(t, "resolution", report.ActionTaken, report.ActionTaken, report.ActionTaken, report.NoViolation)}
	if c.Resolution == report.ActionTaken {
		newest := m.versions[len(m.versions)-1]
		c.Policy, c.DecisionID = &policy.Ref{Key: newest.Key, Version: newest.Version}, pick(t, "decision", "", uuid.NewString())
		proposals, err := m.service.Propose(ctx, a, m.rule, 1)
		require.NoError(t, err)
		switch proposed := proposals[0].Measure; pick(t, "imposes", "proposed", "proposed", "own", "none") {
		case "proposed":
			if proposed != nil {
				one := report.MeasureImposed{Author: measure.Author{ID: m.author}, Kind: proposed.Kind}
				if proposed.Until != nil {
					until := time.Time(*proposed.Until)
					one.Until = &until
				}
				c.Measures = append(c.Measures, one)
			}
		case "own":
			until := m.now.Add(pick(t, "for", measure.Day, 40*measure.Day))
			c.Measures = append(c.Measures, report.MeasureImposed{Author: measure.Author{ID: m.author}, Kind: measure.Suspend, Until: &until})
		}
	}
	m.fresh = false
	_, err = m.service.Resolve(ctx, a, c, nil, stored.Version)
	if err != nil {
		require.Contains(t, []domain.Code{domain.CodeOwnDecision, domain.CodeInvalidState}, domain.ErrorCode(err), err)
	}
}

func (m *measuring) reopen(t *rapid.T) { m.fresh = false; m.machine.reopen(t) }

func (m *measuring) appealAsAuthor(t *rapid.T) {
	user := m.user(t)
	_ = m.command(t, m.report(t), &user, func(s report.State) ([]report.Fact, error) {
		return report.DecideAppeal(s, report.Author, uuid.NewString(), "It is wrong.", m.now)
	})
}

func (m *measuring) overturn(t *rapid.T) {
	m.fresh = false
	for _, id := range m.reports {
		user := m.user(t)
		_ = m.command(t, id, &user, decideAppeal(user, true), domain.CodeAlreadyReported)
	}
}

func (m *measuring) endOne(t *rapid.T) {
	user := m.user(t)
	_ = m.command(t, m.report(t), &user, func(s report.State) ([]report.Fact, error) {
		if len(s.Measures) == 0 {
			return nil, nil
		}
		return report.DecideMeasureEnd(s, s.Measures[len(s.Measures)-1].ID, "because", s.Version)
	})
}

func (m *measuring) pass(t *rapid.T) {
	m.fresh = false
	m.now = m.now.Add(pick(t, "passes", time.Hour, measure.Day, 8*measure.Day, 40*measure.Day))
}

func (m *measuring) runJob(t *rapid.T) {
	require.NoError(t, m.service.EndMeasures(context.Background()))
	m.fresh = true
}

// checkMeasures holds the strikes and measures of the author to the log.
func (m *measuring) checkMeasures(t *rapid.T) {
	var streams [][]report.Event
	for _, id := range m.reports {
		events, err := eventstore.Load(context.Background(), m.pool, id)
		require.NoError(t, err)
		streams = append(streams, events)
	}
	moments := []time.Time{m.now}
	if len(streams) > 0 {
		at := rapid.SampledFrom(slices.Concat(streams...)).Draw(t, "moment").OccurredAt
		moments = append(moments, at, at.Add(pick(t, "later", 0, time.Microsecond, measure.Day, 30*measure.Day)))
	}
	author := measure.Author{PluginID: "forum", ID: m.author}
	for _, at := range moments {
		decisions, err := m.bundle.reports.StrikeDecisions(context.Background(), []measure.Author{author}, at, "", nil)
		require.NoError(t, err)
		require.Equal(t, m.strikes(streams, at, at), measure.StrikesAt(decisions[author], at), "at %s", at)
	}
	for _, events := range streams {
		m.checkEnds(t, streams, events)
	}
}

// strikes is the naive sum over the log: of the decisions that stood after the events until a moment,
// those that counted then or at the other time.
func (m *measuring) strikes(streams [][]report.Event, at, or time.Time) (total int) {
	for _, events := range streams {
		s := report.Fold(slices.DeleteFunc(slices.Clone(events), func(e report.Event) bool { return e.OccurredAt.After(at) }))
		if s.Status != report.Done || *s.Resolution != report.ActionTaken || s.Decision.Policy == nil {
			continue
		}
		cited := m.versions[s.Decision.Policy.Version-1]
		if over := s.Decision.DecidedAt.AddDate(0, 0, cited.StrikeDays); over.After(at) || over.After(or) && !s.Decision.DecidedAt.After(or) {
			total += cited.Strikes
		}
	}
	return total
}

// checkEnds checks what a report imposed, and why it ended.
func (m *measuring) checkEnds(t *rapid.T, streams [][]report.Event, events []report.Event) {
	s, ended := report.Fold(events), map[string]report.Event{}
	for _, e := range events {
		if f, is := e.Fact.(*report.MeasureEnded); is {
			require.NotContains(t, ended, f.MeasureID, "it ends once")
			ended[f.MeasureID] = e
		}
	}
	for _, one := range s.Measures {
		end, is := ended[one.ID]
		require.Equal(t, is, one.EndedAt != nil)
		if !is {
			require.True(t, stands(&s, one), "no measure stands whose decision does not")
			if m.fresh {
				require.True(t, one.Until == nil || one.Until.After(m.now), "the job has ended what is due")
				require.GreaterOrEqual(t, m.strikes(streams, m.now, one.ImposedAt), one.Threshold, "the job has ended what the ladder proposed for more strikes")
			}
			continue
		}
		after := report.Fold(slices.DeleteFunc(slices.Clone(events), func(e report.Event) bool { return e.Version > end.Version }))
		switch one.EndedBy {
		case measure.EndedByExpiry:
			require.False(t, one.Until.After(end.OccurredAt), "what expires was due")
		case measure.EndedByOverturn:
			require.True(t, !stands(&after, one) || m.strikes(streams, end.OccurredAt, one.ImposedAt) < one.Threshold, "what an overturn ends has lost its decision or its strikes")
		}
	}
}

// stands reports whether the decision that imposed a measure stands.
func stands(s *report.State, one report.Measure) bool {
	return s.Status == report.Done && *s.Resolution == report.ActionTaken && s.Decision.DecidedAt.Equal(one.ImposedAt)
}
