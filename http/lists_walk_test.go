package http_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

// TestEveryListIsWalkedBothWays pages through each list by cursor, by sizes up to
// past its length, and finds the same rows in the same order.
func TestEveryListIsWalkedBothWays(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	boss := b.user("Boss")
	for _, kind := range []permission.Kind{permission.Admin, permission.Moderator} {
		require.NoError(t, b.staff.Ensure(t.Context(), kind, boss, permission.Entry{Unrestricted: true}))
	}
	c := b.session(boss)
	var report string
	for member := range 9 {
		for post := 1; post <= 2; post++ {
			report = b.file(member, fmt.Sprint(post))
		}
	}
	path := "/moderation/reports/" + report
	for range 12 {
		c.post(path+"/notes", map[string]string{"body": "a note"}).status(201)
	}
	for i := range 11 {
		b.moderator(fmt.Sprintf("Moderator %d", i), nil, everyPermission...)
		c.do("PUT", fmt.Sprintf("/moderation/views/v%d", i), "application/json", []byte(`{"query":""}`)).status(200)
	}
	// Ties: rows of one moment are told apart by their ids.
	_, err := b.pool.Exec(t.Context(), `UPDATE core_moderation_reports SET created_at = date_trunc('hour', created_at), updated_at = date_trunc('hour', updated_at)`)
	require.NoError(t, err)

	for list, least := range map[string]int{
		"/moderation/reports":                          18,
		"/moderation/reports?order=asc":                18,
		"/moderation/reports?orderBy=updatedAt":        18,
		"/moderation/reports?status=new&search=member": 18,
		path + "/related":                              8,
		path + "/timeline":                             13,
		path + "/timeline?order=desc":                  13,
		path + "/assignees":                            12,
		"/moderation/views":                            11,
		"/admin/staff/moderators":                      12,
		"/admin/staff/admins":                          1,
		"/api/forum/posts":                             10,
		"/api/forum/topics":                            5,
		"/api/forum/profiles":                          9,
	} {
		t.Run(list, func(t *testing.T) {
			all := c.walk(list, "first", 100)
			require.GreaterOrEqual(t, len(all), least)
			for _, size := range []int{1, 2, 5, len(all) - 1, len(all), len(all) + 1} {
				if size < 1 {
					continue
				}
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
