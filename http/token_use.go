package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/permission"
)

// sender returns the effective caller. On an open route that is nil, a guest, if the token is not for this use, or if
// the caller lacks a second factor.
func (a access) sender(c *permission.Caller, method string) *permission.Caller {
	if a.level == levelOpen && (a.exceeded(c, method) != nil || c != nil && c.LacksFactor && !a.account) {
		return nil
	}
	return c
}

// ofPlugin returns an error if the token is a plugin's and the route does not accept it, or if the route accepts only
// such tokens.
func (a access) ofPlugin(c *permission.Caller) error {
	switch {
	case c == nil:
	case c.Use == permission.UseHost && !a.host:
		return forbidden("This token may only file reports.")
	case c.Use == permission.UseSignal && !a.signal:
		return forbidden("This token may only send signals.")
	case c.Use != permission.UseSignal && a.signal:
		return forbidden("Only a token of use signal may do this: docket token create --use signal --plugin ID.")
	}
	return nil
}

// exceeded returns an error if the caller's token may not be used for the request.
func (a access) exceeded(c *permission.Caller, method string) error {
	read := method == http.MethodGet || method == http.MethodHead
	switch {
	case c == nil || read:
		return nil
	case c.Use == permission.UseRead:
		return forbidden("This token may only read.")
	case c.Use == permission.UseModerate && !a.moderation:
		return forbidden("This token may only be used for moderation.")
	}
	return nil
}
