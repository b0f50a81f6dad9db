package content_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/content"
)

// at is when everything in these tests was written.
var at = time.Date(2026, 3, 1, 12, 30, 0, 123456000, time.UTC)

const (
	ada = "0199c0de-0000-7000-8000-00000000000a"
	bob = "0199c0de-0000-7000-8000-00000000000b"
	mo  = "0199c0de-0000-7000-8000-00000000000c"
)

// bundle is a plugin's tables and what it registered over them.
type bundle struct {
	t    *testing.T
	pool *pgxpool.Pool
	*registry.Registered
}

// oneType is a manifest of one reported type, over the table that is named in the plural. All its fields are public.
func oneType(name string, fields ...string) string {
	public := slices.Clone(fields)
	for i, f := range fields {
		public[i], _, _ = strings.Cut(f, ":")
	}
	return fmt.Sprintf(`id: shop
contentTypes:
  - id: shop.%[1]s
    label: shop.%[1]s
    permissionModule: %[1]ss
    table: %[1]ss
    key: {column: id, kind: bigint}
    fields: {%[2]s}
    publicApi: {path: %[1]ss, fields: [%[3]s], url: "/%[1]ss/{id}"}
    reports: true
`, name, strings.Join(fields, ", "), strings.Join(public, ", "))
}

// newBundle makes the tables and registers the manifest, and has three accounts.
func newBundle(t *testing.T, tables, manifest string) *bundle {
	t.Helper()
	b := &bundle{t: t, pool: pgtest.New(t)}
	b.exec(`INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Ada', $4), ($2, 'Bob', $4), ($3, 'Mo', $4)`, ada, bob, mo, at)
	b.exec(tables)
	var err error
	b.Registered, err = b.register(manifest)
	require.NoError(t, err)
	return b
}

func (b *bundle) register(manifest string) (*registry.Registered, error) {
	return registry.Register(b.t.Context(), registry.Deps{Content: content.NewStore(b.pool)}, registry.ParseManifest("shop.yaml", []byte(manifest)))
}

func (b *bundle) exec(sql string, values ...any) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, sql, values...)
}

func (b *bundle) target(targetType string) *target.Definition {
	b.t.Helper()
	d := b.Targets.Find("shop", targetType)
	require.NotNil(b.t, d)
	return d
}

func (b *bundle) capture(targetType, id, locale string) *snapshot.Capture {
	b.t.Helper()
	c, err := b.target(targetType).Capture(b.t.Context(), target.CaptureRequest{TargetID: id, Locale: locale, ReporterID: bob})
	require.NoError(b.t, err)
	return c
}

// frozen is the snapshot of a capture.
func frozen(c *snapshot.Capture) snapshot.Snapshot {
	return snapshot.Build(*c, snapshot.BuildInput{CapturedAt: at}).Snapshot
}

func (b *bundle) current(targetType, id string) *target.State {
	b.t.Helper()
	s, err := b.target(targetType).Current(b.t.Context(), id, "en")
	require.NoError(b.t, err)
	return s
}

// act runs an action as Mo in a transaction of its own.
func (b *bundle) act(targetType, name, id string) (result target.ActionResult, err error) {
	a, ok := b.target(targetType).Action(name)
	require.True(b.t, ok)
	err = pgx.BeginFunc(context.Background(), b.pool, func(tx pgx.Tx) (err error) {
		result, err = a.Run(context.Background(), target.ActionRequest{ActorID: mo, TargetID: id, At: at, Tx: tx})
		return err
	})
	return result, err
}
