package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/platformtest"
)

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

func review() *plugin.RemoteType {
	t := &plugin.RemoteType{
		Type: content.Type{ID: "shop.review", Label: "shop.review", PermissionModule: "reviews", Key: content.Key{Kind: content.KeyBigint},
			Fields: []content.Field{{Name: "title", Kind: content.Text}, {Name: "body", Kind: content.RichText}, {Name: "photo", Kind: content.File},
				{Name: "stars", Kind: content.Number}, {Name: "verified", Kind: content.Boolean}, {Name: "bought", Kind: content.DateTime}},
			Scope:   &content.Scope{Family: "shop.department"},
			Reports: &content.Reports{SnapshotFields: []string{"title", "body", "photo", "stars", "verified", "bought"}}},
		Actions: []plugin.RemoteAction{{Name: "hide", Undo: "unhide", Permission: "can_hide"}},
	}
	t.CompleteRemote()
	return t
}

func connect(t *testing.T, c *platformtest.Clock, answer http.HandlerFunc) *Platform {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	p := New(Settings{Log: zerolog.Nop(), AllowPrivate: true, Locale: "en", Now: c.Now})
	return p.Connect("shop", plugin.Remote{URL: server.URL + "/docket/", Timeout: time.Second}, secret).(*Platform)
}

func TestQuestionsAreSigned(t *testing.T) {
	t.Parallel()
	verifier, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	ids := map[string]bool{}
	p := connect(t, platformtest.NewClock(time.Now()), func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || verifier.Verify(body, r.Header) != nil || r.URL.Path != "/docket/capture" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		ids[r.Header.Get("webhook-id")] = true
		var q map[string]any
		_ = json.Unmarshal(body, &q)
		if fmt.Sprint(q) != "map[id:7 locale:en reporter:map[id:u subject:<nil>] type:shop.review]" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		fmt.Fprint(w, `{"fields": {}}`)
	})
	d := p.Target(review())
	for range 2 {
		captured, err := d.Capture(t.Context(), target.CaptureRequest{TargetID: "7", ReporterID: "u"})
		require.NoError(t, err)
		require.Equal(t, "en", captured.Served)
	}
	require.Len(t, ids, 2, "the ids of messages differ")
}

func TestHostileCaptures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, faults string }{
		"whole": {`{"fields": {"title": "T", "body": {"type": "doc"}, "photo": [{"id": "1", "size": 3, "url": "javascript:x"}], "stars": 4.5,
			"verified": true, "bought": "2026-01-02T03:04:05Z", "more": []}, "authors": [{"subject": "a"}], "revision": {"version": 3}, "signals": [{"name": "spam", "score": 1, "more": 2}], "x": 1}`, ""},
		"nothing":          {`{}`, "fields"},
		"HTML":             {`<html></html>`, ""},
		"an array":         {`[]`, "the answer"},
		"null":             {`null`, "the answer"},
		"a duplicate name": {`{"fields": {}, "fields": {}}`, ""},
		"invalid UTF-8":    {"{\"fields\": {\"title\": \"\xff\"}}", ""},
		"trailing data":    {`{"fields": {}} {}`, ""},
		"wrong kinds":      {`{"fields": {"title": 1, "body": 2, "photo": "x", "stars": "4", "verified": 1, "bought": "yesterday"}}`, "fields.title fields.body fields.photo fields.stars fields.verified fields.bought"},
		"a wrong scope":    {`{"fields": {}, "scope": "a b"}`, "scope"},
		"a wrong author":   {`{"fields": {}, "authors": [{"name": "x"}, 3, {"subject": ""}, {"subject": "` + strings.Repeat("é", 256) + `"}]}`, "authors[0].subject authors[1] authors[2].subject authors[3].subject"},
		"a wrong locale":   {`{"fields": {}, "locale": "../x"}`, "locale"},
		"a wrong time":     {`{"fields": {}, "revision": {"updatedAt": 3}}`, "revision.updatedAt"},
		"wrong signals":    {`{"fields": {}, "signals": [{"name": "A", "score": 2}, {"name": "a", "score": 0}, {"name": "a", "score": 1}]}`, "signals[0].name signals[0].score signals[2].name"},
		"untyped signals":  {`{"fields": {}, "signals": [{"name": 1}, 3, {"name": "a", "score": "1"}]}`, "signals[0].name signals[0].score signals[1] signals[2].score"},
		"signals and more": {`{"fields": {"title": 1}, "signals": [{"name": "A", "score": "x"}, {"name": "a", "score": 2}]}`, "fields.title signals[0].score signals[0].name signals[1].score"},
		"too many signals": {`{"fields": {}, "signals": [` + strings.Repeat("{},", 20) + `{}]}`, "signals"},
		"too many authors": {`{"fields": {}, "authors": [` + strings.Repeat("{},", 300) + `{}]}`, "authors"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			captured, issues := ReadCapture(review(), []byte(c.body), "en")
			if name == "whole" {
				require.Empty(t, issues)
				require.Equal(t, "T", captured.Title)
				require.JSONEq(t, `[{"id":"1","name":"","mimeType":"","size":3,"url":""}]`, string(captured.Fields[2].Value))
				require.Equal(t, "3", *captured.Source.Version)
				require.Equal(t, []snapshot.Signal{{Name: "spam", Score: 1}}, captured.Signals)
				return
			}
			require.NotEmpty(t, issues)
			require.Nil(t, captured)
			if c.faults != "" {
				require.Equal(t, c.faults, strings.Join(paths(issues), " "))
			}
		})
	}
}

func TestResourcesNeedIDs(t *testing.T) {
	t.Parallel()
	_, issues := ReadScopes([]byte(`{"items": [{"id": "", "label": "x"}, {"label": "x"}, {"id": "a b", "label": 1}, {"id": "a", "label": "x", "context": [null]}]}`))
	require.Equal(t, []string{"items[0].id", "items[1].id", "items[2].id", "items[2].label", "items[3].context[0]"}, paths(issues))
}

func TestAFamilyOfAPlatformGivesNoCursor(t *testing.T) {
	t.Parallel()
	p := connect(t, platformtest.NewClock(time.Now()), func(http.ResponseWriter, *http.Request) { t.Error("it was asked") })
	_, _, err := p.Family(&plugin.RemoteFamily{ID: "shop.department"}).List(t.Context(), scope.Query{Cursor: "x", Limit: 25})
	require.Equal(t, domain.CodeInvalidCursor, domain.ErrorCode(err))
}

func paths(issues []domain.Issue) (out []string) {
	for _, i := range issues {
		out = append(out, cmp.Or(i.Path, "the answer"))
	}
	return out
}

func TestAnythingButAnAnswerIsUnreachable(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"401": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"204": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/docket/elsewhere" {
				fmt.Fprint(w, `{"fields": {"title": "x", "body": "x"}, "authors": [], "hidden": false, "actions": {}, "items": []}`)
				return
			}
			http.Redirect(w, r, "/docket/elsewhere", http.StatusTemporaryRedirect) // which repeats the question there
		},
		"HTML":           func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"a huge answer":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxAnswer+1)) },
		"an endless one": func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() },
		"half of one": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"fields": `)
		},
		"a broken connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, platformtest.NewClock(time.Now()), answer)
			d := p.Target(review())
			start := time.Now()
			captured, err := d.Capture(t.Context(), target.CaptureRequest{TargetID: "7"})
			require.Error(t, err)
			require.Nil(t, captured)
			_, err = d.Current(t.Context(), "7", "en")
			require.Error(t, err)
			_, _, err = d.Resolve(t.Context(), "https://shop.example/7")
			require.Error(t, err, "it does not say that nothing is there")
			hide, _ := d.Action("hide")
			done, err := hide.Do(t.Context(), target.RemoteRequest{MessageID: "m1", TargetID: "7", ReportID: "r"})
			require.True(t, err != nil || name == "401" && done.Refused != "", "it is tried again: %v", done)
			_, _, err = p.Family(&plugin.RemoteFamily{ID: "shop.department"}).List(t.Context(), scope.Query{Limit: 25})
			require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err))
			require.Less(t, time.Since(start), 10*time.Second)
			h := p.Health()
			require.Equal(t, "scopes/list", h.Path)
			require.NotEmpty(t, h.Fault)
		})
	}
}

func TestAnAnswerThatIsNoneIsShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   Trial
	}{
		"a failure": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprint(w, "no shop here")
		}, Trial{Status: 502, Body: "no shop here", Faults: []string{"answered 502"}}},
		"a redirect": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusFound)
			fmt.Fprint(w, "sign in")
		}, Trial{Status: 302, Body: "sign in", Faults: []string{"answered 302, a redirect, which is not followed"}}},
		"a huge answer": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxAnswer+1)) },
			Trial{Status: 200, Faults: []string{fmt.Sprintf("the answer is larger than %d bytes", maxAnswer)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, platformtest.NewClock(time.Now()), c.answer)
			got := p.Try(t.Context(), review(), "7")[0]
			c.want.Path = "capture"
			require.Equal(t, c.want, got)
			_, err := p.Target(review()).Capture(t.Context(), target.CaptureRequest{TargetID: "7"})
			require.Error(t, err)
			require.Equal(t, c.want.Status, p.Health().Calls[0].Status)
		})
	}
}

// The reader of a family may be less patient than the platform is allowed to be slow.
func TestAFamilyWhoseReaderWaitsNoLonger(t *testing.T) {
	t.Parallel()
	p := connect(t, platformtest.NewClock(time.Now()), func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	family := p.Family(&plugin.RemoteFamily{ID: "shop.department"})
	require.Equal(t, time.Second, family.Timeout)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, _, err := family.List(ctx, scope.Query{Limit: 25})
	require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err))
	_, err = family.Find(ctx, []string{"books"})
	require.Equal(t, domain.CodeUnavailable, domain.ErrorCode(err))
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, _, err = family.List(gone, scope.Query{Limit: 25})
	require.Empty(t, domain.ErrorCode(err), "nobody is there to be told")
}

func TestPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	p := New(Settings{Log: zerolog.Nop()}).Connect("shop", plugin.Remote{URL: "http://127.0.0.1:9", Timeout: time.Second}, secret)
	d := p.Target(review())
	_, err := d.Current(t.Context(), "7", "en")
	require.ErrorContains(t, err, "not public")
}

func TestTheBreaker(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked, up := 0, false
	c := platformtest.NewClock(time.Now())
	p := connect(t, c, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if asked++; !up {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, `{"hidden": false, "actions": {"hide": true}}`)
	})
	d := p.Target(review())
	ask := func() error {
		_, err := d.Current(t.Context(), "7", "en")
		return err
	}
	for range 20 {
		require.Error(t, ask())
	}
	require.Equal(t, 5, asked, "then questions are held back")
	require.True(t, p.Health().Open)
	c.Advance(10 * time.Second)
	for range 5 {
		require.Error(t, ask())
	}
	require.Equal(t, 6, asked, "one in ten seconds")
	c.Advance(10 * time.Second)
	up = true
	require.NoError(t, ask())
	require.NoError(t, ask())
	require.Equal(t, 7, asked, "the state is used again")
	c.Advance(6 * time.Second)
	require.NoError(t, ask())
	require.Equal(t, 8, asked)
	state, err := d.Current(target.NotBefore(t.Context(), c.Now().Add(time.Microsecond)), "7", "en")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"hide": true, "unhide": false}, state.Actions)
	require.Equal(t, 9, asked, "a command asks anew")
	_, _, err = d.ResolveScope(t.Context(), "7")
	require.ErrorIs(t, err, target.ErrScopeUnknown)
}

// Whoever reports content that the platform answers wrongly holds back nobody else's questions.
func TestAWrongAnswerCountsForNobodyElse(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"a huge answer": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxAnswer+1)) },
		"HTML":          func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"403":           func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"a redirect":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, platformtest.NewClock(time.Now()), func(w http.ResponseWriter, r *http.Request) {
				if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), `"id":"7"`) {
					answer(w, r)
					return
				}
				fmt.Fprint(w, `{"fields": {}}`)
			})
			d := p.Target(review())
			for range 2 * breakAfter {
				_, err := d.Capture(t.Context(), target.CaptureRequest{TargetID: "7"})
				require.Error(t, err)
				require.NotErrorIs(t, err, errHeldBack)
			}
			h := p.Health()
			require.False(t, h.Open)
			require.Equal(t, "capture", h.Path)
			require.NotEmpty(t, h.Fault)
			_, err := d.Capture(t.Context(), target.CaptureRequest{TargetID: "8"})
			require.NoError(t, err)
		})
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]target.RemoteResult{
		`200 {"changed": true, "hidden": true}`: {Changed: true},
		`200 {"changed": false}`:                {},
		"409 ":                                  {Refused: "The action is not available for the content at the moment."},
		"422 no":                                {Refused: "The platform refused the action: it answered 422."},
	} {
		p := connect(t, platformtest.NewClock(time.Now()), func(w http.ResponseWriter, _ *http.Request) {
			status, body, _ := strings.Cut(answer, " ")
			code := map[string]int{"200": 200, "409": 409, "422": 422}[status]
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		})
		d := p.Target(review())
		hide, ok := d.Action("hide")
		require.True(t, ok)
		got, err := hide.Do(t.Context(), target.RemoteRequest{MessageID: "m1", TargetID: "7", ReportID: "r"})
		require.NoError(t, err, answer)
		require.Equal(t, want, got)
	}
}
