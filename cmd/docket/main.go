// Docket is a moderation service; this is its binary, without plugins in Go.
package main

import "github.com/docketmod/docket/cmd"

func main() { cmd.Main() }
