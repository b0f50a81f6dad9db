package content_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

const faultTables = `
	CREATE TABLE goods (id bigint PRIMARY KEY, code uuid, title text, body text, picture jsonb, price numeric, author integer,
		live boolean, hidden_at timestamptz, hidden_not_null timestamptz NOT NULL, hidden_by uuid, dept text, tags text[], lang text);
	CREATE TABLE goods_texts (goods_id bigint, lang text, summary text);
	CREATE TABLE depts (id text, name text);
	CREATE SEQUENCE counter;`

// sound is a manifest without a fault.
const sound = `id: shop
contentTypes:
  - id: shop.good
    label: shop.good
    permissionModule: goods
    table: goods
    key: {column: id, kind: bigint}
    fields:
      title: {kind: text}
      body: {kind: richText}
    published: {column: live, value: true}
    hidden: {at: hidden_at, by: hidden_by}
    publicApi: {path: goods, fields: [title, body], url: "/goods/{id}"}
    moderationScope: {column: dept, family: shop.dept}
    reports: true
moderation:
  scopes:
    - {id: shop.dept, label: shop.dept, table: depts, idColumn: id, labelColumn: name}
`

func TestTablesThatDoNotFit(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, old, new, fault string }{
		{"no such table", "table: goods\n", "table: godos\n", `6: contentTypes[0].table: the table "godos" does not exist`},
		{"no table but a sequence", "table: goods\n", "table: counter\n", `6: contentTypes[0].table: the table "counter" does not exist`},
		{"a table of another schema", "table: goods\n", "table: other.goods\n", `6: contentTypes[0].table: the table "other.goods" does not exist`},
		{"SQL for a table", "table: goods\n", "table: 'goods; DROP TABLE goods'\n", `6: contentTypes[0].table: the table "goods; DROP TABLE goods" does not exist`},
		{"no such key", "column: id, kind: bigint", "column: idd, kind: bigint", `7: contentTypes[0].key.column: the table "goods" has no column "idd"; did you mean "id"?`},
		{"a key of another kind", "column: id, kind: bigint", "column: code, kind: bigint", `7: contentTypes[0].key.column: the column "code" is of type uuid; it must hold a key of kind bigint`},
		{"a system column", "column: id, kind: bigint", "column: ctid, kind: text", `7: contentTypes[0].key.column: the table "goods" has no column "ctid"; did you mean "id"?`},
		{"no such key of no kind", "column: id, kind: bigint", "column: idd, kind: int",
			`7: contentTypes[0].key.kind: the kind of a key must be bigint, uuid or text, not "int"` + "\n" +
				`shop.yaml:7: contentTypes[0].key.column: the table "goods" has no column "idd"; did you mean "id"?`},
		{"no such field of no kind", "title: {kind: text}", "title: {kind: txt, column: titel}",
			`9: contentTypes[0].fields.title.kind: there is no field kind "txt"; the kinds are text, textarea, richText, slug, number, boolean, enum, dateTime, file, user, relation, json` + "\n" +
				`shop.yaml:9: contentTypes[0].fields.title.column: the table "goods" has no column "titel"; did you mean "title"?`},
		{"no such field", "title: {kind: text}", "title: {kind: text, column: titel}", `9: contentTypes[0].fields.title.column: the table "goods" has no column "titel"; did you mean "title"?`},
		{"a text of numbers", "title: {kind: text}", "title: {kind: text, column: price}", `9: contentTypes[0].fields.title.column: the column "price" is of type numeric; it must hold text`},
		{"a number of text", "body: {kind: richText}", "body: {kind: number}", `10: contentTypes[0].fields.body.column: the column "body" is of type text; it must hold a number`},
		{"a file of text", "body: {kind: richText}", "body: {kind: file}", `10: contentTypes[0].fields.body.column: the column "body" is of type text; it must hold jsonb`},
		{"a text of many", "body: {kind: richText}", "body: {kind: textarea, column: tags}", `10: contentTypes[0].fields.body.column: the column "tags" is of type text[]; it must hold text`},
		{"no published column", "column: live,", "column: alive,", `11: contentTypes[0].published.column: the table "goods" has no column "alive"; did you mean "live"?`},
		{"hidden that is never null", "at: hidden_at", "at: hidden_not_null", `12: contentTypes[0].hidden.at: the column "hidden_not_null" is of type timestamptz not null; it must hold a timestamp that may be null, which is how shown content is told`},
		{"hidden that is no time", "at: hidden_at", "at: live", `12: contentTypes[0].hidden.at: the column "live" is of type bool; it must hold a timestamp that may be null, which is how shown content is told`},
		{"hidden by a number", "by: hidden_by", "by: author", `12: contentTypes[0].hidden.by: the column "author" is of type int4; it must hold the id of an account (uuid, or text of 36 characters) that may be null`},
		{"no scope column", "column: dept,", "column: dep,", `14: contentTypes[0].moderationScope.column: the table "goods" has no column "dep"; did you mean "dept"?`},
		{"authors that are numbers", "    reports: true", "    authors: {column: author}\n    reports: true", `15: contentTypes[0].authors.column: the column "author" is of type int4; it must hold ids of accounts: uuid or text, or an array of them`},
		{"a revision without columns", "    reports: true", "    revision: {version: v, updatedAt: title}\n    reports: true",
			`15: contentTypes[0].revision.version: the table "goods" has no column "v"` + "\n" +
				`shop.yaml:15: contentTypes[0].revision.updatedAt: the column "title" is of type text; it must hold a timestamp or a date`},
		{"no table of translations", "    reports: true", "    locale: {table: texts, key: goods_id, column: lang, default: en}\n    reports: true",
			`15: contentTypes[0].locale.table: the table "texts" does not exist`},
		{"no key of translations", "    reports: true", "    locale: {table: goods_texts, key: good, column: lang, default: en}\n    reports: true",
			`15: contentTypes[0].locale.key: the table "goods_texts" has no column "good"`},
		{"no family table", "table: depts", "table: dept", `18: moderation.scopes[0].table: the table "dept" does not exist`},
		{"no label column", "labelColumn: name", "labelColumn: nam", `18: moderation.scopes[0].labelColumn: the table "depts" has no column "nam"; did you mean "name"?`},
		{"no context column", "labelColumn: name", "labelColumn: name, contextColumns: [name, floor]", `18: moderation.scopes[0].contextColumns[1]: the table "depts" has no column "floor"`},
		{"names that are too long", "title: {kind: text}", "title: {kind: text, column: " + strings.Repeat("x", 64) + "}",
			`9: contentTypes[0].fields.title.column: the column's name is longer than the 63 bytes of a database name` + "\n" +
				`shop.yaml:9: contentTypes[0].fields.title.column: the table "goods" has no column "` + strings.Repeat("x", 64) + `"`},
	}
	b := newBundle(t, faultTables, sound)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, sound, test.old)
			_, err := b.register(strings.Replace(sound, test.old, test.new, 1))
			var faults registry.Faults
			require.ErrorAs(t, err, &faults)
			require.Equal(t, "shop.yaml:"+test.fault, faults.Error())
		})
	}
}

// Hiding has to be possible, or it would fail once somebody needs it.
func TestHiddenColumnsThatCannotBeSet(t *testing.T) {
	t.Parallel()
	const stuck = `hiding changes the column %q of "goods", which cannot be changed: the column is generated or the view is read-only`
	tests := []struct{ name, tables, fault string }{ // fault "" is none
		{"a table", `CREATE TABLE goods (id bigint, title text, hidden_at timestamptz, hidden_by varchar(36))`, ""},
		{"a partitioned table", `CREATE TABLE goods (id bigint, title text, hidden_at date, hidden_by varchar) PARTITION BY LIST (id)`, ""},
		{"too short for an account", `CREATE TABLE goods (id bigint, title text, hidden_at timestamptz, hidden_by varchar(10))`,
			`the column "hidden_by" is of type varchar(10); it must hold the id of an account (uuid, or text of 36 characters) that may be null`},
		{"too short by its domain", `CREATE DOMAIN account AS varchar(35); CREATE TABLE goods (id bigint, title text, hidden_at timestamptz, hidden_by account)`,
			`the column "hidden_by" is of type varchar(35); it must hold the id of an account (uuid, or text of 36 characters) that may be null`},
		{"generated", `CREATE TABLE goods (id bigint, title text, off boolean, hidden_by uuid,
			hidden_at timestamptz GENERATED ALWAYS AS (CASE WHEN off THEN '2026-01-01Z'::timestamptz END) STORED)`, fmt.Sprintf(stuck, "hidden_at")},
		{"a view", `CREATE TABLE base (id bigint, title text, hidden_at timestamptz, hidden_by uuid); CREATE VIEW goods AS SELECT * FROM base`, ""},
		{"a column of a view that is worked out", `CREATE TABLE base (id bigint, title text, hidden_at timestamptz);
			CREATE VIEW goods AS SELECT *, NULL::uuid AS hidden_by FROM base`, fmt.Sprintf(stuck, "hidden_by")},
		{"a view over many rows", `CREATE TABLE base (id bigint, title text, hidden_at timestamptz, hidden_by uuid); CREATE VIEW goods AS SELECT DISTINCT * FROM base`,
			fmt.Sprintf(stuck, "hidden_at") + "\n" + fmt.Sprintf(stuck, "hidden_by")},
		{"a view with a rule", `CREATE TABLE base (id bigint, title text, hidden_at timestamptz, hidden_by uuid); CREATE VIEW goods AS SELECT DISTINCT * FROM base;
			CREATE RULE hide AS ON UPDATE TO goods DO INSTEAD UPDATE base SET hidden_at = NEW.hidden_at, hidden_by = NEW.hidden_by WHERE id = NEW.id`, ""},
		{"a view with a trigger", `CREATE TABLE base (id bigint, title text, hidden_at timestamptz, hidden_by uuid); CREATE VIEW goods AS SELECT DISTINCT * FROM base;
			CREATE FUNCTION hide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
			CREATE TRIGGER hide INSTEAD OF UPDATE ON goods FOR EACH ROW EXECUTE FUNCTION hide()`, ""},
		{"a materialised view", `CREATE TABLE base (id bigint, title text, hidden_at timestamptz, hidden_by uuid); CREATE MATERIALIZED VIEW goods AS SELECT * FROM base`,
			fmt.Sprintf(stuck, "hidden_at") + "\n" + fmt.Sprintf(stuck, "hidden_by")},
	}
	manifest := strings.NewReplacer("      body: {kind: richText}\n", "", "    published: {column: live, value: true}\n", "", "[title, body]", "[title]",
		"    moderationScope: {column: dept, family: shop.dept}\n", "").Replace(sound)
	const where = "shop.yaml:10: contentTypes[0].hidden."
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := &bundle{t: t, pool: pgtest.New(t)}
			b.exec("CREATE TABLE depts (id text, name text);" + test.tables)
			_, err := b.register(manifest)
			if test.fault == "" {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			var told []string
			for fault := range strings.SplitSeq(err.Error(), "\n") {
				rest, found := strings.CutPrefix(fault, where)
				require.True(t, found, fault)
				_, message, _ := strings.Cut(rest, ": ")
				told = append(told, message)
			}
			require.Equal(t, test.fault, strings.Join(told, "\n"))
		})
	}
}

// What the service's role may not do is told at the start, not to the first reporter.
func TestColumnsThatTheRoleMayNotUse(t *testing.T) {
	t.Parallel()
	const role = "pg_monitor" // one that every server has
	unread := func(column string) string {
		return fmt.Sprintf("the service's database role may not read the column %q; it needs SELECT", column)
	}
	tests := []struct{ name, grants, fault string }{
		{"all that is needed", "GRANT SELECT ON goods, depts TO pg_monitor; GRANT UPDATE (hidden_at, hidden_by) ON goods TO pg_monitor", ""},
		{"only the columns that are needed", `GRANT SELECT (id, title, body, live, hidden_at, hidden_by, dept), UPDATE (hidden_at, hidden_by) ON goods TO pg_monitor;
			GRANT SELECT ON depts TO pg_monitor`, ""},
		{"no UPDATE", "GRANT SELECT ON goods, depts TO pg_monitor",
			`12: contentTypes[0].hidden.at: the service's database role may not change the column "hidden_at", as hiding does; it needs UPDATE` + "\n" +
				`shop.yaml:12: contentTypes[0].hidden.by: the service's database role may not change the column "hidden_by", as hiding does; it needs UPDATE`},
		{"no SELECT of some columns", "GRANT SELECT (id, title, live, hidden_at, hidden_by), UPDATE ON goods TO pg_monitor; GRANT SELECT (id) ON depts TO pg_monitor",
			"10: contentTypes[0].fields.body.column: " + unread("body") + "\n" +
				"shop.yaml:14: contentTypes[0].moderationScope.column: " + unread("dept") + "\n" +
				"shop.yaml:18: moderation.scopes[0].labelColumn: " + unread("name")},
		{"no SELECT at all", "GRANT UPDATE ON goods TO pg_monitor",
			`6: contentTypes[0].table: the service's database role may not read the table "goods"; it needs SELECT` + "\n" +
				`shop.yaml:18: moderation.scopes[0].table: the service's database role may not read the table "depts"; it needs SELECT`},
		{"a schema of others", `CREATE SCHEMA closed; ALTER TABLE goods SET SCHEMA closed; GRANT SELECT ON depts TO pg_monitor`,
			`6: contentTypes[0].table: the service's database role may not look into the schema of the table "closed.goods"; it needs USAGE`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := &bundle{t: t, pool: pgtest.New(t)}
			b.exec(faultTables)
			b.exec(test.grants)
			config := b.pool.Config()
			config.ConnConfig.RuntimeParams["role"] = role
			limited, err := pgxpool.NewWithConfig(t.Context(), config)
			require.NoError(t, err)
			t.Cleanup(limited.Close)
			b.pool = limited
			manifest := sound
			if strings.Contains(test.grants, "closed") {
				manifest = strings.Replace(sound, "table: goods\n", "table: closed.goods\n", 1)
			}
			_, err = b.register(manifest)
			if test.fault == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "shop.yaml:"+test.fault)
		})
	}
}

func TestEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t, faultTables, sound)
	manifest := `id: Shop
contentTypes:
  - id: shop.good
    label: shop.good
    permissionModule: goods
    tabel: goods
    table: godos
    key: {column: id, kind: integer}
    fields:
      title: {kind: txt}
    publicApi: {path: goods, fields: [titel], url: "goods/{id}"}
    moderationScope: {column: dept, family: shop.dep}
    reports: {enabled: true, snapshotFields: [picture]}
moderation:
  scopes:
    - {id: shop.dept, label: 5, table: depts, idColumn: key, labelColumn: name}
`
	registered, err := b.register(manifest)
	var faults registry.Faults
	require.ErrorAs(t, err, &faults)
	require.Equal(t, strings.Split(`shop.yaml:1: id: "Shop" is not a valid plugin id: it must consist of at most 64 lowercase letters, digits, - and _ and begin with a letter
shop.yaml:6: contentTypes[0].tabel: unknown option "tabel"; did you mean "table"?
shop.yaml:7: contentTypes[0].table: the table "godos" does not exist
shop.yaml:8: contentTypes[0].key.kind: the kind of a key must be bigint, uuid or text, not "integer"
shop.yaml:10: contentTypes[0].fields.title.kind: there is no field kind "txt"; the kinds are text, textarea, richText, slug, number, boolean, enum, dateTime, file, user, relation, json
shop.yaml:11: contentTypes[0].publicApi.fields[0]: there is no field "titel"
shop.yaml:11: contentTypes[0].publicApi.url: an address must begin with /, https:// or http://
shop.yaml:12: contentTypes[0].moderationScope.family: no plugin declares the scope family "shop.dep"; did you mean "shop.dept"?
shop.yaml:13: contentTypes[0].reports.enabled: reports.enabled is not an option: reports: true, or an object, enables reporting, and reports: false disables it
shop.yaml:13: contentTypes[0].reports.snapshotFields[0]: there is no field "picture"
shop.yaml:16: moderation.scopes[0].label: this must be text, not a number
shop.yaml:16: moderation.scopes[0].idColumn: the table "depts" has no column "key"`, "\n"), strings.Split(faults.Error(), "\n"))
	require.Nil(t, registered)
}
