//go:build cluster

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// The longest that writes may be away after a death, as operators are promised.
const (
	afterPrimary = 30 * time.Second
	afterOthers  = 2 * time.Second
)

// kill is one death: strike brings it about, heal brings the part back and waits for it.
type kill struct {
	name   string
	within time.Duration
	strike func() error
	heal   func() error
}

// Given clients that write and read through the proxy, when each part of the cluster dies
// in turn, then writes are back in the promised time, what was acknowledged is there, once, each
// measure on the author of the content was imposed and ended once, no read missed a write before it, and the broker has every event once.
func TestKilledPartsLoseNothing(t *testing.T) {
	ctx := t.Context()
	host, signer := identity(t)
	require.NoError(t, running.makeDatabase(ctx, "docket"))
	startDockets(t, binary, host...)
	s := newSite(t, "docket", signer)
	l := &load{site: s, pause: 20 * time.Millisecond, bars: true}
	l.start(t, 4)
	if took, failures := l.recovered(time.Now()); failures > 0 {
		t.Fatalf("%d requests failed before anything was killed (%s): %v", failures, took, l.failures)
	}

	for _, k := range kills(ctx, host) {
		require.NoError(t, k.strike(), k.name)
		took, failures := l.recovered(time.Now())
		t.Logf("%-40s writes back after %6.2f s, %3d requests failed meanwhile", k.name, took.Seconds(), failures)
		require.LessOrEqual(t, took, k.within, k.name)
		require.NoError(t, k.heal(), k.name)
		_, _ = l.recovered(time.Now()) // from the healing
	}
	l.readsReplica(ctx)
	l.stop()

	require.Empty(t, l.wrong)
	l.checkMeasures(ctx, t, "docket")
	t.Logf("%d reports from filed to resolved, %d reads after writes, %d requests failed and were repeated", len(l.finished), l.reads, len(l.failures))
	events := l.check(ctx, t, "docket")
	require.Equal(t, events, brokerHolds(ctx, t, events), "every event is in the broker's stream once")
	t.Logf("%d events in the log, and in the broker's stream once each", len(events))
	for _, args := range [][]string{{"audit", "verify"}, {"projections", "verify"}} {
		t.Logf("docket %s: %s", strings.Join(args, " "), strings.TrimSpace(docket(t, nil, args...)))
	}
}

func kills(ctx context.Context, host []string) []kill {
	var victim *node
	start := func() error { return victim.start(ctx) }
	proxy := running.Docket[1].Name
	blindedPrimary := func() (string, error) {
		roles, err := running.roles(ctx)
		if err != nil || roles["leader"] == nil {
			return "", fmt.Errorf("no primary: %w", err)
		}
		return "primary/" + roles["leader"].name, nil
	}
	return []kill{
		{"a Docket", afterOthers, func() error { victim = running.docket[0]; victim.kill(); return nil }, func() error {
			if err := running.startDocket(ctx, 0, binary, host...); err != nil {
				return err
			}
			return running.wait(ctx)
		}},
		{"the proxy's view of a Docket", afterOthers, func() error { return running.blind(ctx, "docket/"+proxy) },
			func() error { return running.see(ctx, "docket/"+proxy) }},
		{"the broker's leader", afterOthers, func() (err error) {
			if victim, err = brokerLeader(ctx); err == nil {
				victim.kill()
			}
			return err
		}, start},
		{"etcd's leader", afterOthers, func() (err error) {
			if victim, err = etcdLeader(ctx); err == nil {
				victim.kill()
			}
			return err
		}, start},
		{"the proxy's view of the primary, 3 s", afterOthers, func() error {
			server, err := blindedPrimary()
			if err != nil {
				return err
			}
			if err := running.blind(ctx, server); err != nil {
				return err
			}
			time.Sleep(3 * time.Second) // its length; it is measured from its end
			return running.see(ctx, server)
		}, func() error { return nil }},
		{"the primary", afterPrimary, func() error {
			roles, err := running.roles(ctx)
			if err != nil || roles["leader"] == nil || roles["sync_standby"] == nil {
				return fmt.Errorf("no primary with a standby: %v %w", roles, err)
			}
			victim = roles["leader"]
			victim.kill()
			return nil
		}, func() error {
			if err := victim.start(ctx); err != nil {
				return err
			}
			return running.synchronous(ctx)
		}},
		{"the standby, which was the primary", afterPrimary, func() error { victim.kill(); return nil }, func() error {
			if err := victim.start(ctx); err != nil {
				return err
			}
			return running.synchronous(ctx)
		}},
	}
}

// brokerLeader returns the server that leads the stream.
func brokerLeader(ctx context.Context) (*node, error) {
	conn, err := nats.Connect(running.brokerURLs())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, "docket_events")
	if err != nil {
		return nil, err
	}
	if leader := stream.CachedInfo().Cluster.Leader; leader != "" {
		return find(running.nats, leader)
	}
	return nil, fmt.Errorf("the stream has no leader")
}

// etcdLeader returns the member that leads.
func etcdLeader(ctx context.Context) (*node, error) {
	for i, s := range running.Etcd {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/v3/maintenance/status", s.Port), bytes.NewBufferString("{}"))
		if err != nil {
			return nil, err
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		var status struct {
			Leader string
			Header struct {
				MemberID string `json:"member_id"`
			}
		}
		err = json.NewDecoder(answer.Body).Decode(&status)
		_ = answer.Body.Close()
		if err != nil {
			return nil, err
		}
		if status.Leader == status.Header.MemberID {
			return running.etcd[i], nil
		}
	}
	return nil, fmt.Errorf("no member of etcd leads")
}

func find(nodes []*node, name string) (*node, error) {
	for _, n := range nodes {
		if n.name == name {
			return n, nil
		}
	}
	return nil, fmt.Errorf("no node is called %s", name)
}

// checkMeasures waits until the last measure has expired, and compares each to the log and to what the forum holds.
func (l *load) checkMeasures(ctx context.Context, t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(ctx, running.databaseURL("docket", database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	require.Eventually(t, func() bool {
		var standing bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_measures WHERE ended_at IS NULL)`).Scan(&standing)
		return err == nil && !standing
	}, 3*time.Minute, time.Second, "the job ends them")
	rows, err := conn.Query(ctx, `SELECT life, count(*) FROM (SELECT m.ended_by || ' ' || string_agg(e.type, ' ' ORDER BY e.sequence) AS life
		FROM core_moderation_measures m JOIN core_moderation_report_events e ON e.report_id = m.report_id AND e.type LIKE 'measure%' GROUP BY m.id) l GROUP BY life`)
	require.NoError(t, err)
	lives := map[string]int{}
	var life string
	var times int
	_, err = pgx.ForEachRow(rows, []any{&life, &times}, func() error { lives[life] = times; return nil })
	require.NoError(t, err)
	require.Equal(t, map[string]int{"expiry measure_imposed measure_ended": len(l.finished)}, lives)
	barred := pgtest.One[int](t, conn, `SELECT count(*) FROM forum_members WHERE restricted_until IS NOT NULL`)
	require.Zero(t, barred, "the forum holds nobody restricted")
	t.Logf("%d measures were imposed and have expired, once each", len(l.finished))
}

// check compares the database to what the load was told, and returns the ids of all
// events of the log, sorted.
func (l *load) check(ctx context.Context, t *testing.T, database string) (events []string) {
	t.Helper()
	conn, err := pgx.Connect(ctx, running.databaseURL("docket", database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT r.id::text, r.target_id, string_agg(e.type, ' ' ORDER BY e.sequence) FILTER (WHERE e.type NOT LIKE 'measure%')
		FROM core_moderation_reports r JOIN core_moderation_report_events e ON e.report_id = r.id
		WHERE r.description = 'Advertising again.' GROUP BY r.id`) // those of the load
	require.NoError(t, err)
	type life struct{ ID, Post, Events string }
	lives, err := pgx.CollectRows(rows, pgx.RowToStructByPos[life])
	require.NoError(t, err)
	found := map[string]string{}
	for _, r := range lives {
		found[r.ID] = r.Post
		require.Equal(t, "created assigned resolved", r.Events, "report %s: nothing is lost, and nothing done twice", r.ID)
	}
	require.Equal(t, l.finished, found, "the reports that were acknowledged are those that are there")
	doubled := pgtest.One[int](t, conn, `SELECT count(*) FROM (SELECT FROM core_moderation_reports GROUP BY reporter_id, target_id HAVING count(*) > 1) d`)
	require.Zero(t, doubled, "members who reported one post twice")

	return pgtest.All[string](t, conn, `SELECT event_id::text FROM core_moderation_report_events ORDER BY event_id::text`)
}
