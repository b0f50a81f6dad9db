package content_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	domain "github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// shopTables have a column for each kind of field, keys of all three kinds, and
// names that only quoting brings through SQL.
const shopTables = `
	CREATE TYPE shop_size AS ENUM ('small', 'large');
	CREATE DOMAIN shop_amount AS numeric CHECK (VALUE >= 0);
	CREATE SCHEMA warehouse;
	CREATE TABLE "Shop ""Items" (
		id bigint PRIMARY KEY, dept integer, title varchar(80), "order" text, body text, doc jsonb, slug text,
		price shop_amount, weight double precision, sold boolean, size shop_size,
		made_on date, shipped timestamp, arrived timestamptz, picture jsonb, extra json,
		owners uuid[], rev bigint NOT NULL DEFAULT 1, changed_at timestamp NOT NULL, public_at timestamptz,
		live boolean NOT NULL DEFAULT true, "hidden at" timestamp, hidden_by text);
	CREATE TABLE warehouse.pages (id uuid PRIMARY KEY, body text NOT NULL, author text, hidden_at timestamptz);
	CREATE TABLE shop_tags (name text PRIMARY KEY, note text NOT NULL);
	CREATE TABLE shop_depts (id integer PRIMARY KEY, label text, floor text);
	INSERT INTO shop_depts VALUES (1, 'Books', 'Ground'), (2, 'Toys', NULL), (3, NULL, 'Top');`

const shopManifest = `
id: shop
contentTypes:
  - id: shop.item
    label: shop.item
    permissionModule: items
    table: Shop "Items
    key: {column: id, kind: bigint}
    fields:
      title:   {kind: text}
      notes:   {kind: textarea, column: order}
      body:    {kind: richText}
      doc:     {kind: richText}
      slug:    {kind: slug}
      price:   {kind: number}
      weight:  {kind: number}
      sold:    {kind: boolean}
      size:    {kind: enum}
      madeOn:  {kind: dateTime, column: made_on}
      shipped: {kind: dateTime}
      arrived: {kind: dateTime}
      picture: {kind: file}
      extra:   {kind: json}
    authors: {column: owners}
    revision: {version: rev, updatedAt: changed_at, publishedAt: public_at}
    published: {column: live, value: true}
    hidden: {at: hidden at, by: hidden_by}
    publicApi: {path: items, fields: [title, slug], url: "/shop/{slug}/{id}"}
    admin: {titleField: title}
    moderationScope: {column: dept, family: shop.dept}
    reports: {snapshotFields: [notes, body, doc, slug, price, weight, sold, size, madeOn, shipped, arrived, picture]}
  - id: shop.page
    label: shop.page
    permissionModule: pages
    table: warehouse.pages
    key: {column: id, kind: uuid}
    fields: {body: {kind: textarea}}
    authors: {column: author}
    hidden: {at: hidden_at}
    publicApi: {path: pages, fields: [body], url: "https://shop.example/p/{id}"}
    reports: true
  - id: shop.tag
    label: shop.tag
    permissionModule: tags
    table: shop_tags
    key: {column: name, kind: text}
    fields: {note: {kind: text}}
    publicApi: {path: tags, fields: [note], url: "/tags/{id}"}
    reports: true
moderation:
  scopes:
    - {id: shop.dept, label: shop.dept, table: shop_depts, idColumn: id, labelColumn: label, contextColumns: [floor]}
`

func shop(t *testing.T) *bundle {
	t.Helper()
	b := newBundle(t, shopTables, shopManifest)
	b.exec(`INSERT INTO "Shop ""Items" (id, dept, title, "order", body, doc, slug, price, weight, sold, size, made_on, shipped, arrived,
			picture, owners, changed_at, public_at)
		VALUES (7, 1, 'A <b>lamp</b>', E'two\nlines', '<p>Bright <i>and</i> cheap</p>',
			'{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"warm"}]}]}', 'a-lamp',
			12.50, 0.25, false, 'large', '2026-01-31', '2026-02-01 10:00', '2026-02-02T10:00:00+02:00',
			'{"id": 5, "name": "lamp.png", "mimeType": "image/png", "size": 2048, "url": "/files/5", "secret": "x"}',
			ARRAY[$1, $2]::uuid[], $3::timestamptz AT TIME ZONE 'UTC', $3)`, bob, "0199c0de-0000-7000-8000-0000000000ff", at)
	b.exec("INSERT INTO warehouse.pages VALUES ($1, 'Hello', $2)", ada, "host-user-1")
	b.exec("INSERT INTO shop_tags VALUES ('käse/brot', 'yum')")
	return b
}

func TestCaptureOfEveryKind(t *testing.T) {
	t.Parallel()
	b := shop(t)

	c := b.capture("shop.item", "7", "de")

	require.Equal(t, "A <b>lamp</b>", c.Title)
	require.Equal(t, "de", c.Served, "what is not localised is in whichever locale was asked for")
	require.Equal(t, "/shop/a-lamp/7", c.URL)
	require.Equal(t, &scope.Resource{Family: "shop.dept", ID: "1"}, c.Scope)
	require.Equal(t, []snapshot.Author{{ID: bob, Name: "Bob"}, {ID: "0199c0de-0000-7000-8000-0000000000ff"}}, c.Authors)
	version := "1"
	require.Equal(t, snapshot.Source{Version: &version, UpdatedAt: &at, PublishedAt: &at}, c.Source)

	type field struct {
		name  string
		kind  snapshot.Kind
		value string
	}
	var got []field
	for _, f := range frozen(c).Fields {
		got = append(got, field{f.Name, f.Kind, string(f.Value)})
	}
	require.Equal(t, []field{
		{"notes", snapshot.KindText, `"two\nlines"`},
		{"body", snapshot.KindRichText, `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Bright "},{"type":"text","marks":[{"type":"italic"}],"text":"and"},{"type":"text","text":" cheap"}]}]}`},
		{"doc", snapshot.KindRichText, `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"warm"}]}]}`},
		{"slug", snapshot.KindText, `"a-lamp"`},
		{"price", snapshot.KindValue, `12.50`},
		{"weight", snapshot.KindValue, `0.25`},
		{"sold", snapshot.KindValue, `false`},
		{"size", snapshot.KindValue, `"large"`},
		{"madeOn", snapshot.KindValue, `"2026-01-31T00:00:00.000000Z"`},
		{"shipped", snapshot.KindValue, `"2026-02-01T10:00:00.000000Z"`},
		{"arrived", snapshot.KindValue, `"2026-02-02T08:00:00.000000Z"`},
		{"picture", snapshot.KindFile, `{"id":"5","name":"lamp.png","mimeType":"image/png","size":2048,"url":"/files/5"}`},
	}, got)
	require.Equal(t, "Made on", c.Fields[8].Label)
}

func TestCaptureOfNullsAndOddValues(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.exec(`INSERT INTO "Shop ""Items" (id, changed_at) VALUES (8, 'infinity')`)
	b.exec(`INSERT INTO "Shop ""Items" (id, price, weight, arrived, picture, doc, body, changed_at, public_at)
		VALUES (9, 'NaN', '-Infinity', '20000-01-01', '["no file"]', '"<b>HTML</b> in JSON"', '{"type":"doc","content":[]}', now(), '-infinity')`)

	empty, odd := b.capture("shop.item", "8", ""), b.capture("shop.item", "9", "")

	require.Empty(t, empty.Title)
	require.Equal(t, &scope.Resource{Family: "shop.dept"}, empty.Scope, "in no resource")
	require.Nil(t, empty.Source.UpdatedAt)
	require.Empty(t, empty.Authors)
	for _, f := range empty.Fields {
		require.Equal(t, "null", string(f.Value), f.Name)
	}
	values := map[string]string{}
	for _, f := range odd.Fields {
		require.True(t, json.Valid(f.Value), f.Name)
		values[f.Name] = string(f.Value)
	}
	require.Equal(t, `"NaN"`, values["price"])
	require.Equal(t, `"-Infinity"`, values["weight"])
	require.Equal(t, `null`, values["arrived"])
	require.Equal(t, `null`, values["picture"])
	require.Equal(t, `"<b>HTML</b> in JSON"`, values["doc"], "the snapshot reads it")
	require.JSONEq(t, `{"type":"doc","content":[]}`, values["body"])
	require.Nil(t, odd.Source.PublishedAt)
}

// A date may lie where no timestamp does, and one such row must not take the list with it.
func TestTimesThatNobodyCanSay(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `
		CREATE DOMAIN shop_day AS date;
		CREATE TABLE fairs (id bigint PRIMARY KEY, day date, fixed shop_day, opens timestamp, closes timestamptz, changed date);
		INSERT INTO fairs VALUES
			(1, '5874897-12-31', '5874897-12-31', '294276-12-31 23:59:59', '294276-12-31 00:00Z', '5874897-12-31'),
			(2, '4714-11-24 BC', '4714-11-24 BC', '4714-11-24 BC', '4714-11-24 00:00Z BC', '4714-11-24 BC'),
			(3, 'infinity', '-infinity', 'infinity', '-infinity', '-infinity'),
			(4, '9999-12-30', '9999-12-30', '9999-12-30 23:59:59', '9999-12-30 23:59:59Z', '9999-12-30')`,
		strings.Replace(oneType("fair", "day: {kind: dateTime}", "fixed: {kind: dateTime}", "opens: {kind: dateTime}", "closes: {kind: dateTime}"),
			"reports: true", "revision: {updatedAt: changed}\n    reports: {snapshotFields: [day, fixed, opens, closes]}", 1))
	reader := b.Content[0].Reader
	page, err := reader.Items(t.Context(), reader.List().First(10), "", domain.HiddenAccess{})
	require.NoError(t, err)
	require.Len(t, page.Edges, 4)
	for i, last := range []string{`"9999-12-30T00:00:00.000000Z"`, "null", "null", "null"} {
		item := page.Edges[i]
		captured := b.capture("shop.fair", item.ID, "")
		require.Equal(t, last, string(item.Fields[0].Value), item.ID)
		require.Equal(t, last, string(item.Fields[1].Value), item.ID)
		for j, f := range item.Fields {
			require.Equal(t, last == "null", string(f.Value) == "null", "%s of %s", f.Name, item.ID)
			require.Equal(t, string(f.Value), string(captured.Fields[j].Value))
		}
		require.Equal(t, last == "null", item.UpdatedAt == nil)
		require.Equal(t, item.UpdatedAt, captured.Source.UpdatedAt)
	}
}

func TestCaptureReadsNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.exec(`UPDATE "Shop ""Items" SET "order" = repeat('ä', 5000000) WHERE id = 7`)
	var text string
	require.NoError(t, json.Unmarshal(b.capture("shop.item", "7", "").Fields[0].Value, &text))
	require.Equal(t, strings.Repeat("ä", 100_000), text)

	t.Log("the endless address of a file is dropped")
	b.exec(`UPDATE "Shop ""Items" SET picture = jsonb_build_object('id', 5, 'url', 'https://x.test/' || repeat('a', 2040)) WHERE id = 7`)
	taken := frozen(b.capture("shop.item", "7", ""))
	require.JSONEq(t, `{"id":"5","name":"","mimeType":"","size":0,"url":""}`, string(taken.Fields[11].Value))
	require.True(t, taken.Truncated)
}

// A number in an address is written as a person would, and no JSON string.
func TestNumbersInAnAddress(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `CREATE TABLE scales (id bigint PRIMARY KEY, load double precision);
		INSERT INTO scales VALUES (1, 2.5), (2, 'NaN'), (3, '-Infinity'), (4, NULL)`,
		strings.Replace(oneType("scale", "load: {kind: number}"), "/scales/", "/scales/{load}/", 1))
	for id, want := range map[string]string{"1": "/scales/2.5/1", "2": "/scales/NaN/2", "3": "/scales/-Infinity/3", "4": ""} {
		require.Equal(t, want, b.capture("shop.scale", id, "").URL)
		require.Equal(t, want, b.current("shop.scale", id).URL)
	}
}

// Files are evidence whether there is one or a list, and the public API shows the same.
func TestFilesOfAField(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `CREATE TABLE mails (id bigint PRIMARY KEY, files jsonb)`, oneType("mail", "files: {kind: file}"))
	file := func(id, name, size string) string {
		return `{"id":"` + id + `","name":"` + name + `","mimeType":"","size":` + size + `,"url":""}`
	}
	tests := []struct{ name, stored, want string }{
		{"one", `{"id": "x", "name": "a.png", "secret": "s"}`, file("x", "a.png", "0")},
		{"a list", `[{"id": "x", "name": "1"}, {"id": 7, "name": "2", "size": 3, "secret": "s"}]`, "[" + file("x", "1", "0") + "," + file("7", "2", "3") + "]"},
		{"a list with what is no file", `["no", {"id": "x"}, null, [{"id": "y"}]]`, "[" + file("x", "", "0") + "]"},
		{"a list without a file", `[]`, "null"},
		{"no file", `"str"`, "null"},
		{"a size with a point", `{"size": 12.0}`, file("", "", "12")},
		{"a size beyond a float", `{"size": 9007199254740993}`, file("", "", "9007199254740993")},
		{"a size that is no whole number", `{"size": 1.5}`, file("", "", "0")},
		{"a size below none", `{"size": -5}`, file("", "", "0")},
		{"the null of JSON", `null`, "null"},
	}
	for i, test := range tests {
		id := strconv.Itoa(i + 1)
		b.exec("INSERT INTO mails VALUES ($1, $2)", i+1, test.stored)
		taken := frozen(b.capture("shop.mail", id, ""))
		require.Equal(t, test.want, string(taken.Fields[0].Value), test.name)
		require.False(t, taken.Truncated)
		item, err := b.Content[0].Reader.Item(t.Context(), id, "", domain.HiddenAccess{})
		require.NoError(t, err)
		require.Equal(t, test.want, string(item.Fields[0].Value), test.name)
	}

	b.exec(`INSERT INTO mails SELECT 99, jsonb_agg(jsonb_build_object('id', n)) FROM generate_series(1, 6000) n`)
	taken := frozen(b.capture("shop.mail", "99", ""))
	require.True(t, taken.Truncated, "more files than a snapshot holds are told of")
}

func TestCaptureIsNullForWhatTheReporterCannotRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, change string
		current      *target.State
	}{
		{"unpublished", `UPDATE "Shop ""Items" SET live = false`, &target.State{URL: "/shop/a-lamp/7"}},
		{"hidden", `UPDATE "Shop ""Items" SET "hidden at" = now()`, &target.State{Hidden: true, URL: "/shop/a-lamp/7"}},
		{"deleted", `DELETE FROM "Shop ""Items"`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := shop(t)
			b.exec(test.change)
			require.Nil(t, b.capture("shop.item", "7", "en"))
			require.Equal(t, test.current, b.current("shop.item", "7"))
			resource, exists, err := b.target("shop.item").ResolveScope(t.Context(), "7")
			require.NoError(t, err)
			require.Equal(t, test.current != nil, exists)
			if exists {
				require.Equal(t, "1", resource)
			}
		})
	}
}

func TestIDsOfEveryKind(t *testing.T) {
	t.Parallel()
	b := shop(t)
	tests := []struct {
		targetType, given, canonical string
		url                          string // "" for an id that is refused
	}{
		{"shop.item", "7", "7", "/shop/a-lamp/7"},
		{"shop.item", "07", "", ""},
		{"shop.item", "+7", "", ""},
		{"shop.item", "-7", "", ""},
		{"shop.item", "0", "", ""},
		{"shop.item", "7.0", "", ""},
		{"shop.item", "9223372036854775808", "", ""},
		{"shop.item", "7; DROP TABLE shop_tags", "", ""},
		{"shop.page", ada, ada, "https://shop.example/p/" + ada},
		{"shop.page", strings.ToUpper(ada), ada, "https://shop.example/p/" + ada},
		{"shop.page", "{" + ada + "}", "", ""},
		{"shop.page", "urn:uuid:" + ada, "", ""},
		{"shop.page", "7", "", ""},
		{"shop.tag", "käse/brot", "käse/brot", "/tags/k%C3%A4se%2Fbrot"},
		{"shop.tag", "", "", ""},
		{"shop.tag", "a\x00b", "", ""},
		{"shop.tag", "a\xff", "", ""},
		{"shop.tag", strings.Repeat("ä", 256), "", ""},
	}
	for _, test := range tests {
		t.Run(test.targetType+" "+test.given[:min(len(test.given), 20)], func(t *testing.T) {
			id, ok := b.target(test.targetType).ParseID(test.given)
			require.Equal(t, test.url != "", ok)
			if !ok {
				return
			}
			require.Equal(t, test.canonical, id)
			require.Equal(t, test.url, b.capture(test.targetType, id, "en").URL)
			require.Equal(t, test.url, b.current(test.targetType, id).URL)
		})
	}
	require.Nil(t, b.capture("shop.item", "9223372036854775807", "en"))
	require.Equal(t, []snapshot.Author{{ID: "host-user-1"}}, b.capture("shop.page", ada, "en").Authors)
	b.exec("INSERT INTO warehouse.pages VALUES ($1, 'By nobody', '')", bob)
	require.Empty(t, b.capture("shop.page", bob, "en").Authors)
	require.Empty(t, b.target("shop.tag").Actions)
	require.Nil(t, b.target("shop.tag").ResolveScope)
}

func TestSnapshotFieldsAndSourceAreOfOneState(t *testing.T) {
	t.Parallel()
	b := shop(t)
	done := make(chan error, 1)
	go func() {
		for i := range 200 {
			if _, err := b.pool.Exec(t.Context(), `UPDATE "Shop ""Items" SET rev = $1::bigint, "order" = $1::bigint::text WHERE id = 7`, i); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	b.exec(`UPDATE "Shop ""Items" SET "order" = rev::text WHERE id = 7`)
	for range 100 {
		c := b.capture("shop.item", "7", "")
		require.Equal(t, `"`+*c.Source.Version+`"`, string(c.Fields[0].Value))
	}
	require.NoError(t, <-done)
}
