package http_test

import (
	"context"
	"fmt"
	nethttp "net/http"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections/projector"
)

// seal gives every event its position.
func (b *bundle) seal() {
	b.t.Helper()
	require.NoError(b.t, eventstore.NewSealer(b.pool, zerolog.Nop(), func(int64) {}).SealAll(context.Background()))
}

// follow brings projections up to the log.
func (b *bundle) follow(all ...projector.Projection) {
	b.t.Helper()
	b.seal()
	require.NoError(b.t, projector.New(b.pool, zerolog.Nop(), prometheus.NewRegistry(), all...).CatchUp(b.t.Context()))
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

func TestTheLogIsFilteredOverHTTP(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	reports := []string{b.file(0, "1"), b.file(1, "2")}
	moderator.post("/moderation/reports/"+reports[0]+"/claim", `{"expectedVersion": 1}`).status(nethttp.StatusOK)
	b.seal()
	auditor := b.auditor()
	found := func(query string) (types []string) {
		for _, e := range auditor.get("/moderation/events?" + query).status(nethttp.StatusOK).edges() {
			types = append(types, fmt.Sprint(e["type"], " by ", e["actorName"]))
		}
		return types
	}
	filed := []string{"created by Member 0", "created by Member 1"}
	require.ElementsMatch(t, append(filed, "assigned by Moderator"), found(""))
	require.Equal(t, filed[1:], found("actorId="+b.members[1]))
	require.Equal(t, filed, found("type=created"))
	require.Equal(t, []string{filed[1], filed[0]}, found("type=created&order=desc&orderBy=occurredAt"))
	require.Equal(t, []string{filed[0], "assigned by Moderator"}, found("reportId="+reports[0]))
	require.Len(t, found("occurredAfter=2020-01-01T00:00:00Z"), 3)
	require.Empty(t, found("occurredBefore=2020-01-01T00:00:00Z"))

	for query, fault := range map[string]map[string]string{
		"actorId=me&reportId=1":                  {"actorId": "invalid", "reportId": "invalid"},
		"type=nothing&occurredAfter=x":           {"type": "unknown_value", "occurredAfter": "invalid"},
		"type=created&type=created":              {"type": "repeated"},
		"type=created&after=1":                   {"after": "exclusive"},
		"after=-1":                               {"after": "invalid"},
		"after=99999999999999999999":             {"after": "invalid"},
		"after=":                                 {"after": "invalid"},
		"type=created&orderBy=id":                {"orderBy": "unknown_column"},
		"orderBy=occurredAt&occurredBefore=2020": {"occurredBefore": "invalid"},
		"orderBy=occurredAt":                     {"orderBy": "unknown_column"},
	} {
		require.Equal(t, fault, auditor.get("/moderation/events?"+query).fault(nethttp.StatusBadRequest, "validation_failed").issues(), query)
	}
}

func TestTheDocumentListsTheTypesOfEvents(t *testing.T) {
	t.Parallel()
	var types []any
	for _, one := range report.Types() {
		types = append(types, string(one))
	}
	require.Equal(t, types, apiDocument(t).Components.Schemas["LoggedEventType"].Value.Enum)
}
