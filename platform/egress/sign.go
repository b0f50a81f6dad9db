package egress

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Sign sets the headers of Standard Webhooks for the content. With several secrets it signs with
// each, so that the receiver can verify it with any of them.
func Sign(header http.Header, id string, now time.Time, content []byte, secrets ...string) error {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return errors.New("the signing secret is damaged")
		}
		if signatures[i], err = signer.Sign(id, now, content); err != nil {
			return errors.New("signing failed")
		}
	}
	header.Set(standardwebhooks.HeaderWebhookID, id)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return nil
}
