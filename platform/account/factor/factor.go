// Package factor holds the rules of second factors: codes of authenticator apps (TOTP, RFC 6238), passkeys (WebAuthn),
// recovery codes, and how their secrets are sealed. It stores nothing. Other modules must not import it.
package factor

// Kind is a kind of second factor.
type Kind string

// The kinds. Recovery codes replace the others if they are lost, and are never the only factor.
const (
	TOTP     Kind = "totp"
	Passkey  Kind = "passkey"
	Recovery Kind = "recovery"
)
