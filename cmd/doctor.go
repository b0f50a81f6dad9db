package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/doctor"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/manifest"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/platform/upkeep"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/broker"
)

type doctorCommand struct{}

// errUnwell makes docket doctor exit with status 1 after it has printed a fault.
var errUnwell = errors.New("something does not work: see above")

// Run checks what a server with these settings needs, and prints one finding a line, each with its
// remedy.
func (c *doctorCommand) Run(ctx context.Context, a *app) error {
	cfg, findings := a.settings()
	if cfg.faults() == nil {
		more, err := a.examine(ctx, cfg)
		if err != nil {
			return err
		}
		findings = append(findings, more...)
	}
	for _, f := range findings {
		fmt.Fprintf(a.stdout, "%-8s %-14s %s\n", f.Level, f.Check, f.Detail)
		if f.Advice != "" {
			fmt.Fprintf(a.stdout, "%24s-> %s\n", "", f.Advice)
		}
	}
	if doctor.Worst(findings) == doctor.Fault {
		return errUnwell
	}
	return nil
}

// settings checks the environment by the rules that a server applies at its start.
func (a *app) settings() (*Config, []doctor.Finding) {
	cfg, err := parseConfig(a.environment)
	if cfg.Production() {
		err = errors.Join(err, cfg.insecure())
	}
	if err == nil {
		return cfg, []doctor.Finding{{Check: "settings", Level: doctor.OK, Detail: "The settings are valid for DOCKET_ENV=" + cfg.Environment + "."}}
	}
	var findings []doctor.Finding
	for line := range strings.Lines(err.Error()) {
		findings = append(findings, doctor.Finding{Check: "settings", Level: doctor.Fault, Code: "invalid", Detail: strings.TrimSpace(line),
			Advice: "Correct the variable in the server's environment. No server starts before."})
	}
	return cfg, findings
}

// examine checks everything that the settings name.
func (a *app) examine(ctx context.Context, cfg *Config) ([]doctor.Finding, error) {
	if err := cfg.setDataDir(); err != nil {
		return nil, err
	}
	opening, cancel := context.WithTimeout(ctx, 30*time.Second) // a private cluster may have to start
	defer cancel()
	primary := *cfg
	primary.DatabaseReadURL = "" // opened separately, so that one that is down does not hide other findings
	db, err := openDatabase(opening, &primary, cfg.logger(a.stderr), postgres.Options{MaxConns: 4, ApplicationName: "docket doctor"})
	if err != nil {
		findings := doctor.Unreachable(err)
		findings[0].Check = "database"
		return append(findings, doctor.Examine(ctx, cfg.remoteChecks(nil, nil)...)...), ctx.Err()
	}
	var replica *pgxpool.Pool
	if cfg.DatabaseReadURL != "" {
		if replica, err = postgres.New(ctx, cfg.DatabaseReadURL, postgres.Options{MaxConns: 2, ApplicationName: "docket doctor", ReadOnly: true}); err != nil {
			return nil, errors.Join(errors.New("DATABASE_READ_URL: cannot be used"), db.Close())
		}
		defer postgres.Close(replica)
	}
	jobs, err := cron.New(db.Pool, cron.Config{Adapter: cfg.CronAdapter != ""})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	checks := append(cfg.databaseChecks(db.Pool, replica, jobs, time.Now), cfg.remoteChecks(db.Pool, nil)...)
	checks = append(checks, doctor.Platforms(func(ctx context.Context) (bool, error) {
		kept, err := manifest.Connected(ctx, db.Pool)
		return kept || len(cfg.Plugins)+len(a.sources) > 0, err
	}))
	return doctor.Examine(ctx, checks...), db.Close()
}

// system returns the checks of docket doctor for Administration → System, on a running server.
func (s *Server) system() *http.System {
	replica := s.db.Replica
	if replica == s.db.Pool {
		replica = nil
	}
	untrusted := func() bool { return time.Since(time.Unix(s.untrustedProxy.Load(), 0)) < time.Hour }
	checks := append(s.cfg.databaseChecks(s.db.Pool, replica, s.cron, time.Now), s.cfg.remoteChecks(s.db.Pool, untrusted)...)
	checks = append(checks, doctor.Platforms(func(context.Context) (bool, error) { return len(s.registered.Targets.All()) > 0, nil }))
	var send func(ctx context.Context, to, language string) error
	if s.delivery.mail != nil {
		send = func(ctx context.Context, to, language string) error {
			return account.SendTest(ctx, s.delivery.mail, to, language)
		}
	}
	return &http.System{
		SendTestMail: send,
		Version:      versionText(),
		Examine:      func(ctx context.Context) []doctor.Finding { return doctor.Examine(ctx, checks...) },
		Last:         func(ctx context.Context) (map[upkeep.Name]upkeep.Done, error) { return upkeep.Last(ctx, s.db.Pool) },
		Now:          time.Now,
	}
}

// databaseChecks returns the checks of the database, of what it stores, and of the audit folder and key.
func (c *Config) databaseChecks(pool, replica *pgxpool.Pool, jobs *cron.Cron, now func() time.Time) []doctor.Check {
	folder := c.checkpoints()
	return []doctor.Check{
		doctor.Database(pool),
		doctor.Replica(replica),
		doctor.Migrations(func(ctx context.Context) ([]string, error) { return pendingMigrations(ctx, pool) }),
		doctor.Guards(func(ctx context.Context) ([]string, error) {
			pending, err := pendingMigrations(ctx, pool)
			if len(pending) > 0 {
				err = doctor.ErrPending
			}
			if err != nil {
				return nil, err
			}
			problems, err := migrations.Guards(ctx, pool)
			switch {
			case errors.Is(err, migrations.ErrLater):
				err = doctor.ErrLater
			case errors.Is(err, migrations.ErrUncompared):
				err = doctor.ErrUncompared
			}
			return problems, err
		}),
		doctor.Clock(pool, now),
		doctor.Servers(pool),
		doctor.Cron(jobs.Health, c.DefaultCronSecret()),
		doctor.Audit{DB: pool, Now: now, Folder: folder.Path, Posted: c.AuditURL != "",
			Key: c.auditKeyFault, Writable: func() error { return notWritable(folder.Path) }}.Check(),
		doctor.Backup(pool, now),
		doctor.Administrators(func(ctx context.Context) (int, error) { return staff.Administrators(ctx, pool) }),
		doctor.FirstReport(pool),
	}
}

// remoteChecks returns the checks of the services that Docket calls, of the key for secrets, and of the proxy in front
// of the server. pool is nil if the database cannot be reached, and untrusted is nil unless a server runs.
func (c *Config) remoteChecks(pool *pgxpool.Pool, untrusted func() bool) []doctor.Check {
	var send func(context.Context) error
	if c.SMTPURL != "" {
		send = func(ctx context.Context) error {
			server, err := mail.NewServer(c.SMTPURL)
			if err != nil {
				return err
			}
			return server.Check(ctx)
		}
	}
	var waiting func(context.Context) (time.Duration, error)
	if pool != nil {
		waiting = func(ctx context.Context) (time.Duration, error) {
			lags, err := subscribers.Lags(ctx, pool)
			for _, l := range lags {
				if l.Group == broker.Group {
					return time.Duration(l.Seconds * float64(time.Second)), err
				}
			}
			return 0, err
		}
	}
	return []doctor.Check{
		doctor.Mail(send),
		doctor.Broker(c.BrokerURL, waiting),
		doctor.KeySet(c.JWKSURL),
		doctor.OpenIDConnect(c.OIDCIssuer),
		doctor.Secrets(c.SecretsKey != "", c.Production()),
		doctor.Proxy{BaseURL: c.BaseURL, Trusted: len(c.TrustedProxies) > 0, Untrusted: untrusted}.Check(),
	}
}

func pendingMigrations(ctx context.Context, pool *pgxpool.Pool) (pending []string, err error) {
	all, err := migrations.Docket.Status(ctx, pool)
	for _, m := range all {
		if m.Pending() {
			pending = append(pending, m.Name)
		}
	}
	return pending, err
}

// auditKeyFault returns why the key cannot sign or the stored checkpoints cannot be verified, or nil. It
// creates no key.
func (c *Config) auditKeyFault() error {
	folder, err := c.keyFolder()
	if err != nil {
		return err
	}
	if folder.Key != "" {
		if _, err := folder.Signer(); err != nil {
			return err
		}
	} else if info, err := os.Stat(filepath.Join(folder.Path, "key")); err == nil && info.Mode().Perm()&0o077 != 0 {
		return errors.New("other accounts of this machine may read it")
	}
	_, err = c.checkpoints().Checkpoints()
	return err
}

// notWritable returns why files cannot be written into the folder, or nil. A folder that does not exist is
// no fault: it is created when needed.
func notWritable(folder string) error {
	if folder == "" {
		return nil
	}
	f, err := os.CreateTemp(folder, ".doctor-*")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
