package http

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/publicnotice"
	notices "github.com/docketmod/docket/platform/publicnotice"
)

// PublicNotices has the routes of notices by anybody, with or without an account.
type PublicNotices struct {
	Store *notices.Store // nil if notices are not accepted
	// Check returns the faults of a notice that depend on the policies in force.
	Check          func(ctx context.Context, n publicnotice.Notice) ([]domain.Issue, error)
	TrustedProxies []netip.Prefix
}

func (a PublicNotices) routes() []route {
	return []route{
		{http.MethodPost, "/notices", open, a.submit},
		{http.MethodPost, "/notices/confirm", open, a.confirm},
	}
}

// submit gives every well-formed notice the same response, so that it does not reveal what is at the address, who has
// the email, or that a limit is reached.
func (a PublicNotices) submit(w http.ResponseWriter, r *http.Request) error {
	if a.Store == nil {
		return notFound()
	}
	b := readBody(w, r)
	text := func(name string) string { return domain.OrEmpty(b.optionalText(name)) }
	n, issues := publicnotice.Parse(publicnotice.Request{URL: text("url"), Explanation: text("explanation"), Law: text("law"), Name: text("name"), Email: text("email"),
		Category: text("category"), GoodFaith: b.optionalBoolean("goodFaith"), Policy: b.optionalText("policy"), Language: languageOf(r)})
	found, err := a.Check(r.Context(), n)
	if err != nil {
		return err
	}
	b.add(issues)
	b.add(found)
	if err := b.Err(); err != nil {
		return err
	}
	return accepted(w, a.Store.Submit(r.Context(), n, ClientAddress(r, a.TrustedProxies)))
}

// confirm files a notice when its sender presses the button on the page that the mailed link opens. Opening the link
// does not file it, since mail scanners open links.
func (a PublicNotices) confirm(w http.ResponseWriter, r *http.Request) error {
	if a.Store == nil {
		return notFound()
	}
	b := readBody(w, r)
	token := b.text("token")
	if err := b.Err(); err != nil {
		return err
	}
	filed, err := a.Store.Confirm(r.Context(), token)
	return okJSON(w, map[string]bool{"filed": filed}, err)
}
