package account

import "time"

// purpose is what a link is for.
type purpose string

const (
	purposeReset      purpose = "reset"
	purposeInvitation purpose = "invitation"
	purposeSetup      purpose = "setup"
)

// lifetime is how long a link can be used.
func (p purpose) lifetime() time.Duration {
	if p == purposeInvitation {
		return 7 * 24 * time.Hour
	}
	return time.Hour
}
