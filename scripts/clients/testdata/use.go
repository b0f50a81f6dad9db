// Use files a report with the generated client, claims it and prints what it reads: its arguments
// are the address of a server and a moderator's token.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/docket"
)

func main() {
	ctx := context.Background()
	client, err := docket.NewClientWithResponses(os.Args[1]+"/api/@platform/core", docket.WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+os.Args[2])
			return nil
		}))
	check(err)
	filed, err := client.FileReportWithResponse(ctx, docket.FileReportJSONRequestBody{
		PluginId: "forum", TargetType: "forum.post", TargetId: "1", Reason: docket.Spam,
	})
	check(err)
	if filed.JSON201 == nil {
		log.Fatal(string(filed.Body))
	}
	claimed, err := client.ClaimReportWithResponse(ctx, filed.JSON201.Id, docket.ClaimReportJSONRequestBody{ExpectedVersion: filed.JSON201.Version})
	check(err)
	if claimed.JSON200 == nil {
		log.Fatal(string(claimed.Body))
	}
	r := claimed.JSON200
	fmt.Println(r.Status, r.Assignee.Name, len(r.Snapshot.Fields), r.Decision == nil)
	missing, err := client.GetReportWithResponse(ctx, "nonsense")
	check(err)
	fmt.Println(missing.JSONDefault.Error)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
