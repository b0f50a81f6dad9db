package cmd

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

// NewServer returns what docket serve --migrate runs, without its listener: for tests that send requests
// to plugins through Docket's own router. The keys of environment are the settings of docs/configure.md;
// without DATABASE_URL the server runs a PostgreSQL of its own in DOCKET_DATA_DIR. Requests must name
// localhost or the host of DOCKET_BASE_URL: httptest.NewRequest with a path alone names example.com,
// which is refused. NewServer applies migrations; tasks and listeners run once Run is called, and with
// CRON_ADAPTER=inprocess jobs, within a minute; a POST to /api/@platform/core/cron runs those that are due
// at once, with the CRON_SECRET as bearer token. The caller must close the server.
//
// As root, a PostgreSQL of its own runs as the account postgres, which may not enter what t.TempDir
// makes: make its folder by os.MkdirTemp.
func NewServer(ctx context.Context, environment map[string]string, stderr io.Writer, sources ...Source) (*Server, error) {
	a := &app{environment: environment, stdout: io.Discard, stderr: stderr, sources: sources}
	cfg, err := a.serverConfig()
	if err != nil {
		return nil, err
	}
	s, err := a.openServer(ctx, cfg, cfg.logger(stderr), serveOptions{Migrate: true}, sources...)
	if err != nil {
		return nil, err
	}
	_, base, err := cfg.baseURL(cfg.Listen)
	if err == nil {
		err = s.prepare(ctx, base)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Run does the background work until ctx ends: it delivers events, runs tasks and serves live
// feeds. It must be called at most once. It returns within seven seconds of the end of ctx, even if
// a plugin's function does not, and logs which ones still run.
func (s *Server) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	tasks.Go(func() { s.run(ctx) })
	<-ctx.Done()
	deadline, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	s.await(deadline, &tasks)
}

func (s *Server) run(ctx context.Context) {
	var tasks sync.WaitGroup
	for _, task := range s.background {
		tasks.Go(func() { task(ctx) })
	}
	tasks.Wait()
}

// Close stops scheduled jobs and closes the database. Run must have returned.
func (s *Server) Close() error {
	s.cron.Close()
	return s.opened.close()
}

// Pool returns the pool of connections to the database.
func (s *Server) Pool() *pgxpool.Pool { return s.db.Pool }

// Accounts returns the store of accounts. Its CreateUser and CreateToken, for tests that need an account and a token,
// take account.NewUser and account.NewToken of github.com/docketmod/docket/platform/account.
func (s *Server) Accounts() *account.Store { return s.accounts }

// Staff returns the store of staff entries. Its Ensure makes an account a moderator or an administrator, with a
// permission.Entry of github.com/docketmod/docket/domain/permission.
func (s *Server) Staff() *staff.Store { return s.staff }
