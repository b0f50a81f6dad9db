package registry

import "github.com/docketmod/docket/domain"

// maxIssuer bounds `iss` and `aud`, in bytes.
const maxIssuer = 1000

// checkIssuer reports the faults of a platform's issuer of JWTs. Two with the same name could not
// be told apart.
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
	unique(r.issuers, p.Issuer.Issuer, p.where("issuer.issuer"), at, "issuer", "issuer")
}
