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

// securityPage is SECURITY.md.
type securityPage struct {
	text    string
	first   int               // where its table's rows begin
	reasons map[string]string // by column, as table.column
}

const securityFile = "../SECURITY.md"

func readSecurityPage(t *testing.T) *securityPage {
	t.Helper()
	content, err := os.ReadFile(securityFile)
	require.NoError(t, err)
	page := &securityPage{text: string(content), reasons: map[string]string{}}
	rows := listedColumns.FindAllStringSubmatch(page.text, -1)
	require.NotEmpty(t, rows, "the page has no table")
	page.first = strings.Index(page.text, rows[0][0])
	for _, row := range rows {
		for column := range strings.SplitSeq(row[2], ", ") {
			page.reasons[row[1]+"."+strings.Trim(column, "`")] = row[3]
		}
	}
	return page
}

// compare fails unless the page lists these columns, each as table.column and with a reason,
// and no others.
func (page *securityPage) compare(t *testing.T, unseen map[string]bool, full bool) {
	t.Helper()
	if *updateSecurityPage {
		require.True(t, full, "only a full sweep knows what to list")
		rest := listedColumns.ReplaceAllString(page.text, "")
		require.NoError(t, os.WriteFile(securityFile, []byte(rest[:page.first]+securityRows(unseen, page.reasons)+rest[page.first:]), 0o600))
		return
	}
	const update = "decide, and run: DOCKET_SWEEP=full go test ./cmd -run TestWhatAnInsiderWithSQLCanEdit -update-security"
	var more, less []string
	for name := range unseen {
		if page.reasons[name] == "" {
			more = append(more, name)
		}
	}
	for name := range page.reasons {
		if !unseen[name] {
			less = append(less, name)
		}
	}
	slices.Sort(more)
	slices.Sort(less)
	require.Empty(t, more, "edits that pass unseen and that SECURITY.md does not list; %s", update)
	require.Empty(t, less, "listed in SECURITY.md, but seen or gone; %s", update)
	require.NotContains(t, slices.Collect(maps.Values(page.reasons)), undecided, update)
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
