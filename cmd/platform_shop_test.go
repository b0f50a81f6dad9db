package cmd

import (
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

const shopSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// shop is a platform that holds reviews elsewhere, in memory.
type shop struct {
	t       testing.TB
	server  *httptest.Server
	webhook *standardwebhooks.Webhook

	mu      sync.Mutex
	author  string // of every review
	asker   any    // the subject of who reported, of the last capture
	hidden  map[string]bool
	done    map[string]int // message ids of actions, with how often each arrived
	changes int            // how often a review was hidden or shown, or a measure imposed or lifted
	// before answers a question in the shop's stead, if it returns true.
	before func(w nethttp.ResponseWriter, path string) bool
	// called and answered hear of each action and measure, by its report: that it has come, and
	// that its answer is on its way. They may be nil.
	called, answered func(report string)
	measures         map[string]*shopMeasure // by id
}

// shopMeasure is a measure on a customer. One that ended before it was imposed is there, too.
type shopMeasure struct {
	report, author, kind string
	until                *time.Time
	ended                bool
}

// barred are the kinds of measures that stand on a customer at the shop.
func (s *shop) barred(customer string) (kinds []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.measures {
		if m.author == customer && !m.ended {
			kinds = append(kinds, m.kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

func newShop(t testing.TB) *shop {
	t.Helper()
	webhook, err := standardwebhooks.NewWebhook(shopSecret)
	require.NoError(t, err)
	s := &shop{t: t, webhook: webhook, author: "u7", hidden: map[string]bool{}, done: map[string]int{}, measures: map[string]*shopMeasure{}}
	s.server = httptest.NewServer(nethttp.HandlerFunc(s.serve))
	t.Cleanup(func() { s.server.Close() })
	return s
}

// written makes somebody else the author of every review.
func (s *shop) written(by string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.author = by
}

// reporter is the subject of who reported last, as the platform was told.
func (s *shop) reporter() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asker
}

// did is how often it changed something.
func (s *shop) did() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes
}

func (s *shop) isHidden(review string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hidden[review]
}

func (s *shop) set(before func(w nethttp.ResponseWriter, path string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = before
}

func (s *shop) serve(w nethttp.ResponseWriter, r *nethttp.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || s.webhook.Verify(body, r.Header) != nil {
		w.WriteHeader(nethttp.StatusUnauthorized)
		return
	}
	s.mu.Lock()
	before := s.before
	s.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, "/docket/")
	if before != nil && before(w, path) {
		return
	}
	var q struct {
		Type, ID, Family, Search  string
		IDs                       []string
		ReportID, MeasureID, Kind string
		Until                     *time.Time
		Author                    struct{ ID, Subject string }
		Reporter                  struct{ Subject any }
	}
	_ = json.Unmarshal(body, &q)
	s.mu.Lock()
	defer s.mu.Unlock()
	if called := s.called; called != nil && q.ReportID != "" {
		s.mu.Unlock()
		called(q.ReportID)
		s.mu.Lock()
	}
	answer := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	items := []map[string]any{{"id": "books", "label": "Books"}, {"id": "toys", "label": "Toys", "context": []string{"Children"}}}
	switch {
	case strings.HasPrefix(path, "scopes/"):
		answer(map[string]any{"items": items})
	case q.ID == "404":
		w.WriteHeader(nethttp.StatusNotFound)
	case path == "capture":
		s.asker = q.Reporter.Subject
		answer(map[string]any{"fields": map[string]any{"title": "Great", "body": "<p>Buy <b>my</b> watches</p><script>x</script>", "ignored": 1},
			"url": s.server.URL + "/reviews/" + q.ID, "scope": "books", "authors": []any{map[string]string{"subject": s.author, "name": "Ann"}},
			"revision": map[string]any{"version": 3, "updatedAt": "2026-03-01T10:00:00Z"}, "locale": "en", "unknown": true})
	case path == "current":
		answer(map[string]any{"hidden": s.hidden[q.ID], "url": s.server.URL + "/reviews/" + q.ID, "scope": "books",
			"actions": map[string]bool{"hide": !s.hidden[q.ID], "unhide": s.hidden[q.ID], "remove": !s.hidden[q.ID], "warn": true}})
	case strings.HasPrefix(path, "actions/"), strings.HasPrefix(path, "people/"):
		id := r.Header.Get("webhook-id")
		s.done[id]++
		var changed bool
		hide := path == "actions/hide" || path == "actions/remove"
		if strings.HasPrefix(path, "people/") {
			changed = s.measure(path, q.MeasureID, &shopMeasure{q.ReportID, q.Author.Subject, q.Kind, q.Until, false})
		} else if changed = s.done[id] == 1 && s.hidden[q.ID] != hide; changed {
			s.hidden[q.ID] = hide
		}
		if changed {
			s.changes++
		}
		answer(map[string]any{"changed": changed || s.done[id] > 1, "hidden": hide})
		if s.answered != nil {
			s.answered(q.ReportID)
		}
	default:
		w.WriteHeader(nethttp.StatusNotFound)
	}
}

// measure imposes or lifts a measure and reports whether that changed anything. What has ended before
// it was imposed stays ended.
func (s *shop) measure(path, id string, m *shopMeasure) bool {
	known := s.measures[id]
	switch {
	case path == "people/end" && known == nil:
		m.ended = true
		s.measures[id] = m
		return false
	case path == "people/end":
		ended := known.ended
		known.ended = true
		return !ended
	case known == nil:
		s.measures[id] = m
		return true
	}
	return false
}

// shopManifest connects the shop at an address.
func shopManifest(t testing.TB, address string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`id: shop
remote: {url: "`+address+`/docket", secretEnv: SHOP_SECRET, timeout: 1s}
remoteTypes:
  - id: shop.review
    label: shop.review
    permissionModule: reviews
    key: {kind: bigint}
    moderationScope: {family: shop.department}
    fields: {title: {kind: text}, body: {kind: richText}, photo: {kind: file}}
    reports: true
    people: true
    actions:
      - {name: hide, undo: unhide, permission: can_hide}
      - {name: warn, permission: can_warn}
      - {name: remove, permission: can_remove, secondKey: true}
moderation:
  scopes: [{id: shop.department, label: shop.department, remote: true}]
`), 0o600))
	return file
}

// startWithShop starts a server that is connected to the shop.
func startWithShop(t testing.TB, environment map[string]string, address string) *process {
	t.Helper()
	return startProcess(t, with(environment, "SHOP_SECRET", shopSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true"),
		"demo", "--plugin", shopManifest(t, address))
}

func reportReview(t testing.TB, p *process, client *nethttp.Client, id string) (int, map[string]any) {
	t.Helper()
	status, body, err := p.send(client, nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "shop", "targetType": "shop.review", "targetId": id, "reason": "spam"})
	require.NoError(t, err)
	return status, body
}

func readReport(t testing.TB, p *process, client *nethttp.Client, id string) map[string]any {
	t.Helper()
	body := p.must(client, nethttp.MethodGet, "/moderation/reports/"+id, nil)
	return body
}

// timelineTypes are the types of a report's timeline, oldest first.
func timelineTypes(report map[string]any) (types []string) {
	for _, e := range report["timeline"].(map[string]any)["edges"].([]any) {
		types = append(types, e.(map[string]any)["type"].(string))
	}
	return types
}
