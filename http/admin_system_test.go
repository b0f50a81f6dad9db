package http_test

import (
	"context"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/doctor"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/upkeep"
)

func TestSystem(t *testing.T) {
	t.Parallel()
	b := newJobsBundle(t, jobsConfig{})
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	now, examined := noon, 0
	require.NoError(t, upkeep.Record(t.Context(), b.pool, upkeep.Backup, noon.Add(-time.Hour), upkeep.BackupDetail{Bytes: 7, Reports: 3}))
	area := &http.System{Version: "v1.2.3", Now: func() time.Time { return now },
		Last: func(ctx context.Context) (map[upkeep.Name]upkeep.Done, error) { return upkeep.Last(ctx, b.pool) },
		Examine: func(context.Context) []doctor.Finding {
			examined++
			return []doctor.Finding{{Check: "database", Level: doctor.OK, Detail: "It answers."},
				{Check: "mail", Level: doctor.Fault, Code: "unreachable", Detail: "It does not.", Advice: "Look."}}
		}}
	b.bundle.server.Close()
	b.bundle.server = httptest.NewServer(http.New(http.Config{BaseURL: &url.URL{Scheme: "http", Host: "docket.test"}, Log: zerolog.Nop(), Authenticator: b.accounts}, area))
	t.Cleanup(b.bundle.server.Close)
	admin := b.admin("Ines", permission.AreaIntegrations)

	got := admin.get("/admin/system").status(200)

	require.JSONEq(t, `{"version": "v1.2.3", "examinedAt": "2026-11-22T12:00:00.000000Z", "checks": [
		{"name": "database", "level": "ok", "code": null, "detail": "It answers.", "advice": null},
		{"name": "mail", "level": "fault", "code": "unreachable", "detail": "It does not.", "advice": "Look."}],
		"upkeep": {"backup": {"at": "2026-11-22T11:00:00.000000Z", "detail": {"bytes": 7, "reports": 3}}, "checkpoint": null, "verification": null}}`, string(got.raw))
	now = noon.Add(5 * time.Second)
	admin.get("/admin/system").status(200)
	require.Equal(t, 1, examined, "an examination counts for a while")
	now = noon.Add(time.Minute)
	admin.get("/admin/system").status(200)
	require.Equal(t, 2, examined)
}

func TestAnAdministratorMailsThemselves(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	b := newBundleWith(t, map[string]string{"SMTP_URL": inbox.URL})
	_, admin := b.administrator("Ines", permission.AreaIntegrations)
	require.Equal(t, "ines@example.test", admin.post("/admin/system/mail", "").status(200).body["email"])
	got := inbox.Next()
	require.Equal(t, "ines@example.test", got.Recipient)
	require.Contains(t, got.Text, "test mail")
	require.NotEmpty(t, admin.post("/admin/system/mail", "").fault(429, "rate_limited").header.Get("Retry-After"))
	b.member(1).post("/admin/system/mail", "").fault(403, "forbidden")
	inbox.RequireNone()

	t.Log("a mail server that hangs up is asked once, and told")
	hangingUp := platformtest.NewMailServer(t)
	hangingUp.HangUp = true
	b = newBundleWith(t, map[string]string{"SMTP_URL": hangingUp.URL})
	_, admin = b.administrator("Ines", permission.AreaIntegrations)
	require.Contains(t, admin.post("/admin/system/mail", "").fault(422, "action_failed").body["message"], "EOF")
	hangingUp.Next()
	hangingUp.RequireNone()

	b = newBundle(t)
	_, admin = b.administrator("Ines", permission.AreaIntegrations)
	admin.post("/admin/system/mail", "").fault(409, "invalid_state")
}
