package cmd

import (
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// participate lets a member file a report, appeal a decision, or forget a password.
func (m *mixed) participate(n int) {
	client := m.members[n]
	m.file(client)
	for _, decision := range m.edges(client, "/users/decisions?first=20") {
		if decision["appeal"] == nil && rand.N(3) == 0 {
			m.send("appeal", client, nethttp.MethodPost, "/users/decisions/"+decision["id"].(string)+"/appeal", map[string]any{"text": "I do not agree."})
		}
	}
	if rand.N(20) == 0 {
		m.send("forgot", &nethttp.Client{Timeout: 30 * time.Second}, nethttp.MethodPost, "/users/forgot", map[string]any{"email": fmt.Sprintf("member%d@demo.test", n+1)})
	}
}

// visit lets somebody who was never there file a report: by a token of their platform, or as
// the shop's server for a customer.
func (m *mixed) visit() {
	subject := fmt.Sprint("s", rand.N(1_000_000))
	if rand.N(3) > 0 {
		m.file(m.member(subject))
		return
	}
	m.send("file shop", m.host, nethttp.MethodPost, "/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.review", "targetId": fmt.Sprint(rand.N(9) + 1), "reason": "spam",
		"reporter": map[string]any{"subject": subject, "name": "Uma"}})
}

// file reports what both servers know, or only one of them.
func (m *mixed) file(client *nethttp.Client) {
	kind := pick([][2]string{{"forum", "forum.post"}, {"forum", "forum.post"}, {"gallery", "gallery.photo"}, {"shop", "shop.review"}})
	m.send("file "+kind[0], client, nethttp.MethodPost, "/moderation/reports", map[string]any{"pluginId": kind[0], "targetType": kind[1],
		"targetId": fmt.Sprint(rand.N(30) + 1), "reason": pick([]string{"spam", "abusive"})})
}

// moderate does a random command to a random report.
func (m *mixed) moderate(n int) {
	client := m.moderators[n%len(m.moderators)]
	reports := m.edges(client, "/moderation/reports?first=20&status="+pick([]string{"new", "in_progress", "done"}))
	if len(reports) == 0 {
		return
	}
	r := pick(reports)
	path, post := "/moderation/reports/"+r["id"].(string), func(kind, path string, body map[string]any) map[string]any {
		return m.send(kind, client, nethttp.MethodPost, path, body)
	}
	at := func(more ...any) map[string]any {
		body := map[string]any{"expectedVersion": r["version"]}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		return body
	}
	switch rand.N(21) {
	case 0, 1:
		post("claim", path+"/claim", at())
	case 2:
		post("unassign", path+"/unassign", at())
	case 3, 4:
		post("resolve", path+"/resolve", measured(r, at("resolution", pick([]string{"action_taken", "no_violation", "duplicate"}), "reasons", "Because.")))
	case 5:
		post("reopen", path+"/reopen", at("reason", "On second thoughts."))
	case 6, 20:
		post("action", path+"/actions/"+pick([]string{"hide", "unhide"}), at())
	case 7:
		answer := post("note", path+"/notes", map[string]any{"body": "a note"})
		if note, is := answer["note"].(map[string]any); is {
			change, body := "edit", map[string]any{"body": "edited"}
			if rand.N(2) == 0 {
				change, body = "delete", map[string]any{}
			}
			post(change, path+"/notes/"+note["id"].(string)+"/"+change, body)
		}
	case 8:
		post("next", "/moderation/next", nil)
	case 9, 10:
		if target, is := r["target"].(map[string]any); is {
			var open []any // reports of the target
			for _, of := range reports {
				if target["id"] == of["target"].(map[string]any)["id"] && target["type"] == of["target"].(map[string]any)["type"] {
					open = append(open, map[string]any{"id": of["id"], "expectedVersion": of["version"]})
				}
			}
			body := map[string]any{"target": map[string]any{"pluginId": target["pluginId"], "type": target["type"], "id": target["id"]},
				"reports": open, "resolve": map[string]any{"resolution": "action_taken"}}
			if rand.N(2) == 0 {
				body["action"] = pick([]string{"hide", "unhide"})
			}
			post("decide", "/moderation/cases/decide", body)
		}
	case 11:
		if reporter, is := r["reporter"].(map[string]any); is {
			post("mute", fmt.Sprint("/moderation/reporters/", reporter["id"], "/mute"), map[string]any{"until": time.Now().Add(time.Hour), "reason": "Too many."})
			post("unmute", fmt.Sprint("/moderation/reporters/", reporter["id"], "/unmute"), nil)
		}
	case 12:
		if able := m.edges(client, path+"/assignees?first=5"); len(able) > 0 {
			post("assign", path+"/assign", at("assigneeId", pick(able)["id"]))
		}
	case 13:
		post("presence", path+"/presence", nil)
	case 14:
		for _, appeal := range m.edges(client, "/moderation/appeals?status=open&first=3") {
			post("appeals", fmt.Sprint("/moderation/appeals/", appeal["id"], "/", pick([]string{"uphold", "overturn"})),
				map[string]any{"reply": "We looked again.", "expectedVersion": appeal["version"]})
		}
	case 15:
		post("hold", path+"/resolve", measured(r, at("resolution", "action_taken", "policy", map[string]any{"key": "two-keys", "version": 1}, "reasons", "Because.")))
	case 16:
		for _, held := range m.edges(client, "/moderation/held?first=3") {
			verb := pick([]string{"approve", "approve", "reject"})
			post(verb, fmt.Sprint("/moderation/held/", held["id"], "/", verb), map[string]any{"expectedVersion": held["version"]})
		}
	case 17:
		post("escalate", path+"/escalate", at("to", "leads", "note", "A lawyer wrote it."))
	case 18:
		for _, escalated := range m.edges(client, "/moderation/reports?escalated=any&first=2") {
			post("return", fmt.Sprint("/moderation/reports/", escalated["id"], "/return"), map[string]any{"expectedVersion": escalated["version"], "note": "Decide it as usual."})
		}
	case 19:
		for _, measure := range m.edges(client, "/moderation/measures?status=standing&first=2") {
			post("end measure", fmt.Sprint("/moderation/measures/", measure["id"], "/end"), map[string]any{"expectedVersion": measure["version"], "reason": "It was a mistake."})
		}
	}
}

// measured adds a measure on the first author to a decision, for some seconds or without an end.
func measured(r, decision map[string]any) map[string]any {
	if authors := r["authors"].([]any); decision["resolution"] == "action_taken" && len(authors) > 0 {
		kind := map[any]string{"forum": "restrict", "shop": "suspend", "gallery": "warn"}[r["target"].(map[string]any)["pluginId"]]
		one := map[string]any{"authorId": authors[0].(map[string]any)["id"], "kind": kind}
		if kind != "warn" && rand.N(2) == 0 {
			one["until"] = time.Now().Add(5 * time.Second)
		}
		decision["measures"] = []any{one}
	}
	return decision
}

// administer edits staff, publishes policies and rebuilds projections.
func (m *mixed) administer() {
	admin := m.moderators[0]
	switch rand.N(5) {
	case 3:
		m.send("retire", admin, nethttp.MethodPost, "/admin/policies/no-shops/retire", nil)
	case 4:
		m.send("verify", admin, nethttp.MethodPost, "/admin/advanced/projections/"+pick([]string{"daily", "cases", "counts", "reports", "targets"})+"/verify", nil)
	case 0:
		m.send("policy", admin, nethttp.MethodPost, "/admin/policies", map[string]any{"key": "no-shops", "title": "No shops", "text": time.Now().String()})
	case 1:
		m.send("rebuild", admin, nethttp.MethodPost, "/admin/advanced/projections/"+pick([]string{"daily", "cases", "counts", "reports", "targets"})+"/rebuild", nil)
	case 2:
		for _, entry := range m.edges(admin, "/admin/staff/moderators") {
			if user := entry["user"].(map[string]any); user["email"] == "viewer@demo.test" {
				m.send("staff", admin, nethttp.MethodPatch, fmt.Sprint("/admin/staff/entry/moderator/", entry["id"]),
					map[string]any{"permissions": pick([][]any{{}, {map[string]any{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": map[string]any{"family": "forum.category", "mode": "all"}}}})})
			}
		}
	}
}

// operate does what is done on the machine: erasing, deleting accounts, and moving content.
// While PostgreSQL is away it fails.
func (m *mixed) operate() {
	var args []string
	switch rand.N(5) {
	case 0:
		args = []string{"erase", "--older-than", "5s"}
	case 1:
		m.mu.Lock()
		for id := range m.versions {
			args = []string{"erase", "--report", id}
			break
		}
		m.mu.Unlock()
	case 2:
		m.withPool(func(pool *pgxpool.Pool) {
			var id string
			var email *string
			if pool.QueryRow(m.t.Context(), `SELECT id::text, email FROM core_users WHERE name LIKE 'Member s%' OR email IN ('member8@demo.test', 'member9@demo.test') ORDER BY random() LIMIT 1`).Scan(&id, &email) != nil {
				return
			}
			if email != nil {
				args = []string{"user", "delete", *email}
			} else {
				m.send("delete user", m.moderators[0], nethttp.MethodDelete, "/admin/users/"+id, nil)
			}
		})
	case 3:
		m.withPool(func(pool *pgxpool.Pool) {
			_, _ = pool.Exec(m.t.Context(), `UPDATE forum_posts SET category_id = (SELECT id FROM forum_categories ORDER BY random() LIMIT 1) WHERE id % 7 = (random() * 7)::int`)
		})
	case 4:
		m.withPool(func(pool *pgxpool.Pool) {
			var id string
			if pool.QueryRow(m.t.Context(), `SELECT id::text FROM core_users WHERE email LIKE 'member%' ORDER BY random() LIMIT 1`).Scan(&id) == nil {
				args = []string{"erase", "--user", id, "--authored"}
			}
		})
	}
	if args == nil {
		return
	}
	got := docket(m.t, m.environment, args...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers[fmt.Sprint(args[0], " ", args[1], " exit ", got.status)]++
	if got.status != 0 {
		m.t.Logf("%v: %s", args, got.stderr)
	}
}
