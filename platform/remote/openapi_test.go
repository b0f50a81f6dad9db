package remote

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// The questions that the OpenAPI document shows are those that platforms are asked.
func TestExamplesOfTheDocumentAreTheQuestions(t *testing.T) {
	t.Parallel()
	questions := map[string]any{
		"capture": new(captureQuestion), "current": new(currentQuestion), "actions": new(actionQuestion), "context": new(contextQuestion), "resolve": new(resolveQuestion),
		"scopes-list": new(listQuestion), "scopes-find": new(findQuestion),
		"people": new(measureQuestion), "people-end": new(measureQuestion),
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
		if webhook.Post.Tags[0] != "Platforms" {
			continue
		}
		shown, err := json.Marshal(webhook.Post.RequestBody.Content["application/json"].Example)
		require.NoError(t, err)
		question := questions[name]
		require.NotNil(t, question, name)
		delete(questions, name)
		strict := json.NewDecoder(bytes.NewReader(shown))
		strict.DisallowUnknownFields()
		require.NoError(t, strict.Decode(question), name)
		asked, err := json.Marshal(question)
		require.NoError(t, err)
		require.JSONEq(t, string(asked), string(shown), name)
	}
	require.Empty(t, questions, "the document shows each question")
}
