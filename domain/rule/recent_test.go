package rule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/domain/signal"
)

func TestAnExpressionIsTriedOnTheLastFilings(t *testing.T) {
	t.Parallel()
	r := rule.Recent{History: rule.NewHistory(strikesOf), Max: 3}
	listed := &report.Signalled{Source: "shop", Signals: []report.SignalAt{{Signal: signal.Signal{Name: "listed", Score: 1}}}}
	for i := range 6 {
		e := event(fmt.Sprint(i), 1, i, created("mina", fmt.Sprint(i), "joe"))
		c := e.Fact.(*report.Created)
		var came []*report.Signalled
		if i == 4 {
			came = append(came, listed)
		}
		r.Filed(&e, rule.FactsOf(c, contentOf(c), nil, came...), i == 5)
	}
	apply := func(id string, minute int, f report.Fact) {
		e := event(id, 2, minute, f)
		r.Apply(&e)
	}
	apply("4", 4, listed)
	apply("3", 9, listed) // later
	apply("3", 9, &report.Resolved{Resolution: report.ActionTaken})
	e, issues := rule.Parse(`signals[?"listed"].orValue(0.0) > 0.5 || title == "Post 3"`)
	require.Empty(t, issues)
	require.Equal(t, []rule.Judged{
		{ReportID: "4", Matched: true, Held: []string{`signals[?"listed"].orValue(0.0) > 0.5`}, Outcome: rule.Open},
		{ReportID: "3", Matched: true, Held: []string{`title == "Post 3"`}, Outcome: rule.Upheld},
		{ReportID: "2", Outcome: rule.Open},
	}, r.Judge(e))
}
