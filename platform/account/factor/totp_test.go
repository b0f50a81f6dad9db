package factor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/account/factor"
)

// now is in the middle of a step.
var now = time.Unix(1_800_000_015, 0)

func TestACodeIsGoodOneStepBeforeAndAfterItsOwn(t *testing.T) {
	t.Parallel()
	made, err := factor.MakeTOTP("Docket", "ada@example.test")
	require.NoError(t, err)
	require.Contains(t, made.URI, "otpauth://totp/Docket:ada@example.test?")
	require.Contains(t, made.URI, "secret="+made.Secret)
	require.True(t, strings.HasPrefix(made.QR, "data:image/png;base64,"))

	for steps, good := range map[int]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
		code, err := totp.GenerateCode(made.Secret, now.Add(time.Duration(steps)*30*time.Second))
		require.NoError(t, err)
		step, ok := factor.MatchTOTP(made.Secret, code[:3]+" "+code[3:]+"\n", now)
		require.Equal(t, good, ok, "%d steps away", steps)
		if good {
			require.Equal(t, now.Unix()/30+int64(steps), step)
		}
	}
}

func TestWhatIsNoCode(t *testing.T) {
	t.Parallel()
	made, err := factor.MakeTOTP("Docket", "ada")
	require.NoError(t, err)
	for _, code := range []string{"", "1", "1234567", "abcdef", strings.Repeat("1", 1<<16), "\x00"} {
		_, ok := factor.MatchTOTP(made.Secret, code, now)
		require.False(t, ok, "%.20q", code)
	}
	_, ok := factor.MatchTOTP("not base32!", "123456", now)
	require.False(t, ok)
}

func TestRecoveryCodesAreTenThatDiffer(t *testing.T) {
	t.Parallel()
	codes := factor.NewRecoveryCodes()
	require.Len(t, codes, 10)
	seen := map[string]bool{}
	for _, code := range codes {
		require.Regexp(t, `^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){3}$`, code)
		plain := factor.PlainRecovery(code)
		require.Equal(t, plain, factor.PlainRecovery(" "+strings.ToUpper(code)+"\n"))
		require.Equal(t, plain, factor.PlainRecovery(strings.ReplaceAll(code, "-", " ")))
		seen[plain] = true
	}
	require.Len(t, seen, 10)
}
