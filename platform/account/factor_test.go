package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account/factor"
	"github.com/docketmod/docket/platform/platformtest"
)

// someone signs in by password, perhaps with an authenticator app.
type someone struct {
	b        *bundle
	user     User
	session  Session
	secret   string // of the app
	recovery []string
}

func (b *bundle) someone(t *testing.T, email string) *someone {
	t.Helper()
	p := &someone{b: b, user: b.user(t, email)}
	var err error
	p.session, err = b.SignIn(t.Context(), email, password, atHome)
	require.NoError(t, err)
	return p
}

func (p *someone) self() Self { return Self{p.user.ID, p.session.ID} }

// withApp adds an authenticator app, and moves the clock past the step of its first code.
func (p *someone) withApp(t *testing.T) *someone {
	t.Helper()
	made, err := p.b.BeginTOTP(t.Context(), p.self())
	require.NoError(t, err)
	p.secret = made.Secret
	p.recovery, err = p.b.ConfirmTOTP(t.Context(), p.self(), p.code(t))
	require.NoError(t, err)
	p.b.clock.Advance(30 * time.Second)
	return p
}

func (p *someone) code(t *testing.T) string {
	t.Helper()
	code, err := totp.GenerateCode(p.secret, p.b.clock.Now())
	require.NoError(t, err)
	return code
}

// wrong is not the code of any step near now.
func (p *someone) wrong(t *testing.T) string {
	t.Helper()
	for _, code := range []string{"000000", "111111", "222222", "333333"} {
		if _, ok := factor.MatchTOTP(p.secret, code, p.b.clock.Now()); !ok {
			return code
		}
	}
	t.Fatal("every code is right")
	return ""
}

// begin signs in by password and returns the second step.
func (p *someone) begin(t *testing.T) *SecondStep {
	t.Helper()
	session, err := p.b.SignIn(t.Context(), p.user.Email, password, atHome)
	require.NoError(t, err)
	require.Empty(t, session.ID)
	require.NotNil(t, session.SecondStep)
	return session.SecondStep
}

func (p *someone) finish(t *testing.T, token string, proof Proof) error {
	t.Helper()
	_, err := p.b.SignInByFactor(t.Context(), token, proof, atHome)
	return err
}

func TestAnAppIsAskedForItsCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.someone(t, "ada@example.test")
	other, err := b.SignIn(t.Context(), "ada@example.test", password, atHome)
	require.NoError(t, err)
	tokens := map[permission.Use]string{}
	for _, use := range []permission.Use{permission.UseRead, permission.UseModerate, permission.UseAdmin} {
		tokens[use], _ = b.createToken(t, ada.user.ID, NewToken{Use: use})
	}
	ada.withApp(t)
	require.Len(t, ada.recovery, 10)
	caller := b.caller(t, Credentials{SessionID: other.ID})
	require.Nil(t, caller, "the first factor ends the other sessions")
	for use, token := range tokens {
		_, err := b.Authenticate(t.Context(), Credentials{Bearer: token})
		if use == permission.UseRead {
			require.NoError(t, err)
			continue
		}
		requireCode(t, domain.CodeUnauthorized, err)
	}

	t.Log("another one ends nothing")
	later, _ := b.createToken(t, ada.user.ID, NewToken{Use: permission.UseAdmin})
	ada.withApp(t)
	b.caller(t, Credentials{Bearer: later})

	step := ada.begin(t)
	require.Equal(t, []factor.Kind{factor.TOTP, factor.Recovery}, step.Kinds)
	require.Nil(t, step.Passkey)
	caller = b.caller(t, Credentials{SessionID: step.Token})
	require.Nil(t, caller, "the token is no session")
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, step.Token, Proof{Code: ada.wrong(t)}))
	session, err := b.SignInByFactor(t.Context(), step.Token, Proof{Code: ada.code(t)}, atHome)
	require.NoError(t, err)
	caller = b.caller(t, Credentials{SessionID: session.ID})
	require.Equal(t, ada.user.ID, caller.UserID)
	requireCode(t, domain.CodeUnauthorized, ada.finish(t, step.Token, Proof{Code: ada.code(t)}))

	f, err := b.Factors(t.Context(), ada.user.ID)
	require.NoError(t, err)
	require.Len(t, f.Factors, 1)
	require.Equal(t, b.clock.Now(), time.Time(*f.Factors[0].LastUsedAt).UTC())
}

func TestACodeIsGoodOnceAlsoForTheClockOfTheNextStep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.someone(t, "ada@example.test").withApp(t)
	code := ada.code(t)
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: code}))
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Code: code}))
	b.clock.Advance(30 * time.Second)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Code: code}))
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}))

	t.Log("an app whose clock is a step fast, and then a code of a step that has passed")
	b.clock.Advance(time.Minute)
	ahead, err := totp.GenerateCode(ada.secret, b.clock.Now().Add(30*time.Second))
	require.NoError(t, err)
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: ahead}))
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}))
}

// Servers that are given the same proof at the same time.
func TestOfManyThatUseAProofAtOnceOneSignsIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.someone(t, "ada@example.test").withApp(t)
	race := func(proof Proof, tokens ...string) (won int) {
		t.Helper()
		// Too many wrong answers would close the account.
		results := platformtest.Outcomes(4, func(i int) error { return ada.finish(t, tokens[i%len(tokens)], proof) })
		require.Equal(t, 4, results[""]+results[domain.CodeInvalidCredentials]+results[domain.CodeUnauthorized], "%v", results)
		return results[""]
	}
	var tokens []string
	for range 4 {
		tokens = append(tokens, ada.begin(t).Token)
	}
	require.Equal(t, 1, race(Proof{Code: ada.code(t)}, tokens...), "one code, four sign-ins")
	require.Equal(t, 1, race(Proof{Recovery: ada.recovery[0]}, tokens...), "one recovery code")
	b.clock.Advance(30 * time.Second)
	require.Equal(t, 1, race(Proof{Code: ada.code(t)}, ada.begin(t).Token), "one sign-in, four times")
	require.Equal(t, 9, b.count(t, "SELECT count(*) FROM core_recovery_codes"))
}

func TestARecoveryCodeIsGoodOnceAndForItsAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, eve := b.someone(t, "ada@example.test").withApp(t), b.someone(t, "eve@example.test").withApp(t)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Recovery: eve.recovery[0]}))
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Recovery: strings.ToUpper(ada.recovery[3])}))
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Recovery: ada.recovery[3]}))
	f, err := b.Factors(t.Context(), ada.user.ID)
	require.NoError(t, err)
	require.Equal(t, 9, f.RecoveryLeft)

	codes, err := b.NewRecovery(t.Context(), ada.self())
	require.NoError(t, err)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Recovery: ada.recovery[4]}))
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Recovery: codes[9]}))

	t.Log("a code that is moved by SQL opens nothing")
	b.exec(t, "UPDATE core_recovery_codes SET user_id = $1", eve.user.ID)
	requireCode(t, domain.CodeInvalidCredentials, eve.finish(t, eve.begin(t).Token, Proof{Recovery: codes[0]}))
}

func TestFiveWrongAnswersEndASignInAndTenCloseTheAccountToCodes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.someone(t, "ada@example.test").withApp(t)
	step := ada.begin(t)
	for range 4 {
		requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, step.Token, Proof{Code: ada.wrong(t)}))
	}
	requireCode(t, domain.CodeUnauthorized, ada.finish(t, step.Token, Proof{Code: ada.wrong(t)}))
	requireCode(t, domain.CodeUnauthorized, ada.finish(t, step.Token, Proof{Code: ada.code(t)}))

	step = ada.begin(t)
	for range 4 {
		_ = ada.finish(t, step.Token, Proof{Code: ada.wrong(t)})
	}
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}), "nine were wrong")
	b.clock.Advance(time.Minute)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.wrong(t)}))
	err := ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)})
	requireCode(t, domain.CodeRateLimited, err)
	var limited *domain.Error
	require.ErrorAs(t, err, &limited)
	require.Equal(t, wrongWindow-time.Minute, limited.RetryAfter)
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Recovery: ada.recovery[0]}), "nobody guesses those")
	b.clock.Advance(wrongWindow)
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}))
	_, err = b.DeleteExpired(t.Context())
	require.NoError(t, err)
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_factor_challenges"))
}

func TestTheSecondStepOfASignInEnds(t *testing.T) {
	t.Parallel()
	ends := map[string]func(t *testing.T, p *someone) error{
		"five minutes later": func(_ *testing.T, p *someone) error { p.b.clock.Advance(signInStep); return nil },
		"another password": func(t *testing.T, p *someone) error {
			return p.b.SetPassword(t.Context(), p.user.ID, "another password", false)
		},
		"the account is disabled": func(t *testing.T, p *someone) error {
			_, err := p.b.SetDisabled(t.Context(), p.user.ID, true, allowAll)
			return err
		},
		"sign out everywhere": func(t *testing.T, p *someone) error { return p.b.EndSessions(t.Context(), p.user.ID) },
		"the factors are reset": func(t *testing.T, p *someone) error {
			_, err := p.b.ResetFactors(t.Context(), "", p.user.ID, allowAll)
			return err
		},
		"the account is deleted": func(t *testing.T, p *someone) error { p.b.delete(t, p.user.ID); return nil },
		"its row is moved": func(t *testing.T, p *someone) error {
			p.b.exec(t, "UPDATE core_factor_challenges SET user_id = $1 WHERE user_id = $2", p.b.user(t, "root@example.test").ID, p.user.ID)
			return nil
		},
	}
	b := setup(t)
	for name, end := range ends {
		ada := b.someone(t, strings.ReplaceAll(name, " ", ".")+"@example.test").withApp(t)
		step := ada.begin(t)
		require.NoError(t, end(t, ada), name)
		requireCode(t, domain.CodeUnauthorized, ada.finish(t, step.Token, Proof{Recovery: ada.recovery[0]}))
	}
}

// resetByMail chooses another password by a link that was mailed.
func (p *someone) resetByMail(t *testing.T) {
	t.Helper()
	secret := NewSecret()
	require.NoError(t, pgx.BeginFunc(t.Context(), p.b.pool, func(tx pgx.Tx) error {
		_, err := p.b.insertLink(t.Context(), tx, purposeReset, &p.user.ID, secret, p.b.clock.Now())
		return err
	}))
	require.NoError(t, p.b.Reset(t.Context(), secret, chosen, atHome))
}

// Whoever reads somebody's mail has the password as often as they like, and no more guesses for it.
func TestAnotherPasswordBringsNoNewGuesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for word, reset := range map[string]func(p *someone){
		chosen:   func(p *someone) { p.resetByMail(t) },
		password: func(p *someone) { require.NoError(t, b.EndSessions(t.Context(), p.user.ID)) },
	} {
		ada := b.someone(t, strings.ReplaceAll(word, " ", ".")+"@example.test").withApp(t)
		step := ada.begin(t)
		for range wrongPerAccount {
			if domain.ErrorCode(ada.finish(t, step.Token, Proof{Code: ada.wrong(t)})) == domain.CodeUnauthorized {
				step = ada.begin(t)
			}
		}
		requireCode(t, domain.CodeRateLimited, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}))
		reset(ada)
		session, err := b.SignIn(t.Context(), ada.user.Email, word, atHome)
		require.NoError(t, err)
		requireCode(t, domain.CodeRateLimited, ada.finish(t, session.SecondStep.Token, Proof{Code: ada.code(t)}))
		require.NoError(t, ada.finish(t, session.SecondStep.Token, Proof{Recovery: ada.recovery[0]}))
	}
}

func TestAChangeOfFactorsNeedsARecentSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.someone(t, "ada@example.test")
	b.clock.Advance(recentFor + time.Microsecond)
	_, err := b.BeginTOTP(t.Context(), ada.self())
	requireCode(t, domain.CodeSignInAgain, err)
	_, err = b.BeginTOTP(t.Context(), Self{UserID: ada.user.ID})
	requireCode(t, domain.CodeUnauthorized, err)

	ada.session, err = b.SignIn(t.Context(), ada.user.Email, password, atHome)
	require.NoError(t, err)
	ada.withApp(t)
	f, err := b.Factors(t.Context(), ada.user.ID)
	require.NoError(t, err)
	b.clock.Advance(recentFor)
	requireCode(t, domain.CodeSignInAgain, b.RemoveFactor(t.Context(), ada.self(), f.Factors[0].ID))
	_, err = b.NewRecovery(t.Context(), ada.self())
	requireCode(t, domain.CodeSignInAgain, err)

	ada.session, err = b.SignInByFactor(t.Context(), ada.begin(t).Token, Proof{Code: ada.code(t)}, atHome)
	require.NoError(t, err)
	b.clock.Advance(recentFor)
	requireCode(t, domain.CodeNotFound, b.RemoveFactor(t.Context(), ada.self(), newID()))
	require.NoError(t, b.RemoveFactor(t.Context(), ada.self(), f.Factors[0].ID))
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_recovery_codes"))
	session, err := b.SignIn(t.Context(), ada.user.Email, password, atHome)
	require.NoError(t, err)
	require.NotEmpty(t, session.ID, "the password is enough again")
}

func TestAnotherAppReplacesTheFormer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.someone(t, "ada@example.test").withApp(t)
	former, codes := *ada, ada.recovery
	_, err := b.BeginTOTP(t.Context(), ada.self())
	require.NoError(t, err)
	_, err = b.ConfirmTOTP(t.Context(), ada.self(), former.code(t))
	requireCode(t, domain.CodeValidationFailed, err)
	require.NoError(t, former.finish(t, former.begin(t).Token, Proof{Code: former.code(t)}), "it counts until the new one is confirmed")
	ada.withApp(t)
	require.NotEqual(t, codes, ada.recovery)
	requireCode(t, domain.CodeInvalidCredentials, former.finish(t, former.begin(t).Token, Proof{Code: former.code(t)}))
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_factors"))
	_, err = b.ConfirmTOTP(t.Context(), ada.self(), ada.code(t))
	requireCode(t, domain.CodeInvalidState, err)
}

func TestAResetTakesFactorsAndSessionsAndIsRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, root := b.someone(t, "ada@example.test").withApp(t), b.user(t, "root@example.test")
	refused := errors.New("not you")
	_, err := b.ResetFactors(t.Context(), root.ID, ada.user.ID, func(context.Context, pgx.Tx) error { return refused })
	require.ErrorIs(t, err, refused)
	for range 2 {
		_, err = b.ResetFactors(t.Context(), root.ID, ada.user.ID, allowAll)
		require.NoError(t, err)
	}
	caller := b.caller(t, Credentials{SessionID: ada.session.ID})
	require.Nil(t, caller)
	session, err := b.SignIn(t.Context(), ada.user.Email, password, atHome)
	require.NoError(t, err)
	require.NotEmpty(t, session.ID)
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_ledger WHERE kind = 'factor' AND action = 'created' AND actor_id = $1", ada.user.ID))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_ledger WHERE kind = 'factor' AND action = 'deleted' AND actor_id = $1", root.ID))
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM core_ledger"))
}

func TestASecretThatIsMovedProvesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, eve := b.someone(t, "ada@example.test").withApp(t), b.someone(t, "eve@example.test").withApp(t)
	b.exec(t, "UPDATE core_factors SET secret = (SELECT secret FROM core_factors WHERE user_id = $1), counter = 0 WHERE user_id = $2", eve.user.ID, ada.user.ID)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, ada.begin(t).Token, Proof{Code: eve.code(t)}))
	require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Recovery: ada.recovery[0]}))
}

func TestSecretsOfFactorsFollowTheKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Store = b.started(t)
	ada := b.someone(t, "ada@example.test").withApp(t)
	signsIn := func(s *Store) {
		t.Helper()
		b.Store = s
		b.clock.Advance(30 * time.Second)
		require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Code: ada.code(t)}))
		require.NoError(t, ada.finish(t, ada.begin(t).Token, Proof{Recovery: ada.recovery[0]}))
		ada.recovery = ada.recovery[1:]
	}
	signsIn(b.started(t, firstKey))
	b.clock.Advance(2 * bindingWindow)
	signsIn(b.started(t, firstKey))
	signsIn(b.started(t, secondKey, firstKey))
	signsIn(b.started(t, secondKey))
}
