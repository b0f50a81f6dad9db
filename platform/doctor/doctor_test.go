package doctor_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/doctor"
	"github.com/docketmod/docket/platform/upkeep"
)

func TestFindingsComeInTheOrderOfTheChecks(t *testing.T) {
	t.Parallel()
	check := func(name string, levels ...doctor.Level) doctor.Check {
		return doctor.Check{Name: name, Run: func(context.Context) (found []doctor.Finding) {
			for _, level := range levels {
				found = append(found, doctor.Finding{Level: level})
			}
			return found
		}}
	}

	found := doctor.Examine(t.Context(), check("a", doctor.OK), check("b", doctor.Warning, doctor.Fault), check("c", doctor.Off))

	require.Equal(t, []doctor.Finding{{Check: "a", Level: doctor.OK}, {Check: "b", Level: doctor.Warning}, {Check: "b", Level: doctor.Fault},
		{Check: "c", Level: doctor.Off}}, found)
	require.Equal(t, doctor.Fault, doctor.Worst(found))
	require.Equal(t, doctor.OK, doctor.Worst(found[:1]))
	require.Equal(t, doctor.Off, doctor.Worst(nil))
}

func TestClocksThatAreApart(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for apart, level := range map[time.Duration]doctor.Level{0: doctor.OK, 3 * time.Second: doctor.Fault, -time.Hour: doctor.Fault} {
		found := doctor.Examine(t.Context(), doctor.Clock(pool, func() time.Time { return time.Now().Add(apart) }))
		require.Equal(t, level, found[0].Level, "%s: %v", apart, found)
	}
}

func TestUpkeepThatIsOverdue(t *testing.T) {
	t.Parallel()
	pool, now := pgtest.New(t), time.Now()
	audit := doctor.Audit{DB: pool, Now: func() time.Time { return now }, Posted: true,
		Key: func() error { return nil }, Writable: func() error { return nil }}
	code := func(c doctor.Check) doctor.Code { return doctor.Examine(t.Context(), c)[0].Code }
	record := func(name upkeep.Name, ago time.Duration, detail any) {
		require.NoError(t, upkeep.Record(t.Context(), pool, name, now.Add(-ago), detail))
	}

	require.Equal(t, doctor.Code("unverified"), code(audit.Check()))
	record(upkeep.Verification, 2*time.Hour, upkeep.VerificationDetail{})
	require.Empty(t, code(audit.Check()))
	record(upkeep.Checkpoint, 4*time.Hour, upkeep.CheckpointDetail{})
	require.Equal(t, doctor.Code("checkpoint_old"), code(audit.Check()))
	record(upkeep.Verification, time.Hour, upkeep.VerificationDetail{Findings: 1})
	require.Equal(t, doctor.Code("tampered"), code(audit.Check()))
	require.Equal(t, doctor.Code("nowhere"), code(doctor.Audit{}.Check()))

	backup := doctor.Backup(pool, func() time.Time { return now })
	require.Equal(t, doctor.Code("never"), code(backup))
	record(upkeep.Backup, 48*time.Hour, upkeep.BackupDetail{})
	require.Equal(t, doctor.Code("old"), code(backup))
	record(upkeep.Backup, time.Hour, upkeep.BackupDetail{})
	require.Empty(t, code(backup))
}

func TestJobs(t *testing.T) {
	t.Parallel()
	examine := func(health cron.Health, err error, defaultSecret bool) doctor.Finding {
		return doctor.Examine(t.Context(), doctor.Cron(func(context.Context) (cron.Health, error) { return health, err }, defaultSecret))[0]
	}
	runs := cron.Health{LastRun: &domain.Time{}}
	require.Empty(t, examine(runs, nil, false).Code)
	require.Equal(t, doctor.Code("default_secret"), examine(runs, nil, true).Code)
	require.Equal(t, doctor.Code("never"), examine(cron.Health{}, nil, false).Code)
	require.Equal(t, doctor.Code("overdue"), examine(cron.Health{OverdueJobs: 2}, nil, false).Code)
	require.Equal(t, "No scheduler has called of late.", examine(cron.Health{Stale: true}, nil, false).Detail)
	require.Equal(t, "1 scheduled job has not run when due.", examine(cron.Health{OverdueJobs: 1}, nil, false).Detail)
	require.Equal(t, doctor.Code("unexamined"), examine(cron.Health{}, errors.New("away"), false).Code)
}

func TestProxies(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"user": null}`)) }))
	t.Cleanup(server.Close)
	selfSigned := httptest.NewTLSServer(server.Config.Handler)
	t.Cleanup(selfSigned.Close)
	for code, proxy := range map[doctor.Code]doctor.Proxy{
		"":            {BaseURL: server.URL},
		"untrusted":   {BaseURL: server.URL, Untrusted: func() bool { return true }},
		"unreachable": {BaseURL: "https://127.0.0.1:1", Trusted: true},
		"certificate": {BaseURL: selfSigned.URL, Trusted: true},
	} {
		found := doctor.Examine(t.Context(), proxy.Check())
		require.Len(t, found, 1)
		require.Equal(t, code, found[0].Code)
	}
}

func TestAMissingKeyOfSecretsIsNamed(t *testing.T) {
	t.Parallel()
	level := func(set, production bool) doctor.Level {
		return doctor.Examine(t.Context(), doctor.Secrets(set, production))[0].Level
	}
	require.Equal(t, doctor.Warning, level(false, true))
	require.Equal(t, doctor.Off, level(false, false))
	require.Equal(t, doctor.OK, level(true, true))
}

func TestServersThatDiffer(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	examine := func() doctor.Finding { return doctor.Examine(t.Context(), doctor.Servers(pool))[0] }
	start := func(release, smtp string) {
		pgtest.Exec(t, pool, `INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at)
			VALUES (gen_random_uuid(), $1, json_build_object('SMTP_URL', $2::text), '{core:mail}', now(), now())`, release, smtp)
	}

	require.Equal(t, doctor.Off, examine().Level)
	start("v1", "set")
	start("v1", "set")
	require.Equal(t, doctor.OK, examine().Level)
	start("v2", "unset")
	require.Equal(t, doctor.Warning, examine().Level)
	require.Contains(t, examine().Detail, "3 servers run, release v1 and v2. They differ: SMTP_URL: set on 2, unset on 1; release: v1 on 2, v2 on 1.")
}
