package account

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account/factor"
)

// newRecovery replaces the account's recovery codes.
func (s *Store) newRecovery(ctx context.Context, c factorChange) ([]string, error) {
	codes := factor.NewRecoveryCodes()
	var hashes, macs [][]byte
	for _, code := range codes {
		hash := HashSecret(factor.PlainRecovery(code))
		hashes, macs = append(hashes, hash), append(macs, s.keys.mac(recoveryBinding(c.user.ID, hash)))
	}
	if err := postgres.Exec(ctx, c, "end recovery codes", "DELETE FROM core_recovery_codes WHERE user_id = $1", c.user.ID); err != nil {
		return nil, err
	}
	return codes, postgres.Exec(ctx, c, "store recovery codes", `INSERT INTO core_recovery_codes (hash, user_id, mac)
		SELECT hash, $1, mac FROM unnest($2::bytea[], $3::bytea[]) AS codes (hash, mac)`, c.user.ID, hashes, macs)
}

// NewRecovery replaces the recovery codes of a session's account.
func (s *Store) NewRecovery(ctx context.Context, self Self) (codes []string, err error) {
	err = s.changeFactors(ctx, self, func(c factorChange) error {
		if len(c.held) == 0 {
			return domain.Errorf(domain.CodeInvalidState, "Add an authenticator app or a passkey first.")
		}
		codes, err = s.newRecovery(ctx, c)
		return err
	})
	return codes, err
}
