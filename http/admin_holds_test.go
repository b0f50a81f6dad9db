package http_test

import (
	"maps"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
)

func TestHolds(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	one, other := b.file(0, "1"), b.file(1, "2")
	setter, lifter := b.admin("Setter", permission.AreaHold), b.admin("Lifter", permission.AreaHold)
	until := time.Now().AddDate(1, 0, 0).UTC().Format(time.RFC3339)
	body := func(more map[string]any) map[string]any {
		more["basis"], more["reference"], more["until"] = " <b>Claim</b> ", "4 O 12/26", until
		return more
	}

	set := setter.post("/admin/holds", body(map[string]any{"reports": []string{other, strings.ToUpper(one), one}})).status(nethttp.StatusCreated).body
	require.ElementsMatch(t, []any{one, other}, set["reports"])
	require.Equal(t, "<b>Claim</b>", set["basis"])
	require.Equal(t, "Setter", set["setBy"].(map[string]any)["name"])
	require.Equal(t, "standing", set["status"])
	author := setter.post("/admin/holds", body(map[string]any{"authorId": "nobody yet", "pluginId": "forum"})).status(nethttp.StatusCreated).body
	require.Equal(t, []any{"nobody yet", "forum", []any{}, float64(0)}, []any{author["authorId"], author["pluginId"], author["reports"], author["reportCount"]})

	path := "/admin/holds/" + set["id"].(string)
	require.Equal(t, set, lifter.get(path).status(nethttp.StatusOK).body)
	require.Len(t, lifter.get("/admin/holds").edges(), 2)
	require.Equal(t, set["id"], lifter.get("/admin/holds?status=standing&reportId=" + one).edges()[0]["id"])
	lifter.get("/admin/holds?status=no&reportId=no").fault(nethttp.StatusBadRequest, "validation_failed")

	setter.post(path+"/lift", nil).fault(nethttp.StatusForbidden, "own_decision")
	lifted := lifter.post(path+"/lift", nil).status(nethttp.StatusOK).body
	require.Equal(t, "lifted", lifted["status"])
	require.Equal(t, "Lifter", lifted["liftedBy"].(map[string]any)["name"])
	require.Equal(t, lifted, setter.post(path+"/lift", nil).status(nethttp.StatusOK).body)
	lifter.post("/admin/holds/"+uuid.NewString()+"/lift", nil).fault(nethttp.StatusNotFound, "not_found")

	for name, c := range map[string]struct {
		body   map[string]any
		faults []string
	}{
		"everything": {map[string]any{"reports": []any{one, "no", uuid.NewString(), 7}, "authorId": "ada", "basis": "", "reference": "\u0000", "until": "2020-01-01T00:00:00Z", "more": 1},
			[]string{"authorId", "basis", "more", "reference", "reports[1]", "reports[2]", "reports[3]", "until"}},
		"nothing":  {map[string]any{}, []string{"basis", "reference", "reports", "until"}},
		"a plugin": {body(map[string]any{"reports": []string{one}, "pluginId": "forum"}), []string{"pluginId"}},
	} {
		require.Equal(t, c.faults, slices.Sorted(maps.Keys(setter.post("/admin/holds", c.body).status(nethttp.StatusBadRequest).issues())), name)
	}
	require.Equal(t, 2, b.count(`SELECT count(*) FROM core_holds`))
}
