package http_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestEveryListIsWalkedBothWays pages through each list by cursor, in parts and as a whole,
// and finds the same rows in the same order.
func TestEveryListIsWalkedBothWays(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	c := b.session(b.rootModerator("Boss"))
	var report string
	for member := range 9 {
		for post := 1; post <= 2; post++ {
			report = b.file(member, fmt.Sprint(post))
		}
	}
	for post := 3; post <= 12; post++ {
		b.file(0, fmt.Sprint(post))
	}
	b.followCases()
	path := "/moderation/reports/" + report
	for range 12 {
		c.post(path+"/notes", map[string]string{"body": "a note"}).status(201)
	}
	for i := range 11 {
		b.moderator(fmt.Sprintf("Moderator %d", i), nil, everyPermission...)
		c.do("PUT", fmt.Sprintf("/moderation/views/v%d", i), "application/json", []byte(`{"query":""}`)).status(200)
	}
	// Ties: rows of one moment are told apart by their ids.
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_reports SET created_at = date_trunc('hour', created_at), updated_at = date_trunc('hour', updated_at)`)

	for list, least := range map[string]int{
		"/moderation/reports":                          28,
		"/moderation/reports?order=asc":                28,
		"/moderation/reports?orderBy=updatedAt":        28,
		"/moderation/reports?status=new&search=member": 28,
		path + "/related":                              8,
		path + "/timeline":                             13,
		path + "/timeline?order=desc":                  13,
		path + "/assignees":                            12,
		"/moderation/views":                            11,
		"/moderation/cases":                            12,
		"/moderation/cases?orderBy=firstAt&order=asc":  12,
		"/moderation/cases?orderBy=lastAt":             12,
		"/moderation/cases?orderBy=dueAt":              12,
		"/admin/staff/moderators":                      12,
		"/admin/staff/admins":                          1,
		"/api/forum/posts":                             10,
		"/api/forum/topics":                            5,
		"/api/forum/profiles":                          9,
	} {
		t.Run(list, func(t *testing.T) {
			all := c.walk(list, "first", 100)
			require.GreaterOrEqual(t, len(all), least)
			for _, size := range []int{max(1, len(all)/3), len(all)} {
				require.Equal(t, all, c.walk(list, "first", size), "forward by %d", size)
				require.Equal(t, all, c.walk(list, "last", size), "backward by %d", size)
			}
		})
	}
}

// walk gives the keys of a list's rows in its order, read page by page.
func (c *client) walk(list, by string, size int) []string {
	c.b.t.Helper()
	next := fmt.Sprintf("%s=%d", by, size)
	joint := "?"
	if strings.Contains(list, "?") {
		joint = "&"
	}
	var rows []string
	for cursor := ""; ; {
		a := c.get(list + joint + next + cursor).status(200)
		var page []string
		for _, e := range a.edges() {
			of, isCase := e["target"].(map[string]any)
			if isCase && e["id"] == nil {
				e = of
			}
			key, ok := e["id"].(string)
			if !ok {
				key = e["name"].(string)
			}
			page = append(page, key)
		}
		require.LessOrEqual(c.b.t, len(page), size)
		info := a.body["pageInfo"].(map[string]any)
		more, edge := info["hasNextPage"], info["endCursor"]
		if by == "last" {
			rows = append(page, rows...)
			more, edge = info["hasPreviousPage"], info["startCursor"]
		} else {
			rows = append(rows, page...)
		}
		if more != true {
			return rows
		}
		cursor = "&cursor=" + url.QueryEscape(edge.(string))
	}
}
