package http

import (
	"encoding/json"
	"net/http"

	"github.com/docketmod/docket/platform/account"
)

// FactorArea has the routes of one's own second factors. Changes need a recent sign-in.
type FactorArea struct {
	Factors *account.Store
	// Required means that staff who sign in by password need a second factor.
	Required bool
}

func (a FactorArea) routes() []route {
	return []route{
		{http.MethodGet, "/users/factors", ownPage, a.list},
		{http.MethodPost, "/users/factors/totp", inPerson, a.beginTOTP},
		{http.MethodPost, "/users/factors/totp/confirm", inPerson, a.confirmTOTP},
		{http.MethodPost, "/users/factors/passkeys/options", inPerson, a.beginPasskey},
		{http.MethodPost, "/users/factors/passkeys", inPerson, a.addPasskey},
		{http.MethodPost, "/users/factors/recovery", inPerson, a.newRecovery},
		{http.MethodDelete, "/users/factors/{id}", inPerson, byID(a.remove)},
	}
}

// selfOf returns the session of the request.
func selfOf(r *http.Request) account.Self {
	return account.Self{UserID: callerOf(r).UserID, SessionID: credentialsOf(r).SessionID}
}

type factorsAnswer struct {
	account.Factors
	Required bool `json:"required"` // of this caller
}

func (a FactorArea) list(w http.ResponseWriter, r *http.Request) error {
	caller := callerOf(r)
	f, err := a.Factors.Factors(r.Context(), caller.UserID)
	return okJSON(w, factorsAnswer{f, a.Required && (caller.Admin != nil || caller.Moderator != nil)}, err)
}

func (a FactorArea) beginTOTP(w http.ResponseWriter, r *http.Request) error {
	made, err := a.Factors.BeginTOTP(r.Context(), selfOf(r))
	return okJSON(w, made, err)
}

// recoveryAnswer has recovery codes, which are shown once; null if the account keeps its existing ones.
type recoveryAnswer struct {
	Recovery []string `json:"recovery"`
}

func (a FactorArea) confirmTOTP(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	code := b.text("code")
	if err := b.Err(); err != nil {
		return err
	}
	codes, err := a.Factors.ConfirmTOTP(r.Context(), selfOf(r), code)
	return okJSON(w, recoveryAnswer{codes}, err)
}

func (a FactorArea) beginPasskey(w http.ResponseWriter, r *http.Request) error {
	options, err := a.Factors.BeginPasskey(r.Context(), selfOf(r))
	return okJSON(w, options, err)
}

func (a FactorArea) addPasskey(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	name, answer := b.text("name"), b.credential("passkey", b.required("passkey"))
	if err := b.Err(); err != nil {
		return err
	}
	codes, err := a.Factors.AddPasskey(r.Context(), selfOf(r), name, answer)
	return okJSON(w, recoveryAnswer{codes}, err)
}

func (a FactorArea) newRecovery(w http.ResponseWriter, r *http.Request) error {
	codes, err := a.Factors.NewRecovery(r.Context(), selfOf(r))
	return okJSON(w, recoveryAnswer{codes}, err)
}

func (a FactorArea) remove(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Factors.RemoveFactor(r.Context(), selfOf(r), id))
}

// credential returns an optional field with a browser's WebAuthn response. The library checks its members.
func (b *body) credential(name string, v json.RawMessage) json.RawMessage {
	var c struct {
		Response map[string]json.RawMessage `json:"response"`
	}
	if v != nil && (json.Unmarshal(v, &c) != nil || c.Response == nil) {
		b.fault(name, "wrong_type", "Must be a credential, as PublicKeyCredential.toJSON() returns it.")
	}
	return v
}
