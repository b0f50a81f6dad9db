package http_test

import (
	"context"
	"fmt"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

const shopTables = `
	CREATE TABLE shop_items (id bigint PRIMARY KEY, dept text, title text, body text, picture jsonb, owner uuid, rev int DEFAULT 1, live boolean DEFAULT true,
		hidden_at timestamptz, hidden_by uuid);
	CREATE TABLE shop_pages (id uuid PRIMARY KEY, dept text, hidden_at timestamptz);
	CREATE TABLE shop_page_texts (page uuid, lang text, title text, body jsonb);
	CREATE TABLE shop_tags (name text PRIMARY KEY, note text);
	CREATE TABLE shop_depts (id text PRIMARY KEY, label text);
	INSERT INTO shop_depts VALUES ('books', 'Books'), ('toys', 'Toys');
	INSERT INTO shop_items (id, dept, title, body, picture)
		VALUES (7, 'books', 'A lamp', '<p>Bright <script>alert(1)</script><b>light</b></p>', '{"id":"f1","name":"lamp.png","mimeType":"image/png","size":2048,"url":"/files/f1"}');
	INSERT INTO shop_pages VALUES ('0199c0de-0000-7000-8000-00000000000a', 'books');
	INSERT INTO shop_page_texts VALUES
		('0199c0de-0000-7000-8000-00000000000a', 'en', 'Terms', '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Be kind"}]}]}'),
		('0199c0de-0000-7000-8000-00000000000a', 'de', 'Regeln', '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Sei nett"}]}]}');
	INSERT INTO shop_tags VALUES ('käse/brot', 'yum');`

const shopManifest = `
id: shop
contentTypes:
  - id: shop.item
    label: shop.item
    permissionModule: items
    table: shop_items
    key: {column: id, kind: bigint}
    fields:
      title: {kind: text}
      body: {kind: richText}
      picture: {kind: file}
    authors: {column: owner}
    revision: {version: rev}
    published: {column: live, value: true}
    hidden: {at: hidden_at, by: hidden_by}
    publicApi: {path: items, fields: [title, body], url: "/shop/{id}"}
    moderationScope: {column: dept, family: shop.dept}
    reports: {titleField: title, snapshotFields: [title, body, picture]}
  - id: shop.page
    label: shop.page
    permissionModule: pages
    table: shop_pages
    key: {column: id, kind: uuid}
    fields: {title: {kind: text}, body: {kind: richText}}
    hidden: {at: hidden_at}
    locale: {table: shop_page_texts, key: page, column: lang, default: en}
    publicApi: {path: pages, fields: [title, body], url: "/{locale}/pages/{id}"}
    admin: {titleField: title}
    moderationScope: {column: dept, family: shop.dept}
    reports: true
  - id: shop.tag
    label: shop.tag
    permissionModule: tags
    table: shop_tags
    key: {column: name, kind: text}
    fields: {note: {kind: text}}
    publicApi: {path: labels, fields: [note], url: "/tags/{id}"}
    reports: true
moderation:
  scopes:
    - {id: shop.dept, label: shop.dept, table: shop_depts, idColumn: id, labelColumn: label}
`

func newShop(t *testing.T) *bundle {
	return newShopOf(t, shopManifest)
}

func newShopOf(t *testing.T, manifest string) *bundle {
	return newBundle(t, source(func(pool *pgxpool.Pool) *plugin.Plugin {
		pgtest.Exec(t, pool, shopTables)
		return &registry.ParseManifest("shop.yaml", []byte(manifest)).Plugin
	}))
}

// shopkeeper moderates the shop's items and pages in one department.
func (b *bundle) shopkeeper(name, dept string) *client {
	b.t.Helper()
	id := b.user(name)
	var e permission.Entry
	for _, module := range []string{"items", "pages"} {
		for _, p := range everyPermission {
			e.Grants = append(e.Grants, permission.Grant{Plugin: "shop", Module: module, Permission: p,
				Scope: &scope.Scope{Family: "shop.dept", Mode: scope.Selected, IDs: []string{dept}}})
		}
	}
	require.NoError(b.t, b.staff.Ensure(context.Background(), permission.Moderator, id, e))
	return b.session(id)
}

func (b *bundle) exec(sql string) { pgtest.Exec(b.t, b.pool, sql) }

func (b *bundle) storedSnapshot(report string) string {
	return pgtest.One[string](b.t, b.pool, "SELECT snapshot::text FROM core_moderation_reports WHERE id = $1", report)
}

// A manifest over tables of its own: reported, hidden, restored, edited and
// deleted, and what was captured stays the same to the byte.
func TestReportsOfAManifest(t *testing.T) {
	t.Parallel()
	const page = "0199c0de-0000-7000-8000-00000000000a"
	tests := []struct {
		targetType, id, path, title string
		fields                      int
		edit, delete                string
	}{
		{"shop.item", "7", "/api/shop/items/7", "A lamp", 3, "UPDATE shop_items SET title = 'Nothing to see', body = ''", "DELETE FROM shop_items"},
		{"shop.page", page, "/api/shop/pages/" + page, "Regeln", 1, "UPDATE shop_page_texts SET title = 'Nothing to see'", "DELETE FROM shop_pages"},
	}
	for _, test := range tests {
		t.Run(test.targetType, func(t *testing.T) {
			t.Parallel()
			b := newShop(t)
			books, toys := b.shopkeeper("Books", "books"), b.shopkeeper("Toys", "toys")
			filed := b.member(0).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": test.targetType,
				"targetId": test.id, "locale": "de", "reason": "spam"}).status(nethttp.StatusCreated)
			report := "/moderation/reports/" + filed.body["id"].(string)
			before := b.storedSnapshot(filed.body["id"].(string))
			shown := books.get(report).status(nethttp.StatusOK)
			snapshot := shown.body["snapshot"].(map[string]any)
			require.Equal(t, test.title, snapshot["title"])
			require.Len(t, snapshot["fields"], test.fields)
			require.Equal(t, map[string]any{"family": "shop.dept", "id": "books"}, snapshot["scope"])
			require.NotContains(t, before, "script")
			toys.get(report).status(nethttp.StatusNotFound)

			b.guest().get(test.path).status(nethttp.StatusOK)
			books.post(report+"/actions/hide", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
			b.guest().get(test.path).status(nethttp.StatusNotFound)
			toys.get(test.path).status(nethttp.StatusNotFound)
			books.get(test.path).status(nethttp.StatusOK)
			b.member(1).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": test.targetType,
				"targetId": test.id, "reason": "spam"}).fault(nethttp.StatusNotFound, "not_found")
			books.post(report+"/actions/unhide", map[string]any{"expectedVersion": 2}).status(nethttp.StatusOK)
			b.guest().get(test.path).status(nethttp.StatusOK)
			b.exec(test.edit)
			require.Equal(t, snapshot, books.get(report).body["snapshot"])
			b.exec(test.delete)
			gone := books.get(report).status(nethttp.StatusOK)
			require.Nil(t, gone.body["target"].(map[string]any)["current"])
			require.Equal(t, snapshot, gone.body["snapshot"])
			require.Equal(t, before, b.storedSnapshot(filed.body["id"].(string)))
			books.post(report+"/actions/hide", map[string]any{"expectedVersion": 3}).fault(nethttp.StatusConflict, "action_unavailable")
		})
	}
}

func TestTargetsThatCannotBeHidden(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	mo := b.unlimited("Tagger")
	filed := b.member(0).post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.tag", "targetId": "käse/brot", "reason": "spam"}).
		status(nethttp.StatusCreated)
	report := "/moderation/reports/" + filed.body["id"].(string)
	shown := mo.get(report).status(nethttp.StatusOK)
	require.Empty(t, shown.body["actions"])
	require.Nil(t, shown.body["target"].(map[string]any)["scope"])
	mo.post(report+"/actions/hide", map[string]any{"expectedVersion": 1}).fault(nethttp.StatusNotFound, "not_found")
	b.guest().get("/api/shop/labels/k%C3%A4se%2Fbrot").status(nethttp.StatusOK)
}

// Who asks for no locale has read the content in its own default.
func TestFilingInTheContentsOwnDefaultLocale(t *testing.T) {
	t.Parallel()
	b := newShopOf(t, strings.Replace(shopManifest, "default: en}", "default: de, fallback: none}", 1))
	b.exec(`DELETE FROM shop_page_texts WHERE lang = 'en'`)
	const page = "0199c0de-0000-7000-8000-00000000000a"
	report := map[string]string{"pluginId": "shop", "targetType": "shop.page", "targetId": page, "reason": "spam"}
	filed := b.member(0).post("/moderation/reports", report).status(201).body["id"].(string)
	snapshot := b.shopkeeper("Kim", "books").get("/moderation/reports/" + filed).status(200).body["snapshot"].(map[string]any)
	require.Equal(t, "Regeln", snapshot["title"])
	require.Equal(t, map[string]any{"requested": "de", "served": "de", "fallback": false}, snapshot["locale"])

	report["locale"], report["requestedLocale"] = "de", "fr"
	filed = b.member(2).post("/moderation/reports", report).status(201).body["id"].(string)
	snapshot = b.shopkeeper("Kit", "books").get("/moderation/reports/" + filed).status(200).body["snapshot"].(map[string]any)
	require.Equal(t, map[string]any{"requested": "fr", "served": "de", "fallback": true}, snapshot["locale"])

	report["locale"] = "en"
	b.member(1).post("/moderation/reports", report).fault(404, "not_found")
}

// Content may hold anything where its scope is: only a resource id is one.
func TestContentInAScopeThatIsNoResourceIsInNone(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	for i, dept := range []string{strings.Repeat("x", 100_000), "no id!"} {
		pgtest.Exec(t, b.pool, `UPDATE shop_items SET dept = $1`, dept)
		filed := b.member(i).post("/moderation/reports", map[string]string{"pluginId": "shop", "targetType": "shop.item", "targetId": "7", "reason": "spam"}).status(201)
		path := "/moderation/reports/" + filed.body["id"].(string)
		b.shopkeeper(fmt.Sprint("Kim ", i), "books").get(path).fault(404, "not_found")
		target := b.unlimited(fmt.Sprint("Mo ", i)).get(path).status(200).body["target"].(map[string]any)
		require.Equal(t, map[string]any{"family": "shop.dept", "id": ""}, target["scope"])
	}
}
