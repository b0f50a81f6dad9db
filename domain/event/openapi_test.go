package event_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/docketmod/docket/domain/event"
)

// The events that the OpenAPI document shows are those that are published, each with the members
// that its payload has.
func TestExamplesOfTheDocumentAreThePayloads(t *testing.T) {
	t.Parallel()
	payloads := map[string]any{
		event.ReportCreated: new(event.Created), event.ReportAssigned: new(event.Assigned), event.ReportAction: new(event.Action),
		event.ReportResolved: new(event.Resolved), event.ReportReopened: new(event.Reopened), event.ReportOverdue: new(event.Overdue), event.ReportEscalated: new(event.Escalated), event.ReportReturned: new(event.Returned),
		event.ReportHeld: new(event.Held), event.ReportReleased: new(event.Released),
		event.NoteUpdated: new(event.Note), event.NoteDeleted: new(event.Note),
		event.AppealCreated: new(event.Appeal), event.AppealDecided: new(event.AppealOutcome),
		event.MeasureImposed: new(event.Imposed), event.MeasureEnded: new(event.Ended),
		event.Hidden("forum.post"): new(event.Content), event.Unhidden("forum.post"): new(event.Content),
	}
	for _, name := range event.ReportNames {
		require.Contains(t, payloads, name)
	}
	text, err := os.ReadFile("../../http/openapi/outgoing.yaml")
	require.NoError(t, err)
	var document struct {
		Webhooks map[string]struct {
			Post struct {
				Tags        []string
				RequestBody struct {
					Content map[string]struct{ Example map[string]any }
				} `yaml:"requestBody"`
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &document))
	for name, webhook := range document.Webhooks {
		if webhook.Post.Tags[0] != "Events" || !strings.Contains(name, "moderation.") && !strings.HasPrefix(name, "content.") {
			continue
		}
		example := webhook.Post.RequestBody.Content["application/json"].Example
		require.Equal(t, name, example["type"])
		require.Len(t, example, 3, "type, timestamp and data")
		data, err := json.Marshal(example["data"])
		require.NoError(t, err)
		payload := payloads[name]
		require.NotNil(t, payload, name)
		delete(payloads, name)
		strict := json.NewDecoder(bytes.NewReader(data))
		strict.DisallowUnknownFields()
		require.NoError(t, strict.Decode(payload), name)
		sent, err := json.Marshal(payload)
		require.NoError(t, err)
		require.JSONEq(t, string(sent), string(data), name)
	}
	require.Empty(t, payloads, "the document shows each event")
}
