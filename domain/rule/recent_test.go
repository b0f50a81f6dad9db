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
	file := func(i int, erased bool) {
		e := event(fmt.Sprint(i), 1, i, created("mina", fmt.Sprint(i), "joe"))
		words := &e.Fact.(*report.Created).Words
		if erased {
			words = nil
		}
		r.Filed(&e, words, nil)
	}
	for i := range 5 {
		file(i, false)
	}
	file(5, true)
	apply := func(id string, minute int, f report.Fact) {
		e := event(id, 2, minute, f)
		r.Apply(&e)
	}
	listed := &report.Signalled{Source: "shop", Signals: []report.SignalAt{{Signal: signal.Signal{Name: "listed", Score: 1}}}}
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
