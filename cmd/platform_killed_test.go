package cmd

import (
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestKilledBetweenRequestAndOutcome kills the server twenty times while it asks a platform
// for actions. In the end each recorded request has one outcome, and the timeline and the
// platform agree.
func TestKilledBetweenRequestAndOutcome(t *testing.T) {
	t.Parallel()
	const kills = 20
	s := newShop(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t)}
	var reports []string
	for i := range kills {
		p := startWithShop(t, environment, s.server.URL)
		member, admin := p.signIn(fmt.Sprintf("member%d@demo.test", i%9+1)), p.signIn("admin@demo.test")
		status, filed := reportReview(t, p, member, fmt.Sprint(1000+i))
		require.Equal(t, nethttp.StatusCreated, status, filed)
		id := filed["id"].(string)
		reports = append(reports, id)
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _, _ = p.send(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/hide", map[string]int{"expectedVersion": 1})
		}()
		<-time.After(time.Duration(rand.IntN(80)) * time.Millisecond) // the moment of the crash
		p.kill()
		<-answered
	}
	p := startWithShop(t, environment, s.server.URL)
	admin := p.signIn("admin@demo.test")
	requested := 0
	for i, id := range reports {
		var types []string
		require.Eventually(t, func() bool {
			types = timelineTypes(readReport(t, p, admin, id))
			return len(types) != 2
		}, 3*time.Minute, 250*time.Millisecond, "the request gets an outcome")
		s.mu.Lock()
		hidden := s.hidden[fmt.Sprint(1000+i)]
		s.mu.Unlock()
		if len(types) == 1 { // killed before the request was recorded
			require.False(t, hidden, "nothing is asked that is not recorded")
			continue
		}
		requested++
		require.True(t, slices.Equal(types, []string{"created", "action_requested", "action"}), types)
		require.True(t, hidden)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, requested, s.changes, "each is done once")
	require.Len(t, s.done, requested, "a request has one message id")
	t.Logf("%d of %d requests were recorded", requested, kills)
}
