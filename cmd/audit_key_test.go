package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
)

// A key pair for tests of settings.
const (
	testAuditKey  = "PRIVATE+KEY+docket-audit+e3f78cf8+AVeoaFXOfDKw9GJJpbRTibDrzKm3ynkv6X42uczyFYVj"
	testPublicKey = "docket-audit+e3f78cf8+ATeOjG03flAZ6Ii7JVLXqbuHns/1qJORzOH8YRBmOIPO"
)

func auditKey(t *testing.T, public bool, environment map[string]string) string {
	t.Helper()
	var out, log bytes.Buffer
	require.NoError(t, (&auditKeyCommand{Public: public}).Run(&app{environment: environment, stdout: &out, stderr: &log}))
	require.Empty(t, log.String())
	return out.String()
}

func TestAuditKeyPrintsANewKeyAlone(t *testing.T) {
	t.Parallel()
	first, second := auditKey(t, false, nil), auditKey(t, false, nil)
	require.NotEqual(t, first, second)
	require.Equal(t, 1, strings.Count(first, "\n"))
	_, err := note.NewSigner(strings.TrimSuffix(first, "\n"))
	require.NoError(t, err)
}

func TestAuditKeyPrintsThePublicHalf(t *testing.T) {
	t.Parallel()
	require.Equal(t, testPublicKey+"\n", auditKey(t, true, map[string]string{"DOCKET_ENV": "production", "DOCKET_AUDIT_KEY": testAuditKey}))
}

// Outside production a server without a key makes one and keeps it.
func TestAKeyIsMadeAndKeptWhereNoneIsSet(t *testing.T) {
	t.Parallel()
	for name, environment := range map[string]map[string]string{
		"in the audit folder":    {"DATABASE_URL": "postgres://db/docket", "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "a", "audit")},
		"in the state directory": {"DATABASE_URL": "postgres://db/docket", "DOCKET_DATA_DIR": t.TempDir()},
		"in local mode":          {"DOCKET_DATA_DIR": t.TempDir()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			public := auditKey(t, true, environment)
			require.Equal(t, public, auditKey(t, true, environment))
			cfg, err := (&app{environment: environment}).config()
			require.NoError(t, err)
			signer, err := cfg.signer()
			require.NoError(t, err)
			verifier, err := note.NewVerifier(strings.TrimSpace(public))
			require.NoError(t, err)
			require.Equal(t, verifier.KeyHash(), signer.KeyHash())
			keys, err := cfg.keyFolder()
			require.NoError(t, err)
			info, err := os.Stat(filepath.Join(keys.Path, "key"))
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077, "only its owner can read it")
		})
	}
}

func TestProductionMakesNoKey(t *testing.T) {
	t.Parallel()
	cfg, err := (&app{environment: map[string]string{"DOCKET_ENV": "production", "DOCKET_AUDIT_DIR": t.TempDir(), "DATABASE_URL": "postgres://db/docket"}}).config()
	require.NoError(t, err)
	_, err = cfg.signer()
	require.ErrorContains(t, err, "DOCKET_AUDIT_KEY: production needs")
}

func TestAKeyOfAnotherFormIsRefusedAndNotTold(t *testing.T) {
	t.Parallel()
	_, err := (&app{environment: map[string]string{"DOCKET_AUDIT_KEY": "PRIVATE+KEY+hunter2"}}).config()
	require.ErrorContains(t, err, "DOCKET_AUDIT_KEY: is not a key")
	require.NotContains(t, err.Error(), "hunter2")
}
