package cmd

import (
	// The certificates that Mozilla trusts, for a machine that has none, such as an image
	// of this binary alone. A machine's own win.
	_ "golang.org/x/crypto/x509roots/fallback"
)
