package http_test

import (
	"bytes"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
)

func TestAManifestIsCheckedAsPluginCheckDoes(t *testing.T) {
	t.Parallel()
	shop := newRemoteShop(t)
	b, admin := newPlatforms(t)
	check := func(manifest string) map[string]any {
		return admin.post("/admin/platforms/check", map[string]any{"manifest": manifest}).status(nethttp.StatusOK).body
	}
	require.Empty(t, check(shop.manifest("review"))["faults"])
	broken := strings.Replace(shop.manifest("review"), "kind: bigint", "kind: bigit", 1)
	fault := map[string]any{"line": 7.0, "path": "remoteTypes[0].key.kind", "message": `the kind of a key must be bigint, uuid or text, not "bigit"`}
	require.Equal(t, []any{fault}, check(broken)["faults"])

	t.Log("so does whoever saves it, and nothing is stored")
	refused := admin.put("/admin/platforms/shop", map[string]any{"manifest": broken}).fault(nethttp.StatusBadRequest, "validation_failed")
	require.Equal(t, []any{fault}, refused.body["faults"])
	require.Equal(t, map[string]string{"manifest": "fault"}, refused.issues())
	admin.get("/admin/platforms/shop").status(nethttp.StatusNotFound)
	admin.put("/admin/platforms/mall", map[string]any{"manifest": shop.manifest("review")}).fault(nethttp.StatusBadRequest, "validation_failed")

	t.Log("the types of plugins and of other platforms are taken")
	forum := strings.ReplaceAll(shop.manifest("review"), "shop.review", "forum.post")
	require.Contains(t, fmt.Sprint(check(forum)["faults"]), `the content type "forum.post" is used twice`)
	admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review")}).status(nethttp.StatusCreated)
	require.Empty(t, check(shop.manifest("review"))["faults"], "a platform may be changed")
	mall := strings.Replace(shop.manifest("review"), "id: shop\n", "id: mall\n", 1)
	require.Contains(t, fmt.Sprint(check(mall)["faults"]), `the content type "shop.review" is used twice; first in platform shop:4`)

	t.Log("what is declared and not kept is noted")
	files := strings.Replace(shop.manifest("review"), "reports: true", "reports: {snapshotFields: [title]}", 1)
	require.Contains(t, fmt.Sprint(check(files)["notes"]), "body")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_platform_versions`))
}

func TestAManifestIsFetched(t *testing.T) {
	t.Parallel()
	_, admin := newPlatforms(t)
	at := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		switch r.URL.Path {
		case "/shop.yaml":
			_, _ = w.Write([]byte("id: shop\n"))
		case "/moved":
			nethttp.Redirect(w, r, "/shop.yaml", nethttp.StatusFound)
		case "/large":
			_, _ = w.Write(bytes.Repeat([]byte("#"), registry.MaxManifest+1))
		case "/picture":
			_, _ = w.Write([]byte{0xff, 0xd8})
		}
	}))
	t.Cleanup(at.Close)
	fetch := func(url string) *answer { return admin.post("/admin/platforms/fetch", map[string]any{"url": url}) }
	require.Equal(t, map[string]any{"manifest": "id: shop\n"}, fetch(at.URL+"/shop.yaml").status(nethttp.StatusOK).body)
	for _, url := range []string{at.URL + "/moved", at.URL + "/large", at.URL + "/picture", "http://127.0.0.1:1/", "ftp://127.0.0.1/", "shop.yaml", "http://%zz/"} {
		require.Equal(t, map[string]string{"url": "invalid"}, fetch(url).fault(nethttp.StatusBadRequest, "validation_failed").issues(), url)
	}
	private := newBundle(t).admin("Platforms", permission.AreaPlatforms)
	require.Equal(t, map[string]string{"url": "invalid"}, private.post("/admin/platforms/fetch", map[string]any{"url": at.URL + "/shop.yaml"}).status(nethttp.StatusBadRequest).issues())
	private.put("/admin/platforms/shop", map[string]any{"manifest": newRemoteShop(t).manifest("review")}).status(nethttp.StatusCreated)
	refused := private.post("/admin/platforms/shop/try", map[string]any{"type": "shop.review", "targetId": "7"}).status(nethttp.StatusOK).body["answers"].([]any)[0]
	require.Contains(t, fmt.Sprint(refused), "is not public", "nor is a platform asked")
}

func TestAPlatformIsChangedAndGoesBack(t *testing.T) {
	t.Parallel()
	shop := newRemoteShop(t)
	b, admin := newPlatforms(t)
	member := b.member(1)
	connect := map[string]any{"manifest": shop.manifest("review"), "expectedVersion": 0}
	admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review"), "expectedVersion": 1}).status(nethttp.StatusNotFound)
	made := admin.put("/admin/platforms/shop", connect).status(nethttp.StatusCreated)
	again := admin.put("/admin/platforms/shop", connect).fault(nethttp.StatusConflict, "conflict")
	require.EqualValues(t, 1, again.body["current"].(map[string]any)["version"])
	first := made.body["secret"].(string)
	shop.knows(first)
	report := member.reportsReview("7").status(nethttp.StatusCreated).body["id"].(string)

	t.Log("two people change it")
	same := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review"), "expectedVersion": 1}).status(nethttp.StatusOK)
	require.Equal(t, []any{1.0, "serving", []any{"shop.review"}}, []any{same.body["version"], same.body["state"], same.body["types"]}, "nothing has changed")
	changed := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("photo"), "expectedVersion": 1}).status(nethttp.StatusOK)
	require.EqualValues(t, 2, changed.body["version"])
	require.NotContains(t, changed.body, "secret")
	require.NotEmpty(t, changed.body["calls"], "what was asked of the version before is still shown")
	require.NotNil(t, changed.body["lastGood"])
	late := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review"), "expectedVersion": 1}).fault(nethttp.StatusConflict, "conflict")
	require.EqualValues(t, 2, late.body["current"].(map[string]any)["version"])

	t.Log("the report of a type that is gone stays, as of deleted content")
	member.reportsReview("8").fault(nethttp.StatusBadRequest, "validation_failed")
	moderator := b.unlimited("Mo")
	current := func() any {
		return moderator.get("/moderation/reports/" + report).status(nethttp.StatusOK).body["target"].(map[string]any)["current"]
	}
	require.Nil(t, current())

	t.Log("it goes back")
	admin.post("/admin/platforms/shop/restore", map[string]any{"version": 9}).status(nethttp.StatusNotFound)
	back := admin.post("/admin/platforms/shop/restore", map[string]any{"version": 1}).status(nethttp.StatusOK)
	require.EqualValues(t, 3, back.body["version"])
	require.Equal(t, []any{"shop.review"}, back.body["types"])
	require.NotNil(t, current())
	require.Equal(t, shop.manifest("photo"), admin.get("/admin/platforms/shop?version=2").status(nethttp.StatusOK).body["manifest"])
	versions := admin.get("/admin/platforms/shop").status(nethttp.StatusOK).body["versions"].([]any)
	require.Len(t, versions, 3)
	require.Equal(t, "Platforms", versions[0].(map[string]any)["by"].(map[string]any)["name"])

	t.Log("a new secret serves at once")
	renewed := admin.post("/admin/platforms/shop/secret", nil).status(nethttp.StatusOK).body["secret"].(string)
	require.NotEqual(t, first, renewed)
	shop.knows(renewed)
	member.reportsReview("20").status(nethttp.StatusCreated)

	t.Log("what is off is as a plugin that is not there")
	admin.post("/admin/platforms/shop/off", nil).status(nethttp.StatusOK)
	member.reportsReview("21").fault(nethttp.StatusBadRequest, "validation_failed")
	require.NotContains(t, string(moderator.get("/moderation/target-types").status(nethttp.StatusOK).raw), "shop.review")
	admin.post("/admin/platforms/shop/on", nil).status(nethttp.StatusOK)
	member.reportsReview("21").status(nethttp.StatusCreated)

	t.Log("its last calls and faults are shown")
	shop.knows("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
	member.reportsReview("9").fault(nethttp.StatusServiceUnavailable, "unavailable")
	one := admin.get("/admin/platforms/shop").status(nethttp.StatusOK).body
	last := one["lastFault"].(map[string]any)
	require.Equal(t, "capture", last["path"])
	require.Equal(t, "answered 401", last["message"])
	require.Equal(t, "closed", one["breaker"])
	call := one["calls"].([]any)[0].(map[string]any)
	require.EqualValues(t, 401, call["status"])
	require.Equal(t, "answered 401", call["fault"])
}

func TestAPlatformIsTried(t *testing.T) {
	t.Parallel()
	shop := newRemoteShop(t)
	b, admin := newPlatforms(t)
	made := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review")}).status(nethttp.StatusCreated)
	try := func() []any {
		return admin.post("/admin/platforms/shop/try", map[string]any{"type": "shop.review", "targetId": "7"}).status(nethttp.StatusOK).body["answers"].([]any)
	}
	require.Equal(t, []any{"the signature was refused (401): who is asked must know this secret, and its clock must be right"}, try()[0].(map[string]any)["faults"])
	shop.knows(made.body["secret"])
	admin.post("/admin/platforms/shop/off", nil).status(nethttp.StatusOK)
	answers := try()
	require.Len(t, answers, 2)
	require.Equal(t, "capture", answers[0].(map[string]any)["path"])
	require.Empty(t, answers[0].(map[string]any)["faults"])
	require.Contains(t, answers[0].(map[string]any)["body"], "Great")
	require.Equal(t, map[string]string{"type": "unknown_type"},
		admin.post("/admin/platforms/shop/try", map[string]any{"type": "shop.order", "targetId": "7"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"targetId": "invalid"},
		admin.post("/admin/platforms/shop/try", map[string]any{"type": "shop.review", "targetId": "seven"}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	admin.post("/admin/platforms/none/try", map[string]any{"type": "shop.order", "targetId": "7"}).status(nethttp.StatusNotFound)
	require.Zero(t, b.count(`SELECT count(*) FROM core_moderation_reports`))
}

// What the server was started with is listed, and stays as it is.
func TestAPlatformOfAFileIsNotChangedHere(t *testing.T) {
	t.Parallel()
	shop := newRemoteShop(t)
	b := newBundleWith(t, map[string]string{"MALL_SECRET": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}, source(func(*pgxpool.Pool) *plugin.Plugin {
		p := &plugin.Plugin{ID: "mall", Remote: &plugin.Remote{URL: shop.URL, SecretEnv: "MALL_SECRET", Timeout: 1e9}}
		return p
	}))
	admin := b.admin("Platforms", permission.AreaPlatforms)
	listed := admin.get("/admin/platforms").status(nethttp.StatusOK).edges()
	require.Len(t, listed, 1)
	require.Equal(t, "file", listed[0]["source"])
	require.Nil(t, listed[0]["version"])
	mall := strings.ReplaceAll(shop.manifest("review"), "shop.", "mall.")
	mall = strings.Replace(mall, "id: shop\n", "id: mall\n", 1)
	admin.put("/admin/platforms/mall", map[string]any{"manifest": mall}).fault(nethttp.StatusConflict, "invalid_state")
	for _, change := range []string{"secret", "off", "on"} {
		admin.post("/admin/platforms/mall/"+change, nil).fault(nethttp.StatusConflict, "invalid_state")
	}
	admin.post("/admin/platforms/mall/restore", map[string]any{"version": 1}).fault(nethttp.StatusConflict, "invalid_state")
	admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review")}).status(nethttp.StatusCreated)
	require.Len(t, admin.get("/admin/platforms").status(nethttp.StatusOK).edges(), 2)
	require.Len(t, admin.get("/admin/platforms?first=1").status(nethttp.StatusOK).edges(), 1)
	require.Nil(t, admin.get("/admin/platforms/mall").status(nethttp.StatusOK).body["manifest"], "it is declared in Go")
}
