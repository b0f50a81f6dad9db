package http_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	nethttp "net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/forum"
)

// realComments is a data set of comments, of which some are spam, beside a clone of the repository. It is no part of it.
const realComments = "../../shared/real-input/youtube-comments"

// Given real comments that were reported as spam, of which a random half was decided, a back-test of a condition on
// words and links counts what a naive count over the files does.
func TestABacktestCountsWhatIsInRealComments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(realComments, "*.csv"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("there are no real comments in " + realComments)
	}
	texts := map[string]string{} // by the ids of comments
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		for _, row := range rows[1:] {
			texts[row[0]] = strings.Join(strings.Fields(html.UnescapeString(row[3])), " ") // as a reader sees it
		}
	}
	b := newBundle(t)
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	imported, err := forum.Import(t.Context(), b.pool, b.accounts, realComments, time.Now(), nil)
	require.NoError(t, err)

	// The same words and links, as somebody finds them who looks for them in the files.
	words := regexp.MustCompile(`(?i)subscribe|check out|my channel`)
	link := regexp.MustCompile(`https?://[^\s"<]*(youtube\.com|youtu\.be)`)
	const when = `text.matches("(?i)subscribe|check out|my channel") || links.exists(l, l.contains("youtube.com") || l.contains("youtu.be"))`
	resolutions := []string{"action_taken", "no_violation", "duplicate", ""}
	outcomes := map[string]string{"action_taken": "upheld", "no_violation": "rejected", "duplicate": "duplicate", "": "open"}
	want, filed := map[string]float64{"evaluated": 0, "matched": 0, "upheld": 0, "rejected": 0, "duplicate": 0, "open": 0}, map[string]string{}
	var mu sync.Mutex
	var filing errgroup.Group
	filing.SetLimit(4)
	for i, c := range imported.Comments {
		if !c.Spam {
			continue
		}
		resolution := resolutions[rand.IntN(3)]
		if rand.IntN(2) == 0 {
			resolution = ""
		}
		filing.Go(func() error {
			member := b.session(imported.Comments[(i+1)%len(imported.Comments)].AuthorID)
			a := member.undescribed(nethttp.MethodPost, "/moderation/reports", "application/json", fmt.Appendf(nil, `{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"spam"}`, c.PostID))
			if a.code != nethttp.StatusCreated {
				return nil // the member wrote it
			}
			id := a.body["id"].(string)
			if resolution != "" {
				body, err := json.Marshal(map[string]any{"expectedVersion": 1, "resolution": resolution})
				if err != nil {
					return err
				}
				if a := mod.undescribed(nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", "application/json", body); a.code != nethttp.StatusOK {
					return fmt.Errorf("resolve: %d %s", a.code, a.raw)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			filed[id] = c.CommentID
			want["evaluated"]++
			if text := texts[c.CommentID]; words.MatchString(text) || link.MatchString(text) {
				want["matched"]++
				want[outcomes[resolution]]++
			}
			return nil
		})
	}
	require.NoError(t, filing.Wait())
	require.Greater(t, len(filed), 900)
	b.seal()
	asked := admin.post("/admin/rules/backtests", map[string]any{"when": when}).status(nethttp.StatusAccepted).body
	b.work()
	result := admin.get("/admin/rules/backtests/" + asked["id"].(string)).status(nethttp.StatusOK).body["result"].(map[string]any)
	got := map[string]float64{}
	for name := range want {
		got[name] = result[name].(float64)
	}
	require.Equal(t, want, got)
	require.InDelta(t, want["upheld"]/(want["upheld"]+want["rejected"]), result["precision"], 1e-12)
	for _, e := range result["examples"].([]any) {
		text := texts[filed[e.(map[string]any)["reportId"].(string)]]
		require.True(t, words.MatchString(text) || strings.Contains(text, "youtu"), text)
	}
	t.Log(want)
}
