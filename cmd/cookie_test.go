package cmd

import (
	nethttp "net/http"
	"net/url"
)

// cookie is a jar for one cookie, the session's.
type cookie struct{ held []*nethttp.Cookie }

func (c *cookie) SetCookies(_ *url.URL, set []*nethttp.Cookie) { c.held = set }
func (c *cookie) Cookies(*url.URL) []*nethttp.Cookie           { return c.held }
