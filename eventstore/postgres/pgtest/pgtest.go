// Package pgtest provides each test with its own PostgreSQL database, migrated and empty. Databases are clones of a
// template, which is made once per set of migrations, so one takes tens of milliseconds.
//
// The server is the one of DOCKET_TEST_DATABASE_URL (whose role may create databases) or a private cluster that all
// test processes of the user share: the first one starts it, and it ends a minute after the last one. It is fast
// because it does not sync to disk; benchmarks should use the cluster of package local instead. Other modules must not
// import it. Tests of plugins are the exception: they use URL and Eventually.
package pgtest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
)

// patience bounds every step of the set-up.
const patience = 2 * time.Minute

// New returns a pool of at most 10 connections on a fresh, fully migrated database.
// Pool and database last as long as the test and its subtests.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(URL(t))
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	config.MaxConns, config.AfterConnect = 10, postgres.TimesInUTC
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// URL returns the connection string of a fresh, fully migrated database, for tests that
// start processes or size their own pool. The database is dropped after the test, even
// if it has connections.
func URL(t testing.TB) string {
	t.Helper()
	s := shared(t)
	template, err := s.template()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return s.create(t, "TEMPLATE "+quote(template))
}

// Empty returns the connection string of a fresh database without migrations.
func Empty(t testing.TB) string {
	t.Helper()
	return shared(t).create(t, "TEMPLATE template0")
}

// Keep makes a fresh, fully migrated database, lets fill add to it, and returns its name, for Clone. It
// stays until drop is called, which may be at any time.
func Keep(fill func(url string) error) (name string, drop func(), err error) {
	s, err := theServer()
	if err != nil {
		return "", func() {}, err
	}
	template, err := s.template()
	if err != nil {
		return "", func() {}, err
	}
	name = newName()
	drop = func() { _ = s.exec("DROP DATABASE IF EXISTS " + quote(name) + " WITH (FORCE)") }
	if err := s.exec("CREATE DATABASE " + quote(name) + " TEMPLATE " + quote(template) + " " + s.strategy); err != nil {
		return "", func() {}, err
	}
	return name, drop, fill(s.url(name))
}

// Clone returns the connection string of a copy of a database, to which nobody may be connected.
func Clone(t testing.TB, database string) string {
	t.Helper()
	return shared(t).create(t, "TEMPLATE "+quote(database))
}

// testServer is this process's test server. The first test finds or creates the template.
type testServer struct {
	maintenance *pgxpool.Pool // on the database in which no test writes
	url         func(database string) string
	strategy    string // how databases are copied; "": the server's default
	template    func() (string, error)
}

var theServer = sync.OnceValues(func() (*testServer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := findServer(ctx)
	if err != nil {
		return nil, err
	}
	s.template = sync.OnceValues(s.makeTemplate)
	return s, nil
})

func shared(t testing.TB) *testServer {
	t.Helper()
	s, err := theServer()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return s
}

func (s *testServer) create(t testing.TB, options string) string {
	t.Helper()
	name := newName()
	if err := s.exec("CREATE DATABASE " + quote(name) + " " + options + " " + s.strategy); err != nil {
		t.Fatalf("pgtest: create database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.exec("DROP DATABASE IF EXISTS " + quote(name) + " WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: drop database: %v", err)
		}
	})
	return s.url(name)
}

func newName() string { return "docket_test_" + strings.ReplaceAll(uuid.NewString(), "-", "") }

// exec runs one statement on the maintenance database, outside of any transaction.
func (s *testServer) exec(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := s.maintenance.Exec(ctx, sql)
	return err
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
