package account

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestDeleteAccountTakesItsWaysInAlong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, kept := b.user(t, "ada@example.test"), b.user(t, "kept@example.test")
	for _, id := range []string{u.ID, kept.ID} {
		b.session(t, id)
		b.createToken(t, id, NewToken{})
		b.staff(t, "moderator", id, false, "[]")
	}
	b.delete(t, u.ID)
	for _, table := range []string{"core_sessions", "core_api_tokens", "core_staff_entries"} {
		require.Equal(t, 1, b.count(t, "SELECT count(*) FROM "+table), table)
	}

	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, "ada@example.test", password))
}

// deletion is one that is allowed, over a table that refers to accounts as the
// reports do.
func (b *bundle) deletion(t *testing.T, userID string) Deletion {
	t.Helper()
	b.exec(t, "CREATE TABLE refers (user_id uuid REFERENCES core_users (id))")
	b.exec(t, "INSERT INTO refers VALUES ($1)", userID)
	return Deletion{
		Allow: func(context.Context, pgx.Tx) error { return nil },
		Detach: func(ctx context.Context) error {
			_, err := b.pool.Exec(ctx, "UPDATE refers SET user_id = NULL")
			return err
		},
	}
}

func TestDeleteStartsOverWhenARequestInFlightRefersAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	d := b.deletion(t, u.ID)
	detach, rounds := d.Detach, 0
	d.Detach = func(ctx context.Context) error {
		if err := detach(ctx); err != nil {
			return err
		}
		if rounds++; rounds < 3 {
			b.exec(t, "INSERT INTO refers VALUES ($1)", u.ID)
		}
		return nil
	}
	require.NoError(t, b.Delete(t.Context(), u.ID, d))
	require.Equal(t, 3, rounds)
}

func TestADeletionThatIsNotAllowedChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	credentials := b.session(t, u.ID)
	d := b.deletion(t, u.ID)
	d.Allow = func(context.Context, pgx.Tx) error { return domain.Errorf(domain.CodeForbidden, "No.") }
	requireCode(t, domain.CodeForbidden, b.Delete(t.Context(), u.ID, d))
	require.NotNil(t, b.caller(t, credentials))
	require.Zero(t, b.count(t, "SELECT count(*) FROM refers WHERE user_id IS NULL"))
}

func TestADeletionThatStopsIsFinishedByAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ada@example.test")
	credentials := b.session(t, u.ID)
	text, _ := b.createToken(t, u.ID, NewToken{})
	d := b.deletion(t, u.ID)
	stopped := d
	stopped.Detach = func(context.Context) error { return errors.New("stopped") }
	require.ErrorContains(t, b.Delete(t.Context(), u.ID, stopped), "stopped")

	require.Nil(t, b.caller(t, credentials), "nobody gets in meanwhile")
	requireCode(t, domain.CodeUnauthorized, b.opens(t, text))
	requireCode(t, domain.CodeInvalidCredentials, b.signsIn(t, u.Email, password))

	require.NoError(t, b.Delete(t.Context(), u.ID, d))
	requireCode(t, domain.CodeNotFound, b.Delete(t.Context(), u.ID, d))
	requireCode(t, domain.CodeNotFound, b.Delete(t.Context(), "x", d))
	requireCode(t, domain.CodeNotFound, b.Delete(t.Context(), uuid.NewString(), d))
}
