package cmd

import (
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
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
// for an action, the call of the platform and the outcome, at least twenty times and three times in
// each stage (with -short, once in each). In the end each recorded request has one outcome, and the
// timeline and the platform agree.
func TestKilledBetweenRequestAndOutcome(t *testing.T) {
	t.Parallel()
	const most = 60
	kills, ofEach := 21, 3
	if testing.Short() {
		kills, ofEach = 3, 1
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
			_, _, _ = p.send(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/hide", map[string]int{"expectedVersion": 1})
		}()
		for start := time.Now(); aim == recorded && events(id) < len(done)-1 || aim > recorded && !isClosed(reached[aim]); time.Sleep(50 * time.Microsecond) {
			require.Less(t, time.Since(start), time.Minute, "it is asked for")
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
		if events(id) == len(done) {
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
	pgtest.Exec(t, pool, `UPDATE core_queue SET locked_until = now() WHERE status = 'processing'`) // or they wait for the lease
	retryNow(t, pool)
	p := startWithShop(t, environment, s.server.URL)
	admin := p.signIn("admin@demo.test")
	for i, id := range reports {
		var types []string
		pgtest.Eventually(t, func() bool {
			types = timelineTypes(readReport(t, p, admin, id))
			return len(types) == len(done)
		}, "the request gets an outcome")
		require.Equal(t, done, types)
		require.True(t, s.isHidden(fmt.Sprint(1000+i)))
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
