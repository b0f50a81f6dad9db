package registry

import (
	"fmt"
	"net/url"
	"regexp"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
)

var actionName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)

func remoteTypePath(i int) string { return fmt.Sprintf("remoteTypes[%d]", i) }

func (r *registration) checkRemote(p *Declaration) {
	fault := r.reporter(p)
	for i := range p.RemoteTypes {
		t := &p.RemoteTypes[i]
		at := fault.At(remoteTypePath(i))
		t.CheckRemote(at)
		r.checkType(p, &t.Type, remoteTypePath(i), at)
		checkRemoteActions(t, at)
	}
	if p.Remote == nil {
		if !p.kept && len(p.RemoteTypes)+len(p.RemoteFamilies) > 0 {
			fault("remote", "remote types and scopes need the option remote: {url, secretEnv}")
		}
		return
	}
	at := fault.At("remote")
	checkAddress(p.Remote.URL, at)
	if !p.kept && !variableName.MatchString(p.Remote.SecretEnv) {
		at("secretEnv", "a platform needs the name of an environment variable with its secret, such as SHOP_SECRET; %q is not a valid name", p.Remote.SecretEnv)
	}
	checkTimeout(p.Remote.Timeout, at)
}

// checkAddress reports an address to which requests cannot be posted.
func checkAddress(address string, fault content.FaultFunc) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		fault("url", "%q is not an http or https address", address)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		fault("url", "the address must not hold a name, a password, a query or a fragment")
	}
}

func checkTimeout(timeout time.Duration, fault content.FaultFunc) {
	if timeout < minRemoteTimeout || timeout > maxRemoteTimeout {
		fault("timeout", "the timeout must be from %s to %s", minRemoteTimeout, maxRemoteTimeout)
	}
}

func checkRemoteActions(t *plugin.RemoteType, fault content.FaultFunc) {
	seen := places{}
	for i, a := range t.Actions {
		path := fmt.Sprintf("actions[%d]", i)
		at := fault.At(path)
		for _, n := range []struct{ option, name string }{{"name", a.Name}, {"undo", a.Undo}} {
			if n.name == "" && n.option == "undo" {
				continue
			}
			if !actionName.MatchString(n.name) {
				at(n.option, "an action is named by a lowercase letter and up to 63 letters, digits, - and _; %q is not", n.name)
			}
			seen.unique("action", n.name, path+"."+n.option, at, n.option)
		}
		if !content.ValidName(a.Permission) {
			at("permission", "an action needs a permission; %q is not a valid name", a.Permission)
		}
	}
}

// maxIssuer bounds `iss` and `aud`, in bytes.
const maxIssuer = 1000

// checkIssuer reports the faults of a platform's JWT issuer. Issuer names must be unique.
func (r *registration) checkIssuer(p *Declaration) {
	if p.Issuer == nil {
		return
	}
	at := r.reporter(p).At("issuer")
	if p.Remote == nil {
		at("", "an issuer names the members of a platform, which needs the option remote")
	}
	if !domain.SecureURL(p.Issuer.JWKSURL) {
		at("jwksUrl", "%q is not an https address: anybody who can change the answer can act as any member", p.Issuer.JWKSURL)
	}
	for _, text := range []struct{ option, value string }{{"issuer", p.Issuer.Issuer}, {"audience", p.Issuer.Audience}} {
		if text.value == "" || len(text.value) > maxIssuer {
			at(text.option, "an issuer needs its %s, of at most %d bytes", text.option, maxIssuer)
		}
	}
	r.used.unique("issuer", p.Issuer.Issuer, p.where("issuer.issuer"), at, "issuer")
}
