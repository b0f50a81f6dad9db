package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

const doc = `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Be kind."}]}]}`

func TestParseDraft(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, key, title, text, template string
		faults                           []string
	}{
		{"a rule", "be-kind", "Be kind", doc, "null", nil},
		{"with a template", "1", "T", doc, doc, nil},
		{"plain text", "spam", " Spam ", `"No spam.\nNone."`, "", nil},
		{"a key with a dash first", "-a", "T", doc, "", []string{"key:invalid"}},
		{"a key in capitals", "Spam", "T", doc, "", []string{"key:invalid"}},
		{"a key of 65", strings.Repeat("a", 65), "T", doc, "", []string{"key:invalid"}},
		{"everything wrong", "", " ", `{"type":"doc","content":[]}`, `7`, []string{"key:invalid", "title:required", "text:required", "template:wrong_type"}},
		{"a long title", "a", strings.Repeat("ä", 201), doc, "", []string{"title:too_long"}},
		{"a script", "a", "T", `{"type":"doc","content":[{"type":"script"}]}`, "", []string{"text.content[0].type:not_allowed"}},
		{"too large", "a", "T", `"` + strings.Repeat("x", 70_000) + `"`, "", []string{"text:too_long"}},
		{"an empty template", "a", "T", doc, `""`, []string{"template:required"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d, issues := ParseDraft(test.key, test.title, json.RawMessage(test.text), json.RawMessage(test.template))
			var faults []string
			for _, i := range issues {
				faults = append(faults, i.Path+":"+i.Code)
			}
			require.Equal(t, test.faults, faults)
			if issues == nil {
				same := Policy{Version: 1, Title: d.Title, Text: d.Text, Template: d.Template}
				require.False(t, same.Changes(d))
				other := same
				other.Title += "."
				require.True(t, other.Changes(d))
				retired := same
				retired.RetiredAt = &domain.Time{}
				require.True(t, retired.Changes(d))
				require.True(t, (&Policy{}).Changes(d))
			}
		})
	}
}
