package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
)

func TestWhatReportsDoNotKeepIsListed(t *testing.T) {
	t.Parallel()
	manifest := func(reports string) *registry.Declaration {
		return registry.ParseManifest("shop.yaml", []byte(`id: shop
remote: {url: "https://shop.example/docket", secretEnv: SHOP_SECRET}
remoteTypes:
  - id: shop.review
    label: shop.review
    permissionModule: reviews
    key: {kind: bigint}
    fields:
      title: {kind: text}
      stars: {kind: number}
      bought: {kind: dateTime}
      buyer: {kind: user}
    reports: `+reports+`
contentTypes:
  - id: shop.page
    label: shop.page
    permissionModule: pages
    table: pages
    key: {column: id, kind: bigint}
    fields:
      title: {kind: text}
      views: {kind: number}
      note: {kind: text}
    publicApi: {path: pages, fields: [title, views], url: "/{id}"}
    reports: true
`))
	}
	all := manifest("true")
	require.NoError(t, registry.Check(all))
	require.Equal(t, `shop.yaml:12: remoteTypes[0].fields.buyer: reports of shop.review do not keep the field "buyer", of kind user, as evidence: a snapshot cannot hold this kind`,
		last(registry.NotKept(all)))
	var names []string
	for _, f := range all.RemoteTypes[0].ReportFields().Snapshot {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"stars", "bought"}, names, "every field that a snapshot can hold")

	require.Equal(t, []string{"contentTypes[0].fields.views", "contentTypes[0].fields.note", "remoteTypes[0].fields.stars", "remoteTypes[0].fields.bought", "remoteTypes[0].fields.buyer"},
		paths(registry.NotKept(manifest("{snapshotFields: [title]}"))))
	require.Equal(t, []string{"contentTypes[0].fields.views", "contentTypes[0].fields.note"}, paths(registry.NotKept(manifest("false"))))
}

func last(f registry.Faults) string { return f[len(f)-1].String() }

func paths(f registry.Faults) []string {
	var out []string
	for _, one := range f {
		out = append(out, one.Path)
	}
	return out
}
