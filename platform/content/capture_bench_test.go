package content_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/content"
)

// BenchmarkCapture is what a manifest's type adds to the filing of a report:
// one round trip.
func BenchmarkCapture(b *testing.B) {
	pool := pgtest.New(b)
	pgtest.Exec(b, pool, shopTables+`INSERT INTO "Shop ""Items" (id, dept, title, body, changed_at)
		VALUES (7, 1, 'A lamp', '<p>Bright <i>and</i> cheap</p>', now())`)
	registered, err := registry.Register(b.Context(), registry.Deps{Content: content.NewStore(pool)}, registry.ParseManifest("shop.yaml", []byte(shopManifest)))
	require.NoError(b, err)
	item := registered.Targets.Find("shop", "shop.item")
	for b.Loop() {
		c, err := item.Capture(b.Context(), target.CaptureRequest{TargetID: "7", Locale: "en"})
		if err != nil || c == nil {
			b.Fatal(c, err)
		}
	}
}
