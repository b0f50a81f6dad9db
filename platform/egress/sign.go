package egress

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Sign sets the headers of Standard Webhooks for the content.
func Sign(header http.Header, secret, id string, now time.Time, content []byte) error {
	signer, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return errors.New("the signing secret is damaged")
	}
	signature, err := signer.Sign(id, now, content)
	if err != nil {
		return errors.New("signing failed")
	}
	header.Set(standardwebhooks.HeaderWebhookID, id)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return nil
}
