package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestPluginCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.yaml"), filepath.Join(dir, "bad.yaml")
	require.NoError(t, os.WriteFile(good, []byte("id: wiki\n"), 0o600))
	require.NoError(t, os.WriteFile(bad, []byte("id: shop\nmesages: {}\nmoderation:\n  scopes:\n"+
		"    - {id: shop.dept, label: dept, table: nowhere, idColumn: id, labelColumn: name}\n"), 0o600))
	table := filepath.Join(t.TempDir(), "table.yaml")
	require.NoError(t, os.WriteFile(table, []byte("id: wiki\nmoderation:\n  scopes:\n"+
		"    - {id: wiki.dept, label: dept, table: nowhere, idColumn: id, labelColumn: name}\nmessages: {en: {dept: Department}}\n"), 0o600))
	silent := filepath.Join(t.TempDir(), "silent.yaml")
	require.NoError(t, os.WriteFile(silent, []byte("id: shop\nremote: {url: https://shop.example/docket, secretEnv: SHOP_SECRET}\nremoteTypes:\n"+
		"  - {id: shop.review, label: shop.review, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}\n"), 0o600))
	replaced := filepath.Join(t.TempDir(), "replaced.yaml")
	require.NoError(t, os.WriteFile(replaced, []byte("id: shop\nremote: {url: https://shop.example/docket, secretEnv: SHOP_SECRET}\nremoteTypes:\n"+
		"  - {id: shop.review, label: shop.review, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}\n"+
		"permissions: {moderator: {reviews: [can_pin]}}\nmessages: {en: {shop.review: review}}\n"), 0o600))
	online := map[string]string{"DATABASE_URL": pgtest.URL(t)}

	tests := []struct {
		name        string
		environment map[string]string
		args        []string
		status      int
		stdout      string
		stderr      string
	}{
		{"good", nil, []string{good}, 0, "", ""},
		{"a table, without a database", nil, []string{table}, 0, "", "Tables and columns were not checked"},
		{"a label without a message", nil, []string{silent}, 0, "", "note: " + silent + `:4: remoteTypes[0].label: there is no message "shop.review"`},
		{"a module declared without what reports need", nil, []string{replaced}, 0, "", "note: " + replaced + `:4: remoteTypes[0].permissionModule: the plugin declares the module "reviews" itself`},
		{"good, with a database", online, []string{good}, 0, "", ""},
		{"bad", nil, []string{bad}, 1, bad + `:2: mesages: unknown option "mesages"; did you mean "messages"?` + "\n", "1 fault in 1 manifest"},
		{"a folder, with a database", online, []string{dir}, 1,
			bad + `:2: mesages: unknown option "mesages"; did you mean "messages"?` + "\n" +
				bad + `:5: moderation.scopes[0].table: the table "nowhere" does not exist` + "\n", "2 faults in 2 manifests"},
		{"a file that is not there", nil, []string{good, dir + "/none.yaml"}, 1, dir + "/none.yaml: no such file or directory\n", ""},
		{"an empty folder", nil, []string{t.TempDir()}, 1, "", "there are no manifests"},
		{"no file", nil, nil, 2, "", "file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := docket(t, test.environment, append([]string{"plugin", "check"}, test.args...)...)
			require.Equal(t, test.status, got.status, got.stderr)
			require.Equal(t, test.stdout, got.stdout)
			require.Contains(t, got.stderr, test.stderr)
		})
	}
}

// A plugin in Go has no other check: the server says what docket plugin check would.
func TestAServerSaysWhatItsPluginsLack(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	s, err := NewServer(t.Context(), map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}, &said,
		func(context.Context, Host) (*Plugin, error) {
			p := &Plugin{}
			p.ID = "photos"
			p.Scopes = []scope.Definition{{ID: "photos.album", Label: "photos.album",
				List: func(context.Context, scope.Query) ([]scope.Item, string, error) { return nil, "", nil },
				Find: func(context.Context, []string) ([]scope.Item, error) { return nil, nil }}}
			return p, nil
		})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.Contains(t, said.String(), `plugin photos: Scopes[0].Label: there is no message`)
}
