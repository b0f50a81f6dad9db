package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/account/factor"
)

// maxPasskeys is how many passkeys an account can have.
const maxPasskeys = 20

// BeginPasskey returns the options with which a browser creates a passkey.
func (s *Store) BeginPasskey(ctx context.Context, self Self) (options json.RawMessage, err error) {
	if s.passkeys == nil {
		return nil, noPasskeys()
	}
	err = s.changeFactors(ctx, self, func(c factorChange) error {
		owner, _ := s.passkeysOf(c.user, c.held)
		ceremony, err := s.passkeys.Add(owner)
		if err != nil {
			return err
		}
		options = ceremony.Options
		return s.beginAddition(ctx, c, c.user.ID, challengePasskey, ceremony.Expects)
	})
	return options, err
}

// AddPasskey adds the passkey that a browser created with the last options, and returns recovery codes if it is the
// account's first factor. The options are valid for one passkey; a failed response does not end them.
func (s *Store) AddPasskey(ctx context.Context, self Self, name string, answer json.RawMessage) (codes []string, err error) {
	if s.passkeys == nil {
		return nil, noPasskeys()
	}
	if name = strings.TrimSpace(name); utf8.RuneCountInString(name) > maxName || !printable(name, true) || !domain.Visible(name) {
		return nil, domain.Invalid(fault("name", "invalid_text", "A passkey's name is text on one line, 1 to 100 characters.")...)
	}
	err = s.changeFactors(ctx, self, func(c factorChange) error {
		expects, err := s.addition(ctx, c, c.user.ID, challengePasskey)
		if err != nil {
			return err
		}
		owner, _ := s.passkeysOf(c.user, c.held)
		if len(owner.Credentials) >= maxPasskeys {
			return domain.Invalid(fault("name", "too_many", fmt.Sprintf("You have %d passkeys: remove one first.", maxPasskeys))...)
		}
		credential, err := s.passkeys.Added(owner, expects, answer)
		if errors.Is(err, factor.ErrPasskey) {
			return domain.Invalid(fault("passkey", "invalid_passkey", "The browser's answer is not valid here: begin again.")...)
		}
		if err != nil {
			return err
		}
		for _, known := range owner.Credentials {
			if string(known.ID) == string(credential.ID) {
				return domain.Errorf(domain.CodeAlreadyExists, "You have this passkey already.")
			}
		}
		secret, err := json.Marshal(credential)
		if err != nil {
			return fmt.Errorf("encode a passkey: %w", err)
		}
		codes, err = s.addFactor(ctx, c, factor.Passkey, name, secret, int64(credential.Authenticator.SignCount), false)
		return err
	})
	return codes, err
}

func noPasskeys() error {
	return domain.Errorf(domain.CodeInvalidState, "Browsers make no passkeys for an address without a domain name: set DOCKET_BASE_URL to one.")
}
