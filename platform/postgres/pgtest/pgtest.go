// Package pgtest gives each test a PostgreSQL database of its own, migrated and
// empty. Databases are clones of a template that is made once for a given set of
// migrations, so one costs tens of milliseconds.
//
// The server is the one of DOCKET_TEST_DATABASE_URL (whose role may create
// databases), else a private cluster that all test processes of the user share:
// the first one starts it, and it ends by itself a minute after the last one. It
// syncs nothing to disk, which makes it fast; measure on package local's instead.
package pgtest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// patience bounds every step of the set-up; on a busy machine they take a while.
const patience = 2 * time.Minute

// New gives a pool of at most 10 connections on a fresh, fully migrated database.
// Pool and database are gone after the test and its subtests.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(URL(t))
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	config.MaxConns = 10
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// URL gives the connection string of a fresh, fully migrated database, for tests
// that start processes or size their own pool. The database is gone after the
// test, whoever is still connected.
func URL(t testing.TB) string {
	t.Helper()
	s := shared(t)
	template, err := s.template()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return s.create(t, "TEMPLATE "+quote(template))
}

// Empty gives the connection string of a fresh database without any migration.
func Empty(t testing.TB) string {
	t.Helper()
	return shared(t).create(t, "TEMPLATE template0")
}

// testServer is what this process knows of the server. The template is looked for
// once in a process, by whichever test comes first.
type testServer struct {
	config   *pgx.ConnConfig // of the maintenance database
	url      func(database string) string
	strategy string // how databases are copied; "": the server's default
	template func() (string, error)
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
	name := "docket_test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
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

// exec runs one statement on a connection of its own, outside of any transaction.
func (s *testServer) exec(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
