package account

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/account/factor"
)

// BeginTOTP makes a secret for an authenticator app. ConfirmTOTP adds it as a factor.
func (s *Store) BeginTOTP(ctx context.Context, self Self) (made factor.NewTOTP, err error) {
	err = s.changeFactors(ctx, self, func(c factorChange) error {
		if made, err = factor.MakeTOTP("Docket", c.user.label()); err != nil {
			return err
		}
		return s.beginAddition(ctx, c, c.user.ID, challengeTOTP, []byte(made.Secret))
	})
	return made, err
}

// ConfirmTOTP adds the app with the last made secret, which replaces a former one, and returns new
// recovery codes.
func (s *Store) ConfirmTOTP(ctx context.Context, self Self, code string) (codes []string, err error) {
	err = s.changeFactors(ctx, self, func(c factorChange) error {
		secret, err := s.addition(ctx, c, c.user.ID, challengeTOTP)
		if err != nil {
			return err
		}
		step, ok := factor.MatchTOTP(string(secret), code, s.time())
		if !ok {
			return domain.Invalid(fault("code", "wrong_code", "This is not the present code. Type the six digits that the app shows now; its clock may be 30 seconds off.")...)
		}
		codes, err = s.addFactor(ctx, c, factor.TOTP, "", secret, step, true)
		return err
	})
	return codes, err
}
