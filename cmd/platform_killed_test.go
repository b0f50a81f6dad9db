package cmd

import (
	"fmt"
	"maps"
	"math/rand/v2"
	nethttp "net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// stage is how far a requested action has come when the server is killed.
type stage int

const (
	recorded stage = iota // the request is in the log, and the platform has not heard of it
	called                // the platform works on it
	answered              // the platform has answered, and the outcome is not in the log
	settled               // the outcome is in the log
)

// TestKilledBetweenRequestAndOutcome kills the server at random moments between the request
// for an action or a measure, the call of the platform and the outcome, at least twenty times (twelve with
// -short) and three times in each stage. In the end each recorded request has one outcome, and the timeline and
// the platform agree.
func TestKilledBetweenRequestAndOutcome(t *testing.T) {
	t.Parallel()
	for _, r := range []requested{
		{"an action", "/actions/hide", nil, done, func(s *shop, review, _ string) bool { return s.hidden[review] }},
		{"a measure", "/resolve", map[string]any{"resolution": "action_taken", "measures": []any{map[string]any{"authorId": "u7", "kind": "suspend"}}},
			[]string{"created", "resolved", "measure_imposed", "measure_pending", "measure_confirmed"},
			func(s *shop, _, report string) bool {
				return slices.ContainsFunc(slices.Collect(maps.Values(s.measures)), func(m *shopMeasure) bool { return m.report == report && m.kind == "suspend" && !m.ended })
			}},
	} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			killedBetween(t, r)
		})
	}
}

// requested is what the platform is asked for by a command on a report.
type requested struct {
	name, path string
	body       map[string]any
	timeline   []string // in the end
	done       func(s *shop, review, report string) bool
}

func killedBetween(t *testing.T, r requested) {
	body := map[string]any{"expectedVersion": 1}
	maps.Copy(body, r.body)
	const most, ofEach = 60, 3
	kills := 21
	if testing.Short() {
		kills = 12
	}
	s := newShop(t)
	database := pgtest.URL(t)
	environment := map[string]string{"DATABASE_URL": database}
	pool := connectTo(t, database)
	events := func(id string) int {
		return pgtest.One[int](t, pool, "SELECT count(*) FROM core_moderation_report_events WHERE report_id = $1", id)
	}
	// How long a stage takes depends on the machine, so that each moment is drawn from a span
	// after the stage's beginning which shrinks when the kill came too late, and grows otherwise.
	spans := map[stage]time.Duration{recorded: 5 * time.Millisecond, called: 40 * time.Millisecond, answered: 20 * time.Millisecond}
	hits := map[stage]int{}
	var reports []string
	for i := 0; i < kills || min(hits[recorded], hits[called], hits[answered]) < ofEach; i++ {
		require.Less(t, i, most, "kills hit the stages %v", hits)
		p := startWithShop(t, environment, s.server.URL)
		member, admin := p.signIn(fmt.Sprintf("member%d@demo.test", i%9+1)), p.signIn("admin@demo.test")
		review := fmt.Sprint(1000 + i)
		status, filed := reportReview(t, p, member, review)
		require.Equal(t, nethttp.StatusCreated, status, filed)
		id := filed["id"].(string)
		reports = append(reports, id)

		aim, killed := recorded+stage(i%3), make(chan struct{})
		reached := map[stage]chan struct{}{called: make(chan struct{}), answered: make(chan struct{})}
		announce := func(at stage) func(string) {
			return func(asked string) {
				if asked == id && !isClosed(reached[at]) { // and not a former one, asked for again
					close(reached[at])
					switch {
					case at == called && aim == called:
						<-killed // the platform is at work still
					case at == called:
						time.Sleep(rand.N(40 * time.Millisecond))
					}
				}
			}
		}
		s.mu.Lock()
		s.called, s.answered = announce(called), announce(answered)
		s.mu.Unlock()
		responded := make(chan struct{})
		go func() {
			defer close(responded)
			_, _, _ = p.send(admin, nethttp.MethodPost, "/moderation/reports/"+id+r.path, body)
		}()
		for start := time.Now(); aim == recorded && events(id) < len(r.timeline)-1 || aim > recorded && !isClosed(reached[aim]); time.Sleep(50 * time.Microsecond) {
			require.Less(t, time.Since(start), time.Minute, "%s is asked for", r.name)
		}
		<-time.After(rand.N(spans[aim])) // the moment of the crash
		hit := recorded
		switch {
		case isClosed(reached[answered]):
			hit = answered
		case isClosed(reached[called]):
			hit = called
		}
		p.kill()
		close(killed)
		<-responded
		if events(id) == len(r.timeline) {
			hit = settled
		}
		hits[hit]++
		if hit > aim {
			spans[aim] = max(spans[aim]*2/3, time.Millisecond/4)
		} else {
			spans[aim] = spans[aim] * 5 / 4
		}
	}
	t.Logf("%d kills: %d before the call, %d in the call, %d after the answer, %d after the outcome",
		len(reports), hits[recorded], hits[called], hits[answered], hits[settled])

	s.mu.Lock()
	s.called, s.answered = nil, nil
	s.mu.Unlock()
	p := startWithShop(t, environment, s.server.URL)
	admin := p.signIn("admin@demo.test")
	for i, id := range reports {
		var types []string
		require.Eventually(t, func() bool {
			types = timelineTypes(readReport(t, p, admin, id))
			return len(types) == len(r.timeline)
		}, 3*time.Minute, 250*time.Millisecond, "the request gets an outcome")
		require.Equal(t, r.timeline, types)
		s.mu.Lock()
		require.True(t, r.done(s, fmt.Sprint(1000+i), id))
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, len(reports), s.changes, "each is done once")
	require.Len(t, s.done, len(reports), "a request has one message id")
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
