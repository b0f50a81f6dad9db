// Use files a report with the generated client, claims it and prints what it reads, including the
// live feed. Its arguments are the address of a server and a moderator's token.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/docketmod/docket/scripts/clients/go"
)

func main() {
	ctx := context.Background()
	client, err := docket.New(os.Args[1], os.Args[2])
	check(err)
	live, err := client.WatchReports(ctx, &docket.WatchReportsParams{})
	check(err)
	filed, err := client.FileReportWithResponse(ctx, docket.FileReportJSONRequestBody{
		PluginId: "forum", TargetType: "forum.post", TargetId: "1", Reason: docket.ReasonSpam,
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
	printUntil(live, "event: assigned")
	missing, err := client.GetReportWithResponse(ctx, "nonsense")
	check(err)
	fmt.Println(missing.JSON4XX.Error)
}

// printUntil reads the feed up to an event of the name, prints it and closes the feed.
func printUntil(live *http.Response, event string) {
	defer live.Body.Close()
	for lines := bufio.NewScanner(live.Body); lines.Scan(); {
		if lines.Text() == event {
			fmt.Println(event)
			return
		}
	}
	log.Fatal("the feed ended")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
