// Package factor holds the rules of second factors: codes of authenticator apps (TOTP, RFC 6238),
// passkeys (WebAuthn), recovery codes, and how their secrets are sealed. It stores nothing. It is not for import.
package factor

// Kind is a way to prove who signs in, beside the password.
type Kind string

// The kinds. Recovery codes stand in for the others and are nobody's only factor.
const (
	TOTP     Kind = "totp"
	Passkey  Kind = "passkey"
	Recovery Kind = "recovery"
)
