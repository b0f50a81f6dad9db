package cmd

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	updateSecurityPage = flag.Bool("update-security", false, "rewrite the table of SECURITY.md")
	sweepOnly          = flag.String("sweep", "", "edit only the columns that match, each as table.column, and leave the others as SECURITY.md lists them")
)

// undecided is the reason of a column that nobody has decided about. It fails the test.
const undecided = "UNDECIDED"

// listedColumns is a row of SECURITY.md's table: a table, some of its columns, and why their
// edits are outside of what the verifications prove.
var listedColumns = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (`[a-z_`, ]+`) \\| (.+) \\|\n")

// compareWithSecurityPage fails unless the page lists these columns, each as table.column and
// with a reason, and after a full sweep no others.
func compareWithSecurityPage(t *testing.T, unseen map[string]bool, full bool) {
	t.Helper()
	const file = "../SECURITY.md"
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	page := string(content)
	rows := listedColumns.FindAllStringSubmatch(page, -1)
	reasons := map[string]string{}
	for _, row := range rows {
		for column := range strings.SplitSeq(row[2], ", ") {
			reasons[row[1]+"."+strings.Trim(column, "`")] = row[3]
		}
	}
	for name := range reasons {
		if !full || !regexp.MustCompile(*sweepOnly).MatchString(name) {
			unseen[name] = true
		}
	}
	if *updateSecurityPage {
		require.True(t, full, "only a full sweep knows what to list")
		require.NotEmpty(t, rows, "the page has no table to rewrite")
		first := strings.Index(page, rows[0][0])
		rest := listedColumns.ReplaceAllString(page, "")
		page = rest[:first] + securityRows(unseen, reasons) + rest[first:]
		require.NoError(t, os.WriteFile(file, []byte(page), 0o600))
		return
	}
	const update = "decide, and run: DOCKET_SWEEP=full go test ./cmd -run TestWhatAnInsiderWithSQLCanEdit -update-security"
	require.Equal(t, slices.Sorted(maps.Keys(unseen)), slices.Sorted(maps.Keys(reasons)), "what SECURITY.md lists; %s", update)
	require.NotContains(t, slices.Collect(maps.Values(reasons)), undecided, update)
}

// securityRows writes the table's rows: a row for the columns of a table with the same reason.
func securityRows(unseen map[string]bool, reasons map[string]string) string {
	columns := map[[2]string][]string{} // by table and reason
	for _, name := range slices.Sorted(maps.Keys(unseen)) {
		table, column, _ := strings.Cut(name, ".")
		reason := reasons[name]
		if reason == "" {
			reason = undecided
		}
		columns[[2]string{table, reason}] = append(columns[[2]string{table, reason}], "`"+column+"`")
	}
	var all strings.Builder
	for _, row := range slices.SortedFunc(maps.Keys(columns), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(&all, "| `%s` | %s | %s |\n", row[0], strings.Join(columns[row], ", "), row[1])
	}
	return all.String()
}
