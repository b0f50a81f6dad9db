package cmd

import (
	// Mozilla's root certificates, for a machine without any, such as an image of this binary
	// alone. The machine's own take precedence.
	_ "golang.org/x/crypto/x509roots/fallback"
)
