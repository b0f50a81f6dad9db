package factor

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
)

// ErrPasskey means that a browser's response does not prove a passkey.
var ErrPasskey = errors.New("the passkey is not valid here")

// The limits of a browser's response, in bytes, since large numbers take long to verify.
const (
	maxAnswer    = 16 << 10
	maxPublicKey = 2 << 10 // holds an RSA key of 8,192 bits
)

// Passkeys creates and verifies WebAuthn ceremonies for Docket's public address.
type Passkeys struct{ relyingParty *webauthn.WebAuthn }

// NewPasskeys returns nil for an address that cannot have passkeys: an IP address, or a single label other than
// localhost.
func NewPasskeys(base *url.URL) (*Passkeys, error) {
	if protocol.ValidateRPID(base.Hostname()) != nil {
		return nil, nil
	}
	w, err := webauthn.New(&webauthn.Config{
		RPID: base.Hostname(), RPDisplayName: "Docket", RPOrigins: []string{base.Scheme + "://" + base.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementDiscouraged, UserVerification: protocol.VerificationPreferred,
		},
		// Some password managers send extension results that were not requested.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, fmt.Errorf("passkeys for %s: %w", base.Hostname(), err)
	}
	return &Passkeys{w}, nil
}

// Owner is the account with the passkeys. It implements webauthn.User.
type Owner struct {
	ID          string // a UUID
	Name        string
	Email       string
	Credentials []webauthn.Credential
}

func (o Owner) WebAuthnID() []byte {
	id, _ := uuid.Parse(o.ID)
	return id[:]
}

func (o Owner) WebAuthnName() string                       { return o.Email }
func (o Owner) WebAuthnDisplayName() string                { return o.Name }
func (o Owner) WebAuthnCredentials() []webauthn.Credential { return o.Credentials }

// Ceremony has the options for the browser, and the session data to verify its response, which stays on the server.
type Ceremony struct {
	Options json.RawMessage // for navigator.credentials, with the member publicKey
	Expects []byte
}

// Add begins the creation of a passkey on an authenticator that has none of the owner's yet.
func (p *Passkeys) Add(o Owner) (Ceremony, error) {
	options, expects, err := p.relyingParty.BeginRegistration(o, webauthn.WithExclusions(webauthn.Credentials(o.Credentials).CredentialDescriptors()))
	return ceremony(options, expects, err)
}

// Added returns the passkey that a browser created, or ErrPasskey.
func (p *Passkeys) Added(o Owner, expects, answer []byte) (webauthn.Credential, error) {
	var session webauthn.SessionData
	if err := json.Unmarshal(expects, &session); err != nil {
		return webauthn.Credential{}, fmt.Errorf("read a ceremony of passkeys: %w", err)
	}
	if len(answer) > maxAnswer {
		return webauthn.Credential{}, ErrPasskey
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return webauthn.Credential{}, errors.Join(ErrPasskey, err)
	}
	if len(parsed.Response.AttestationObject.AuthData.AttData.CredentialPublicKey) > maxPublicKey {
		return webauthn.Credential{}, ErrPasskey
	}
	credential, err := p.relyingParty.CreateCredential(o, session, parsed)
	if err != nil {
		return webauthn.Credential{}, errors.Join(ErrPasskey, err)
	}
	credential.Attestation = webauthn.CredentialAttestation{} // it is never read again
	return *credential, nil
}

// Prove begins a proof by one of the owner's passkeys.
func (p *Passkeys) Prove(o Owner) (Ceremony, error) {
	options, expects, err := p.relyingParty.BeginLogin(o)
	return ceremony(options, expects, err)
}

// Proved returns which of the owner's passkeys signed the response, and its signature counter, or ErrPasskey. A counter
// that did not increase means a copy: the caller refuses it, unless both are 0, as for authenticators that do not
// count.
func (p *Passkeys) Proved(o Owner, expects, answer []byte) (credentialID []byte, count int64, err error) {
	var session webauthn.SessionData
	if err := json.Unmarshal(expects, &session); err != nil {
		return nil, 0, fmt.Errorf("read a ceremony of passkeys: %w", err)
	}
	if len(answer) > maxAnswer {
		return nil, 0, ErrPasskey
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return nil, 0, errors.Join(ErrPasskey, err)
	}
	credential, err := p.relyingParty.ValidateLogin(o, session, parsed)
	if err != nil {
		return nil, 0, errors.Join(ErrPasskey, err)
	}
	return credential.ID, int64(parsed.Response.AuthenticatorData.Counter), nil
}

func ceremony(options any, expects *webauthn.SessionData, err error) (Ceremony, error) {
	if err != nil {
		return Ceremony{}, fmt.Errorf("begin a ceremony of passkeys: %w", err)
	}
	var c Ceremony
	if c.Options, err = json.Marshal(options); err == nil {
		c.Expects, err = json.Marshal(expects)
	}
	if err != nil {
		return Ceremony{}, fmt.Errorf("encode a ceremony of passkeys: %w", err)
	}
	return c, nil
}
