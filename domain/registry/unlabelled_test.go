package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

func TestLabelsWithoutAMessageAreListed(t *testing.T) {
	t.Parallel()
	manifest := `id: shop
remote: {url: "https://shop.example/docket", secretEnv: SHOP_SECRET}
remoteTypes:
  - {id: shop.review, label: shop.review, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}
  - {id: shop.draft, label: shop.draft, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}}
contentTypes:
  - {id: shop.page, label: shop.page, permissionModule: pages, table: pages, key: {column: id, kind: bigint}, fields: {title: {kind: text}},
     publicApi: {path: pages, fields: [title], url: "/{id}"}, reports: true}
moderation:
  scopes:
    - {id: shop.floor, label: shop.floor, remote: true}
    - {id: shop.shelf, label: shop.shelf, table: shelves, idColumn: id, labelColumn: name}
`
	parsed := registry.ParseManifest("shop.yaml", []byte(manifest))
	require.NoError(t, registry.Check(parsed))
	require.ElementsMatch(t, []string{"remoteTypes[0].label", "contentTypes[0].label", "moderation.scopes[0].label", "moderation.scopes[1].label"},
		paths(registry.Unlabelled(parsed)))
	spoken := registry.ParseManifest("shop.yaml", []byte(manifest+"messages: {en: {shop.review: review, shop.page: page, shop.floor: floor, shop.shelf: shelf}}\n"))
	require.Empty(t, registry.Unlabelled(spoken))
	elsewhere := registry.ParseManifest("words.yaml", []byte("id: words\nmessages: {en: {shop.review: review}}\n"))
	require.Len(t, registry.Unlabelled(parsed, elsewhere), 3, "another plugin may have it")

	declared := &registry.Declaration{}
	declared.ID = "photos"
	declared.Targets = []target.Definition{{Type: "photos.photo", Label: "photos.photo"}}
	declared.Scopes = []scope.Definition{{ID: "photos.album", Label: "photos.album"}}
	require.Equal(t, []string{"Targets[0].Label", "Scopes[0].Label"}, paths(registry.Unlabelled(declared)))
}
