package http_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/staff"
)

// The answers are part of the API, to the byte.
const (
	forbidden     = "Forbidden"
	invalidSecret = "Invalid cron authorization"
	failed        = "Error processing cron jobs"
)

func executed(n int) string { return fmt.Sprintf("Cron jobs processed. Executed %d jobs.", n) }

func TestCronTrigger(t *testing.T) {
	t.Parallel()
	const json = "application/json"
	cases := []struct {
		name   string
		secret string // "" is unset
		header map[string]string
		status int
		text   string
	}{
		{"bearer", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": json}, 200, executed(1)},
		{"a bare secret", cronSecret, map[string]string{"Authorization": cronSecret, "Content-Type": json}, 200, executed(1)},
		{"media type with a charset", cronSecret, map[string]string{"Authorization": cronSecret, "Content-Type": json + "; charset=utf-8"}, 200, executed(1)},
		{"no authorization", cronSecret, map[string]string{"Content-Type": json}, 403, invalidSecret},
		{"an empty one", cronSecret, map[string]string{"Authorization": "", "Content-Type": json}, 403, invalidSecret},
		{"an empty bearer", cronSecret, map[string]string{"Authorization": "Bearer ", "Content-Type": json}, 403, invalidSecret},
		{"another secret", cronSecret, map[string]string{"Authorization": "Bearer another", "Content-Type": json}, 403, invalidSecret},
		{"more than it", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret + "x", "Content-Type": json}, 403, invalidSecret},
		{"twice bearer", cronSecret, map[string]string{"Authorization": "Bearer Bearer " + cronSecret, "Content-Type": json}, 403, invalidSecret},
		{"another scheme", cronSecret, map[string]string{"Authorization": "Basic " + cronSecret, "Content-Type": json}, 403, invalidSecret},
		{"in the wrong header", cronSecret, map[string]string{"X-Cron-Secret": cronSecret, "Content-Type": json}, 403, invalidSecret},
		{"unset, and the default given", "", map[string]string{"Authorization": "Bearer " + defaultCronSecret, "Content-Type": json}, 200, executed(1)},
		{"unset, and nothing given", "", map[string]string{"Content-Type": json}, 403, invalidSecret},
		{"set, and the default given", cronSecret, map[string]string{"Authorization": "Bearer " + defaultCronSecret, "Content-Type": json}, 403, invalidSecret},
		{"no content type", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret}, 403, forbidden},
		{"text", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": "text/plain"}, 403, forbidden},
		{"a form", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": "application/x-www-form-urlencoded"}, 403, forbidden},
		{"a form of another origin", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": "text/plain", "Origin": "http://evil.test"}, 403, forbidden},
		{"CSRF comes before the secret", cronSecret, map[string]string{"Authorization": "Bearer another"}, 403, forbidden},
		{"a form of the own origin", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": "text/plain", "Origin": "http://docket.test"}, 200, executed(1)},
		{"no content type, of the own origin", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Origin": "http://docket.test"}, 200, executed(1)},
		{"the own origin without the secret", cronSecret, map[string]string{"Origin": "http://docket.test"}, 403, invalidSecret},
		{"JSON of another origin", cronSecret, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": json, "Origin": "http://evil.test"}, 200, executed(1)},
	}
	ran := 0
	jobs := []cron.Job{
		cronJob("good", func(context.Context) error { ran++; return nil }),
		cronJob("bad", func(context.Context) error { return errors.New("no luck") }),
	}
	servers := map[string]*jobsBundle{}
	for _, secret := range []string{"", cronSecret} {
		servers[secret] = newJobsBundle(t, jobsConfig{secret: secret, jobs: jobs})
	}
	for _, c := range cases {
		b := servers[c.secret]
		b.exec("UPDATE core_cron SET last_run = NULL, next_run = NULL")
		before := ran

		a := b.trigger(nethttp.MethodPost, c.header)

		require.Equal(t, c.status, a.code, "%s: %s", c.name, a.raw)
		require.Equal(t, c.text, string(a.raw), c.name)
		require.Equal(t, "text/plain; charset=utf-8", a.header.Get("Content-Type"), c.name)
		require.Equal(t, c.status == 200, ran == before+1, c.name)
	}
	again := servers[cronSecret].trigger(nethttp.MethodPost, cases[0].header)
	require.Equal(t, executed(0), string(again.raw), "nothing is due but what fails")
}

func TestCronTriggerAnswersNothingButPost(t *testing.T) {
	t.Parallel()
	b := newJobsBundle(t, jobsConfig{secret: cronSecret})
	for _, method := range []string{nethttp.MethodGet, nethttp.MethodPut, nethttp.MethodDelete, nethttp.MethodPatch} {
		a := b.trigger(method, map[string]string{"Authorization": "Bearer " + cronSecret, "Content-Type": "application/json"})
		a.fault(nethttp.StatusMethodNotAllowed, "method_not_allowed")
		require.Equal(t, "POST", a.header.Get("Allow"))
	}
}

func TestCronTriggerWhenTheBookkeepingFails(t *testing.T) {
	t.Parallel()
	b := newJobsBundle(t, jobsConfig{jobs: []cron.Job{cronJob("a", done)}})
	pgtest.Exec(t, b.pool, "ALTER TABLE core_cron RENAME TO gone")

	a := b.trigger(nethttp.MethodPost, map[string]string{"Authorization": defaultCronSecret, "Content-Type": "application/json"})

	require.Equal(t, nethttp.StatusInternalServerError, a.code)
	require.Equal(t, failed, string(a.raw))
}

func TestCronAdmin(t *testing.T) {
	t.Parallel()
	b := newJobsBundle(t, jobsConfig{jobs: []cron.Job{
		cronJob("good", done),
		cronJob("bad", func(ctx context.Context) error { return context.DeadlineExceeded }),
	}})
	viewer, runner := b.admin("Vera", permission.AreaCronView), b.admin("Rita", permission.AreaCronRun)

	health := viewer.get("/admin/advanced/cron/health").status(200).body
	require.Equal(t, map[string]any{
		"active": false, "jobs": 2.0, "lastRun": nil, "overdueJobs": 0.0, "stale": false, "defaultSecret": true,
	}, health)
	jobs := map[string]string{}
	for _, edge := range viewer.get("/admin/advanced/cron").status(200).edges() {
		jobs[edge["name"].(string)] = "/admin/advanced/cron/" + edge["id"].(string)
	}
	require.Len(t, jobs, 2)

	require.Equal(t, map[string]any{"executed": true}, runner.post(jobs["good"], "").status(200).body)
	runner.post(jobs["bad"], "").fault(500, "internal")
	runner.post("/admin/advanced/cron/0199c0de-0000-7000-8000-000000000001", "").fault(404, "not_found")
	runner.post("/admin/advanced/cron/42", "").fault(404, "not_found")

	list := viewer.get("/admin/advanced/cron?first=1").status(200)
	require.Equal(t, "bad", list.edges()[0]["name"], "never-run first")
	require.Nil(t, list.edges()[0]["lastRun"])
	end := list.body["pageInfo"].(map[string]any)["endCursor"].(string)
	require.Equal(t, "good", viewer.get("/admin/advanced/cron?cursor=" + end).edges()[0]["name"])
	viewer.get("/admin/advanced/cron?order=asc&cursor="+end).fault(400, "invalid_cursor")
	require.Equal(t, map[string]string{"first": "invalid", "orderBy": "unknown_column"},
		viewer.get("/admin/advanced/cron?first=x&orderBy=schedule").fault(400, "validation_failed").issues())
}

func TestQueueAdmin(t *testing.T) {
	t.Parallel()
	b := newJobsBundle(t, jobsConfig{})
	viewer, retrier := b.admin("Vera", permission.AreaQueueView), b.admin("Rita", permission.AreaQueueRetry)
	require.NoError(t, queue.EnqueueTx(t.Context(), b.pool,
		queue.Task{PluginID: "test", Name: "unknown", Payload: "private"}))
	require.NoError(t, b.queue.Drain(t.Context()))
	require.Empty(t, viewer.get("/admin/advanced/queue?status=unhandled").status(200).edges())
	pgtest.Exec(t, b.pool, "UPDATE core_queue SET available_at = now() - interval '61 minutes'")
	unhandled := viewer.get("/admin/advanced/queue?status=unhandled").status(200).edges()
	require.Len(t, unhandled, 1)
	fail := "/admin/advanced/queue/" + unhandled[0]["id"].(string) + "/fail"
	require.Equal(t, "failed", retrier.post(fail, "").status(200).body["status"])
	retrier.post(fail, "").fault(409, "invalid_state")

	task := viewer.get("/admin/advanced/queue?status=failed,pending&orderBy=availableAt").status(200).edges()[0]

	require.Equal(t, "failed", task["status"])
	require.NotContains(t, task, "payload")
	require.Equal(t, map[string]string{"status": "repeated"},
		viewer.get("/admin/advanced/queue?status=failed&status=completed").fault(400, "validation_failed").issues())
	require.Empty(t, viewer.get("/admin/advanced/queue?status=completed").status(200).edges())
	require.Equal(t, map[string]string{"status": "unknown_value", "last": "invalid"},
		viewer.get("/admin/advanced/queue?status=lost&last=0").fault(400, "validation_failed").issues())
	retry := "/admin/advanced/queue/" + task["id"].(string) + "/retry"
	require.Equal(t, "pending", retrier.post(retry, "").status(200).body["status"])
	retrier.post(retry, "").fault(409, "invalid_state")
	retrier.post("/admin/advanced/queue/0199c0de-0000-7000-8000-000000000001/retry", "").fault(404, "not_found")
}

func TestIntegrations(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		have http.Integrations
		want string
	}{
		{
			"none", http.Integrations{},
			`[{"name":"cron","active":false,"detail":"No cron adapter configured"},` +
				`{"name":"broker","active":false,"detail":"No broker configured; events stay in PostgreSQL"},` +
				`{"name":"webhooks","active":false,"detail":"No webhook endpoint configured"},` +
				`{"name":"identity","active":false,"detail":"No host platform configured"}]`,
		},
		{
			"all", http.Integrations{
				CronAdapter: true, Broker: "nats", Identity: "https://host.test",
				Webhooks: func(context.Context) (int, error) { return 2, nil },
			},
			`[{"name":"cron","active":true,"detail":"In-process adapter"},` +
				`{"name":"broker","active":true,"detail":"Events go to nats"},` +
				`{"name":"webhooks","active":true,"detail":"Active endpoints: 2"},` +
				`{"name":"identity","active":true,"detail":"Tokens of https://host.test are accepted"}]`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newJobsBundle(t, jobsConfig{integrations: c.have})
			a := b.admin("Ines", permission.AreaIntegrations).get("/admin/integrations").status(200)
			require.JSONEq(t, c.want, string(a.raw))
		})
	}
}

// Given two servers of which one sends mail and statements and releases claims, when the other one always runs
// the jobs first, then it leaves these to the server that has their settings.
func TestAServerLeavesAJobWithoutItsSettingToOthers(t *testing.T) {
	t.Parallel()
	_, settings := receiver(t)
	inbox := platformtest.NewMailServer(t)
	settings["DATABASE_URL"], settings["SMTP_URL"], settings["DOCKET_CLAIM_TIMEOUT"] = pgtest.URL(t), inbox.URL, "1h"
	b := newBundleWith(t, settings)
	without, err := cmd.NewServer(t.Context(), map[string]string{"DATABASE_URL": settings["DATABASE_URL"], "DOCKET_BASE_URL": "http://docket.test",
		"DOCKET_DATA_DIR": t.TempDir(), "CRON_SECRET": cronSecret, "LOG_LEVEL": "error"}, b.errors, source(forum.Plugin))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, without.Close()) })
	elsewhere := *b
	elsewhere.docket, elsewhere.server = without, httptest.NewServer(without.Handler())
	t.Cleanup(elsewhere.server.Close)
	b.moderator("Moderator", nil, everyPermission...).put("/users/digest", map[string]any{"every": "hourly", "urgent": false}).status(nethttp.StatusOK)
	b.file(0, "1")

	elsewhere.work()
	require.Equal(t, []string{"release-lapsed", "send-digests", "send-statements"},
		pgtest.One[[]string](t, b.pool, `SELECT array_agg(name ORDER BY name) FROM core_cron WHERE last_run IS NULL AND schedule = '* * * * *'`))
	b.work()
	b.work() // the mail, unless it was enqueued in time
	require.Equal(t, "moderator@example.test", inbox.Next().Recipient)
}

const cronSecret, defaultCronSecret = "a-secret-of-the-deployment", "docket-default-cron-secret"

// jobsConfig is what a test of the jobs' areas varies.
type jobsConfig struct {
	secret       string // "": unset
	jobs         []cron.Job
	integrations http.Integrations
}

// jobsBundle is the areas of jobs, tasks and integrations.
type jobsBundle struct {
	*bundle
	cron  *cron.Cron
	queue *queue.Queue
}

func newJobsBundle(t *testing.T, c jobsConfig) *jobsBundle {
	t.Helper()
	pool := pgtest.New(t)
	b := &jobsBundle{bundle: &bundle{t: t, pool: pool}}
	b.accounts = account.New(pool, account.Config{})
	b.staff = staff.New(pool, staff.Config{Catalog: permission.NewCatalog(nil, nil), Scopes: registry.NewScopes()})
	b.queue = queue.New(pool, queue.Config{})
	var err error
	b.cron, err = cron.New(pool, cron.Config{}, c.jobs...)
	require.NoError(t, err)
	t.Cleanup(b.cron.Close)
	require.NoError(t, b.cron.Register(t.Context()))
	b.bundle.server = httptest.NewServer(http.New(
		http.Config{
			BaseURL: &url.URL{Scheme: "http", Host: "docket.test"}, Log: zerolog.Nop(), Authenticator: b.accounts,
		},
		&http.Cron{Jobs: b.cron, Secret: cmp.Or(c.secret, defaultCronSecret), DefaultSecret: c.secret == ""}, &http.Queue{Tasks: b.queue}, c.integrations))
	t.Cleanup(b.bundle.server.Close)
	return b
}

// trigger posts to the cron route with these headers.
func (b *jobsBundle) trigger(method string, header map[string]string) *answer {
	b.t.Helper()
	c := &client{b: b.bundle, header: nethttp.Header{}}
	for name, value := range header {
		c.header.Set(name, value)
	}
	return c.do(method, "/cron", "", nil)
}

func cronJob(name string, run func(context.Context) error) cron.Job {
	return cron.Job{PluginID: "test", Module: "jobs", Name: name, Description: "For the test.", Schedule: "@yearly", Run: run}
}

func done(context.Context) error { return nil }
