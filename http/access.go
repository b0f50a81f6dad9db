package http

import (
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
)

// access is who may call a route. The use case decides what the caller may do.
type access struct {
	level accessLevel
	admin []permission.Area // one of which suffices; none means any admin entry
	// moderation marks the routes that tokens of use `moderate` may write to.
	moderation bool
	// host marks the routes that tokens of use `host` may call.
	host bool
	// signal marks the routes that only tokens of use `signal` may call.
	signal bool
	// filing marks the route whose handler finds and checks the caller itself, in the same round trip in which it reads
	// other data.
	filing bool
	// account marks the routes of one's own account that staff without a required second factor may
	// call.
	account bool
	// session marks the routes that no token may call.
	session bool
	// long marks routes that set their own time limit.
	long bool
}

type accessLevel int

const (
	levelOpen      accessLevel = iota // also guests
	levelSignedIn                     // any account
	levelModerator                    // a moderator entry that may view reports somewhere
	levelAuditor                      // a moderator, or an admin who may audit
	levelAdmin                        // an admin entry that may enter one of the areas
	levelExempt                       // the route has its own check and no account
)

// The kinds of access.
var (
	open      = access{level: levelOpen}
	signedIn  = access{level: levelSignedIn}
	ownPage   = access{level: levelSignedIn, account: true}
	inPerson  = access{level: levelSignedIn, account: true, session: true}
	entrance  = access{level: levelOpen, account: true}
	reporter  = access{level: levelSignedIn, moderation: true}
	filing    = access{level: levelSignedIn, moderation: true, host: true, filing: true}
	signaller = access{level: levelSignedIn, signal: true}
	moderator = access{level: levelModerator, moderation: true}
	auditor   = access{level: levelAuditor, moderation: true}
	exempt    = access{level: levelExempt}
)

// admin is the access for callers who may enter one of the admin areas.
func admin(areas ...permission.Area) access { return access{level: levelAdmin, admin: areas} }

// withOwnTimeout is the access to a route that sets its own time limit.
func (a access) withOwnTimeout() access {
	a.long = true
	return a
}

// admit returns why the caller may not call the route, or nil. For guests that is always 401. A missing moderator entry
// comes before a missing permission.
func (a access) admit(c *permission.Caller, method string) error {
	if err := a.ofPlugin(c); err != nil {
		return err
	}
	if a.level == levelOpen {
		return nil
	}
	if c == nil {
		return unauthorized()
	}
	if c.LacksFactor && !a.account {
		return domain.Errorf(domain.CodeFactorRequired, "Staff need a second factor here: add an authenticator app or a passkey on your account page (POST %s/users/factors/totp).", Base)
	}
	if a.session && !c.Session {
		return forbidden("Only a session may do this, and no token: sign in.")
	}
	if err := a.exceeded(c, method); err != nil {
		return err
	}
	switch a.level {
	case levelAuditor:
		if !moderation.MayAudit(c) {
			return admitModerator(c)
		}
	case levelModerator:
		return admitModerator(c)
	case levelAdmin:
		if len(a.admin) == 0 {
			return admitAdmin(c)
		}
		if !slices.ContainsFunc(a.admin, c.Admin.MayEnter) {
			return forbidden("You need the admin permission " + string(a.admin[0]) + ".")
		}
	}
	return nil
}

func admitAdmin(c *permission.Caller) error {
	if c.Admin == nil {
		return forbidden("You are not an administrator.")
	}
	return nil
}

func admitModerator(c *permission.Caller) error {
	if c.Moderator == nil {
		return forbidden("You are not a moderator.")
	}
	if !c.Moderator.HasAnywhere(permission.ViewReports) {
		return forbidden("You may not view reports.")
	}
	return nil
}
