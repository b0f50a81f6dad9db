package http

import (
	"encoding/json"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/account/factor"
)

// secondStep is what a sign-in needs after its password.
type secondStep struct {
	Factor struct {
		Token     string          `json:"token"`
		Kinds     []factor.Kind   `json:"kinds"`
		Passkey   json.RawMessage `json:"passkey"` // null without a passkey
		ExpiresAt domain.Time     `json:"expiresAt"`
	} `json:"factor"`
}

func answerSecondStep(s *account.SecondStep) (answer secondStep) {
	answer.Factor.Token, answer.Factor.Kinds, answer.Factor.Passkey, answer.Factor.ExpiresAt = s.Token, s.Kinds, s.Passkey, domain.Time(s.ExpiresAt)
	if answer.Factor.Kinds == nil {
		answer.Factor.Kinds = []factor.Kind{}
	}
	return answer
}

func (a SessionArea) signInByFactorRoute() route {
	return route{http.MethodPost, "/users/sign-in/factor", entrance, a.signInByFactor}
}

func (a SessionArea) signInByFactor(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	token := b.text("token")
	var p account.Proof
	given := 0
	for name, into := range map[string]*string{"code": &p.Code, "recovery": &p.Recovery} {
		if text := b.optionalText(name); text != nil {
			*into, given = *text, given+1
			if *text == "" {
				b.fault(name, "required", "Must be given.")
			}
		}
	}
	if v := b.optional("passkey"); v != nil {
		p.Passkey, given = b.credential("passkey", v), given+1
	}
	if given != 1 && len(b.issues) == 0 {
		b.fault("code", "one_of", "Exactly one of code, passkey and recovery must be given.")
	}
	if err := b.Err(); err != nil {
		return err
	}
	session, err := a.Sessions.SignInByFactor(r.Context(), token, p, a.client(r))
	if err != nil {
		return err
	}
	return a.begin(w, r, session)
}
