package seconds_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/seconds"
)

// person makes an account that had to do with nothing yet.
func (b *bundle) person(t *testing.T) (user int) {
	t.Helper()
	b.Users = append(b.Users, uuid.NewString())
	b.SQL(t, `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Person', now())`, b.Users[len(b.Users)-1])
	return len(b.Users) - 1
}

func (b *bundle) take(t *testing.T, user int) *moderation.Turn {
	t.Helper()
	turn, err := b.store.Take(t.Context(), everything, everything, b.Users[user])
	require.NoError(t, err)
	return turn
}

func TestTurnsAreOfOnePersonEachAndOfNobodyTwice(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.set(t, 100)
	for n := range 5 {
		b.Resolve(t, b.File(t, 0, fmt.Sprint(n)), 1, report.NoViolation)
	}
	b.checkpoint(t)
	b.Follow(t, seconds.Projection)
	people := []int{b.person(t), b.person(t), b.person(t), b.person(t)}
	var mu sync.Mutex
	given := map[string]map[int]bool{}
	var all sync.WaitGroup
	for _, user := range people {
		for range 3 { // also of two tabs at once
			all.Go(func() {
				turn := b.take(t, user)
				mu.Lock()
				defer mu.Unlock()
				if given[turn.SecondID] == nil {
					given[turn.SecondID] = map[int]bool{}
				}
				given[turn.SecondID][user] = true
			})
		}
	}
	all.Wait()
	require.Len(t, given, 4)
	for id, to := range given {
		require.Len(t, to, 1, id)
	}
	require.Equal(t, 4, pgtest.One[int](t, b.Pool, `SELECT count(*) FROM core_second_turns WHERE until BETWEEN now() + interval '29 minutes' AND now() + interval '30 minutes'`))

	t.Log("what somebody leaves, or does not answer in time, is given to others and never to them")
	left, lapsed := b.take(t, people[0]).SecondID, b.take(t, people[1]).SecondID
	for _, had := range []bool{true, false} {
		ended, err := b.store.EndTurn(t.Context(), nil, b.Users[people[0]], left)
		require.NoError(t, err)
		require.Equal(t, had, ended)
	}
	b.SQL(t, `UPDATE core_second_turns SET until = now() WHERE second_id = $1`, lapsed)
	seen := map[string]bool{}
	for range 2 { // the fifth and what has lapsed; two others are taken
		turn := b.take(t, people[0])
		seen[turn.SecondID] = true
		_, err := b.store.EndTurn(t.Context(), nil, b.Users[people[0]], turn.SecondID)
		require.NoError(t, err)
	}
	require.Contains(t, seen, lapsed)
	require.NotContains(t, seen, left)
	require.Nil(t, b.take(t, people[0]))
}

// Who had to do with a report, or decided another one of its target, is never asked again about it.
func TestWhoHadToDoWithItDecidesNothingAgain(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.set(t, 100)
	id, sibling := b.File(t, 0, "1"), b.File(t, 2, "1")
	held, assigned, noted, acted, author, other := b.person(t), b.person(t), b.person(t), b.person(t), b.person(t), b.person(t)
	b.Claim(t, id, held)
	b.Do(t, id, held, func(s report.State) ([]report.Fact, error) { return report.DecideUnassign(s, s.Version) })
	b.Do(t, id, 1, func(s report.State) ([]report.Fact, error) {
		return report.DecideAssign(s, b.Users[1], b.Users[assigned], s.Version)
	})
	b.Note(t, id, noted, uuid.NewString())
	b.Do(t, id, acted, func(s report.State) ([]report.Fact, error) { return []report.Fact{report.ActionOn(s, "hide", "")}, nil })
	b.Resolve(t, sibling, other, report.Duplicate)
	b.Resolve(t, id, 1, report.ActionTaken)
	b.SQL(t, `INSERT INTO core_moderation_report_authors (report_id, plugin_id, author) VALUES ($1, 'forum', $2)`, id, b.Users[author])
	b.Wait(time.Second)
	b.checkpoint(t)
	b.Follow(t, seconds.Projection)
	b.SQL(t, `DELETE FROM core_seconds WHERE report_id = $1`, sibling)
	for name, user := range map[string]int{"decided": 1, "reported": 0, "held": held, "assigned": assigned, "noted": noted, "acted": acted, "wrote": author, "decided the other": other} {
		require.Nil(t, b.take(t, user), name)
	}
	require.Equal(t, id, b.take(t, b.person(t)).ReportID)
}
