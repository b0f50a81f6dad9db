package factor

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"image/png"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"
)

const (
	// totpStep is the time after which an app shows another code, in seconds.
	totpStep = 30
	// totpSkew is by how many steps an authenticator's clock may be off.
	totpSkew = 1
	// qrSize is the side of the QR code of a new secret, in pixels.
	qrSize = 256
)

// NewTOTP is a new secret for an authenticator app.
type NewTOTP struct {
	Secret string `json:"secret"` // in base32, as people type it
	URI    string `json:"uri"`    // otpauth://…
	QR     string `json:"qr"`     // the URI as a picture: a data URI of a PNG
}

// MakeTOTP makes a secret. The app shows issuer and account with the codes.
func MakeTOTP(issuer, account string) (NewTOTP, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: account, Period: totpStep})
	if err != nil {
		return NewTOTP{}, fmt.Errorf("make a TOTP secret: %w", err)
	}
	picture, err := key.Image(qrSize, qrSize)
	if err != nil {
		return NewTOTP{}, fmt.Errorf("draw a TOTP secret: %w", err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return NewTOTP{}, fmt.Errorf("draw a TOTP secret: %w", err)
	}
	return NewTOTP{key.Secret(), key.URL(), "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())}, nil
}

// MatchTOTP returns the step that the code is for: the present one, or one before or after it.
// Steps count from 1970. Each code is valid once: the caller refuses a step that is not after the
// last one used. White space in the code is ignored.
func MatchTOTP(secret, code string, now time.Time) (step int64, ok bool) {
	code = strings.Join(strings.Fields(code), "")
	present := now.Unix() / totpStep
	for _, s := range []int64{present, present - totpSkew, present + totpSkew} {
		want, err := hotp.GenerateCode(secret, uint64(s))
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return s, true
		}
	}
	return 0, false
}
