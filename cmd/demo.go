package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/forum"
)

type demoCommand struct {
	serveOptions
	Import     string `help:"Load the YouTube comments in this folder as posts." type:"existingdir" placeholder:"DIR"`
	ReportSpam bool   `help:"File a report through the HTTP API for each imported comment that is spam."`
}

// demoPassword is the password of every demo account.
const demoPassword = "demo-password"

// Run serves with migrations, the forum plugin, and accounts and content to try.
func (c *demoCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if cfg.Production() {
		return errors.New("the demo creates accounts with a public password: it refuses DOCKET_ENV=production")
	}
	if !onThisMachine(cfg.Listen) {
		return errors.New("the demo listens on loopback only: set DOCKET_LISTEN to 127.0.0.1:PORT, [::1]:PORT or localhost:PORT")
	}
	if c.ReportSpam && c.Import == "" {
		return usageError{errors.New("--report-spam reports the comments that --import loads: give both")}
	}
	c.Migrate = true
	return a.withServer(ctx, cfg, c.serveOptions, append(slices.Clip(a.sources), forumSource), func(ctx context.Context, s *Server) error {
		if err := s.makeDemo(ctx); err != nil {
			return fmt.Errorf("make the demo: %w", err)
		}
		return s.serve(ctx, a, func(ctx context.Context, base string) error {
			if c.Import == "" {
				return nil
			}
			return s.importComments(ctx, a, base, c.Import, c.ReportSpam)
		})
	})
}

func forumSource(_ context.Context, host Host) (*Plugin, error) {
	return &Plugin{Plugin: *forum.Plugin(host.Pool)}, nil
}

// makeDemo creates the demo's accounts, staff entries and content, except those that exist.
func (s *Server) makeDemo(ctx context.Context) error {
	accounts := []account.NewUser{{Email: "admin@demo.test", Name: "Ada Admin"}, {Email: "moderator@demo.test", Name: "Mo Moderator"},
		{Email: "scoped@demo.test", Name: "Sky Scoped"}, {Email: "viewer@demo.test", Name: "Vic Viewer"}}
	for i, name := range []string{"Mara", "Noor", "Otis", "Priya", "Quinn", "Rosa", "Sami", "Tove", "Uri"} {
		accounts = append(accounts, account.NewUser{Email: fmt.Sprintf("member%d@demo.test", i+1), Name: name + " Member"})
	}
	for i := range accounts {
		accounts[i].Password, accounts[i].Demo = demoPassword, true
	}
	users, err := s.accounts.EnsureUsers(ctx, accounts)
	if err != nil {
		return err
	}
	all := func() permission.Entry { return demoEntry(nil, allReportPermissions...) }
	for _, e := range []struct {
		user   account.User
		kind   permission.Kind
		rights permission.Entry
	}{
		{users[0], permission.Admin, permission.Entry{Unrestricted: true}},
		{users[0], permission.Moderator, permission.Entry{Unrestricted: true}},
		{users[1], permission.Moderator, all()},
		{users[2], permission.Moderator, demoEntry([]string{"general"}, allReportPermissions...)},
		{users[3], permission.Moderator, demoEntry(nil, permission.ViewReports)},
	} {
		if err := s.staff.Ensure(ctx, e.kind, e.user.ID, e.rights); err != nil {
			return fmt.Errorf("entry of %s: %w", e.user.Email, err)
		}
	}
	var members []string
	for _, u := range users[4:] {
		members = append(members, u.ID)
	}
	return forum.Seed(ctx, s.db.Pool, members, time.Now())
}

var allReportPermissions = []string{permission.ViewReports, permission.ManageReports, permission.EditNotes, permission.DeleteNotes, permission.MuteReporters,
	permission.ViewHidden, permission.Hide, permission.DecideAppeals, permission.ImposeMeasures, permission.Approve, permission.ViewQuality}

// demoEntry grants permissions in the forum's three modules as far as they exist. ids
// restricts the scoped ones to these categories; nil means all.
func demoEntry(ids []string, permissions ...string) permission.Entry {
	var e permission.Entry
	for _, module := range []string{"topics", "posts", "profiles"} {
		for _, p := range permissions {
			g := permission.Grant{Plugin: "forum", Module: module, Permission: p}
			switch {
			case module == "profiles":
				if p == permission.ViewHidden || p == permission.Hide {
					continue // a profile cannot be hidden
				}
			case ids == nil:
				g.Scope = &scope.Scope{Family: "forum.category", Mode: scope.All}
			default:
				g.Scope = &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: ids}
			}
			e.Grants = append(e.Grants, g)
		}
	}
	return e
}

// refuseDemoAccounts returns an error in production if there is a demo account.
func (s *Server) refuseDemoAccounts(ctx context.Context) error {
	demo, err := s.accounts.DemoAccountsExist(ctx)
	if demo && s.cfg.Production() {
		err = errors.New("this database holds demo accounts, whose password is public: production needs a database without them")
	}
	return err
}
