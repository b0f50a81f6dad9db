package http_test

import (
	"context"
	"fmt"
	nethttp "net/http"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
)

// seal gives every event its position.
func (b *bundle) seal() {
	b.t.Helper()
	_, err := eventstore.NewSealer(b.pool, zerolog.Nop(), func(int64) {}).Seal(context.Background())
	require.NoError(b.t, err)
}

func TestTheLogOverHTTP(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	for i := range 5 {
		b.file(i, fmt.Sprint(i+1))
	}
	auditor := b.auditor()
	require.Empty(t, auditor.get("/moderation/events").status(nethttp.StatusOK).edges(), "nothing is sealed yet")
	b.seal()

	var seen []float64
	after := 0.0
	for {
		page := auditor.get(fmt.Sprintf("/moderation/events?after=%v&first=2", after)).status(nethttp.StatusOK)
		for _, e := range page.edges() {
			require.Equal(t, "created", e["type"])
			require.Equal(t, "forum.post", e["payload"].(map[string]any)["targetType"])
			require.Len(t, e["hash"], 64)
			require.NotContains(t, string(page.raw), "description")
			after = e["position"].(float64)
			seen = append(seen, after)
		}
		info := page.body["pageInfo"].(map[string]any)
		require.Equal(t, len(seen) > 2, info["hasPreviousPage"])
		if !info["hasNextPage"].(bool) {
			break
		}
	}
	require.Equal(t, []float64{1, 2, 3, 4, 5}, seen)

	first := auditor.get("/moderation/events?first=2").status(nethttp.StatusOK)
	cursor := first.body["pageInfo"].(map[string]any)["endCursor"].(string)
	second := auditor.get("/moderation/events?first=2&cursor=" + cursor).status(nethttp.StatusOK)
	require.EqualValues(t, 3, second.edges()[0]["position"], "a cursor does as well")
}

func TestThePositionToReadTheLogFromIsANumber(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	auditor := b.auditor()
	for _, after := range []string{"", "-1", "x", "1.5", "%2B1", "99999999999999999999"} {
		a := auditor.get("/moderation/events?after="+after).fault(nethttp.StatusBadRequest, "validation_failed")
		require.Equal(t, map[string]string{"after": "invalid"}, a.issues())
	}
	twice := auditor.get("/moderation/events?after=1&after=2").fault(nethttp.StatusBadRequest, "validation_failed")
	require.Equal(t, map[string]string{"after": "repeated"}, twice.issues())
}
