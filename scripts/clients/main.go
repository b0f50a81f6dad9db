// Clients prints the OpenAPI document, from which the script generate makes typed clients.
package main

import (
	"fmt"
	"os"

	"github.com/docketmod/docket/http"
)

func main() {
	document, err := http.OpenAPI()
	if err == nil {
		_, err = os.Stdout.Write(document)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
