package cmd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// restartPostgres ends the cluster's server, which this process starts again.
func (m *mixed) restartPostgres() {
	content, err := os.ReadFile(filepath.Join(m.dir, "postgres", "postmaster.pid"))
	require.NoError(m.t, err)
	killed := time.Now()
	first, _, _ := bytes.Cut(content, []byte("\n"))
	pid, err := strconv.Atoi(string(first))
	require.NoError(m.t, err)
	require.NoError(m.t, syscall.Kill(pid, syscall.SIGINT))
	pgtest.Eventually(m.t, func() bool {
		restarted := false
		m.withPool(func(pool *pgxpool.Pool) {
			restarted = pool.QueryRow(m.t.Context(), `SELECT pg_postmaster_start_time() > $1`, killed).Scan(&restarted) == nil && restarted
		})
		return restarted
	}, "PostgreSQL answers again")
}

// withPool runs statements, which may fail while PostgreSQL restarts.
func (m *mixed) withPool(do func(*pgxpool.Pool)) {
	pool, err := postgres.Open(m.t.Context(), m.environment["DATABASE_URL"], postgres.Options{MaxConns: 1})
	if err != nil {
		return
	}
	defer pool.Close()
	do(pool)
}

// newIdentity starts a platform whose members sign in with its tokens. Docket makes an account
// for each subject.
func newIdentity(t *testing.T) (environment map[string]string, member func(subject string) *nethttp.Client) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	require.NoError(t, err)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "1"))
	require.NoError(t, err)
	environment = map[string]string{"AUTH_JWKS_URL": documents(t, map[string]string{"/keys": string(keys)}) + "/keys", "AUTH_ISSUER": "https://members.test", "AUTH_AUDIENCE": "docket"}
	return environment, func(subject string) *nethttp.Client {
		signed, err := signer.Sign(fmt.Appendf(nil, `{"iss": "https://members.test", "aud": "docket", "sub": %q, "name": %q, "iat": %d, "exp": %d}`,
			subject, "Member "+subject, time.Now().Unix(), time.Now().Add(time.Hour).Unix()))
		if err == nil {
			subject, err = signed.CompactSerialize()
		}
		if err != nil {
			panic(err) // not on the test's goroutine
		}
		return &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(subject)}
	}
}
