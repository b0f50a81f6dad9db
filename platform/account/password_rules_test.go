package account

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPasswordsThatPeopleChoose(t *testing.T) {
	t.Parallel()
	for password, code := range map[string]string{
		strings.Repeat("é", 11):        "too_short",
		strings.Repeat("é", 12):        "",
		strings.Repeat("é", 200):       "",
		strings.Repeat("é", 201):       "too_long",
		strings.Repeat(" ", 12):        "too_short",
		" \t12345678901\n":             "too_short",
		"a b c d e f g":                "",
		" ADA.Lovelace@example.test ":  "is_email",
		"ada.lovelace@example.test's!": "",
	} {
		issues := checkChosenPassword("new", password, "ada.lovelace@example.test")
		if code == "" {
			require.Empty(t, issues, password)
			continue
		}
		require.Len(t, issues, 1, password)
		require.Equal(t, code, issues[0].Code, password)
	}
}
