package http_test

import (
	"cmp"
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/staff"
)

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
	catalog, err := permission.NewCatalog(nil, nil)
	require.NoError(t, err)
	scopes := registry.NewScopes()
	b.staff, err = staff.New(pool, staff.Config{Catalog: catalog, Scopes: scopes})
	require.NoError(t, err)
	b.queue, err = queue.New(pool, queue.Config{})
	require.NoError(t, err)
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
