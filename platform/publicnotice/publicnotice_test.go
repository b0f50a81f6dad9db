package publicnotice

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

// Given a platform that is slower than the patience of who confirms, then the button can be pressed again.
func TestALinkStaysGoodIfItsSenderLeavesBeforeThePlatformAnswers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO core_public_notices (id, address, notice, hash, requested_at) VALUES (gen_random_uuid(), '::', '{}', $1, now())`, account.HashSecret("token"))
	s := Store{Pool: pool, Now: time.Now}
	ctx, leave := context.WithCancel(t.Context())
	s.File = func(context.Context, string, publicnotice.Notice) (bool, error) {
		leave()
		return false, errors.New("no answer")
	}
	_, err := s.Confirm(ctx, "token")
	require.ErrorContains(t, err, "no answer")

	s.File = func(context.Context, string, publicnotice.Notice) (bool, error) { return true, nil }
	for _, filed := range []bool{true, false} {
		got, err := s.Confirm(t.Context(), "token")
		require.Equal(t, filed, got)
		require.Equal(t, filed, err == nil, "it files once")
	}
}
