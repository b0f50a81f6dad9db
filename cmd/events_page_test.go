package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/http"
)

// docs/events.md lists the events of the OpenAPI document, whose examples are the payloads.
func TestEventsPageListsTheEvents(t *testing.T) {
	t.Parallel()
	encoded, err := http.OpenAPI()
	require.NoError(t, err)
	var document struct {
		Webhooks map[string]struct {
			Post struct {
				Tags                 []string
				Summary, Description string
				RequestBody          struct {
					Content map[string]struct {
						Example struct{ Data json.RawMessage }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(encoded, &document))
	names := slices.SortedFunc(maps.Keys(document.Webhooks), func(a, b string) int {
		return cmp.Or(cmp.Compare(uint(slices.Index(event.ReportNames, a)), uint(slices.Index(event.ReportNames, b))), cmp.Compare(a, b))
	})
	text := "| event | when | `data` |\n|---|---|---|\n"
	for _, name := range names {
		if shown := document.Webhooks[name].Post; shown.Tags[0] == "Events" {
			text += fmt.Sprintf("| `%s` | %s. %s | `%s` |\n", strings.Replace(name, "forum.post", "TYPE", 1), shown.Summary, shown.Description,
				shown.RequestBody.Content["application/json"].Example.Data)
		}
	}
	requireOnPage(t, "docs/events.md", "events", text)
}
