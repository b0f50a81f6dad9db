package event_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/scope"
)

func TestFaultsOfASubscription(t *testing.T) {
	t.Parallel()
	in := func(mode scope.Mode, ids ...string) *scope.Scope {
		return &scope.Scope{Family: "f", Mode: mode, IDs: ids}
	}
	cases := map[string]struct {
		s     event.Subscription
		paths []string
	}{
		"good":               {event.Subscription{URL: "https://example.test/x", Events: []string{event.NoteDeleted}, Scope: in(scope.Selected, "a")}, nil},
		"no address":         {event.Subscription{}, []string{"url"}},
		"no http":            {event.Subscription{URL: "ftp://example.test"}, []string{"url"}},
		"no host":            {event.Subscription{URL: "https:///x"}, []string{"url"}},
		"in the clear":       {event.Subscription{URL: "http://example.test"}, []string{"url"}},
		"a password":         {event.Subscription{URL: "https://a:b@example.test"}, []string{"url"}},
		"NUL":                {event.Subscription{URL: "https://example.test/\x00"}, []string{"url"}},
		"a long address":     {event.Subscription{URL: "https://example.test/" + strings.Repeat("x", 2000)}, []string{"url"}},
		"unknown events":     {event.Subscription{URL: "https://example.test", Events: []string{event.ReportCreated, "nope", "mod*er"}}, []string{"events[1]", "events[2]"}},
		"many events":        {event.Subscription{URL: "x", Events: strings.Fields(strings.Repeat("x ", 51))}, []string{"url", "events"}},
		"a scope of nothing": {event.Subscription{URL: "https://example.test", Scope: in(scope.Selected)}, []string{"scope.mode"}},
		"all and some":       {event.Subscription{URL: "https://example.test", Scope: in(scope.All, "a")}, []string{"scope.mode"}},
		"bad ids":            {event.Subscription{URL: "https://example.test", Scope: in(scope.Selected, "a", "-")}, []string{"scope.ids[1]"}},
		"every fault":        {event.Subscription{URL: "x", Events: []string{"x"}, Scope: &scope.Scope{}}, []string{"url", "events[0]", "scope.family"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			for _, issue := range c.s.Check(true) {
				paths = append(paths, issue.Path)
			}
			require.Equal(t, c.paths, paths)
		})
	}
	require.Empty(t, event.Subscription{URL: "http://example.test"}.Check(false))
}

func TestPatternsOfEvents(t *testing.T) {
	t.Parallel()
	for pattern, valid := range map[string]bool{
		"*": true, "moderation.*": true, "moderation.report.re*": true, event.ReportReopened: true, event.ReportReopened + "*": true,
		"con*": true, "content.*": true, "content.forum.post.hidden": true, "content.forum*": true,
		"": false, "moderation": false, "moderation.report.x*": false, "moderation.report.created.x": false, "x*": false, "**": false,
		"content.*.hidden": false, "content.\x00": false, "content." + strings.Repeat("x", 200): false,
	} {
		require.Equal(t, valid, event.ValidPattern(pattern), pattern)
	}
}

func TestNamesOfPluginsEvents(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{event.Hidden("forum.post"): true, "content.photos.seen-twice": true, "content.photos": true,
		event.ReportResolved: false, "photos.hidden": false, "content": false, "content.": false, "content..hidden": false, "content.a b": false, "content.*": false, "content.>": false,
		"content." + strings.Repeat("a", 200): false} {
		require.Equal(t, valid, event.ValidPluginName(name), name)
	}
}
