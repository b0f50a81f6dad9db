package egress_test

import (
	"net/http"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/egress"
)

// Whatever is sent, a receiver with the secret accepts its headers, and one that gets
// another body or id does not.
func FuzzSign(f *testing.F) {
	f.Add("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "0197a0b0", `{"type":"x"}`)
	f.Add("whsec_", "", "")
	f.Add("AAAA", "a.b", "c")
	f.Fuzz(func(t *testing.T, secret, id, content string) {
		header := http.Header{}
		if err := egress.Sign(header, id, time.Now(), []byte(content), secret); err != nil {
			return
		}
		verifier, err := standardwebhooks.NewWebhook(secret)
		require.NoError(t, err)
		if id != "" { // which the library takes for a missing header
			require.NoError(t, verifier.Verify([]byte(content), header))
		}
		require.Error(t, verifier.Verify([]byte(content+"x"), header))
		header.Set(standardwebhooks.HeaderWebhookID, id+"x")
		require.Error(t, verifier.Verify([]byte(content), header))
	})
}
