package http_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/subscribers/notice"
)

// deliver hands the public events of reports to the listener of notices, together and then
// each alone.
func (b *bundle) deliver(reports ...string) {
	b.t.Helper()
	listener := notice.NewStore(b.pool, time.Now, nil).Listener()
	var all []event.Event
	for _, id := range reports {
		events, err := eventstore.Load(b.t.Context(), b.pool, id)
		require.NoError(b.t, err)
		for _, e := range events {
			name, payload := report.PublishedAs(e)
			if name == "" || !listener.Receives(name) {
				continue
			}
			encoded, err := json.Marshal(payload)
			require.NoError(b.t, err)
			all = append(all, event.Event{ID: e.ID, Name: name, ReportID: id, OccurredAt: e.OccurredAt, Payload: encoded})
		}
	}
	for _, together := range append([][]event.Event{all}, slices.Collect(slices.Chunk(all, 1))...) {
		b.handTogether(together)
	}
}

// handTogether hands events to the listener of notices at once.
func (b *bundle) handTogether(events []event.Event) {
	b.t.Helper()
	listener := notice.NewStore(b.pool, time.Now, nil).Listener()
	require.NoError(b.t, pgx.BeginFunc(b.t.Context(), b.pool, func(tx pgx.Tx) error {
		return listener.HandleAll(b.t.Context(), tx, events)
	}))
}

func (c *client) notices(query string) []map[string]any {
	c.b.t.Helper()
	return c.get("/users/notices" + query).status(200).edges()
}

func TestEverybodyConcernedIsToldOnce(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	d.deliver(d.reportID)
	told := d.author.notices("?locale=en")
	require.Len(t, told, 1)
	require.Equal(t, []any{"decision", "You advertise.", "A decision about your content"}, []any{told[0]["kind"], told[0]["reasons"], told[0]["subject"]})
	var text strings.Builder
	for _, p := range told[0]["paragraphs"].([]any) {
		text.WriteString(p.(string) + "\n")
	}
	for _, part := range []string{"hidden from the public", "Rule spam", "You advertise.", "A person made this decision", "You can appeal until"} {
		require.Contains(t, text.String(), part)
	}
	require.NotContains(t, strings.ToLower(text.String()), "report")
	require.Equal(t, "قرار بشأن محتواك", d.author.notices("?locale=ar-EG")[0]["subject"])

	appealID := d.appeal()
	d.judge.post("/moderation/appeals/"+appealID+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3}).status(200)
	d.deliver(d.reportID)
	told = d.author.notices("")
	require.Len(t, told, 2)
	require.Equal(t, []any{"appeal", "overturned", "no_violation", "You are right."}, []any{told[0]["kind"], told[0]["outcome"], told[0]["resolution"], told[0]["reply"]})

	t.Log("words that are erased are gone here too")
	_, err := d.log().EraseResolvedBefore(t.Context(), time.Now().Add(time.Hour), nil, nil)
	require.NoError(t, err)
	require.NotContains(t, string(d.author.get("/users/notices").status(200).raw), "advertise")
	d.author.get("/users/notices?locale=!").fault(400, "validation_failed")
	require.Nil(t, d.judge.get("/moderation/appeals/" + appealID).status(200).body["text"])
	d.sound()
}

func TestAnAppellantIsToldWhatStillStands(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	up := d.judge.post("/moderation/appeals/"+d.appeal()+"/uphold", map[string]any{"reply": "It advertises.", "expectedVersion": 3}).status(200)
	require.Equal(t, []any{"upheld", 4.}, []any{up.body["status"], up.body["version"]})
	require.Equal(t, 404, d.public())
	d.deliver(d.reportID)
	told := d.author.notices("")[0]
	require.Equal(t, []any{"appeal", "upheld", "action_taken"}, []any{told["kind"], told["outcome"], told["resolution"]})
}

// Two decisions within a moment are two, and one on a whole case is one.
func TestAnAuthorIsToldOfEachDecisionOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	author, maker := b.postAuthor("1"), b.moderator("Maker", nil, everyPermission...)
	var reports []string
	for i, member := range b.members {
		if member != author && len(reports) < 4 {
			reports = append(reports, b.file(i, "1"))
		}
	}
	for _, id := range reports[:2] {
		maker.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken"}).status(200)
		b.deliver(id)
	}
	require.Len(t, b.session(author).notices(""), 2)

	maker.post("/moderation/cases/decide", caseBody("1", upheld, reports[2:]...)).status(200)
	b.deliver(reports[2:]...)
	require.Len(t, b.session(author).notices(""), 3)
	for i, member := range b.members {
		if member != author && i < 4 {
			told := b.session(member).notices("")
			require.Len(t, told, 1, "each reporter of the case is told")
			require.Equal(t, "report", told[0]["kind"])
		}
	}
}

func TestAnAuthorIsToldOfMeasuresAndTheirEndsOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	author := b.members[5]
	b.by(author, "1", "2")
	mod, rule := b.moderator("Mod", nil, everyPermission...), b.publish("spam")
	impose := func(post, kind string, end any) (report, id string) {
		report = b.file(0, post)
		done := mod.post("/moderation/reports/"+report+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": rule,
			"measures": []any{map[string]any{"authorId": author, "kind": kind, "until": end}}}).status(200)
		b.deliver(report)
		return report, done.body["measures"].([]any)[0].(map[string]any)["measureId"].(string)
	}
	member := b.session(author)
	newest := func(count int, locale string) (n map[string]any, text string) {
		told := slices.DeleteFunc(member.notices("?locale="+locale), func(n map[string]any) bool { return n["kind"] != "measure" })
		require.Len(t, told, count)
		for _, p := range told[0]["paragraphs"].([]any) {
			text += p.(string) + "\n"
		}
		return told[0], text
	}
	suspension, id := impose("1", "suspend", "2030-01-02T03:04:05Z")
	n, text := newest(1, "en")
	require.Equal(t, []any{"A measure on your account", "", suspension}, []any{n["subject"], n["resolution"], n["reportId"]})
	standing := []any{map[string]any{"kind": "suspend", "until": "2030-01-02T03:04:05.000000Z"}}
	require.Equal(t, map[string]any{"kind": "suspend", "until": "2030-01-02T03:04:05.000000Z", "endedBy": nil, "standing": standing}, n["measure"])
	for _, part := range []string{"have suspended you until 2030-01-02 03:04 UTC", "Rule spam", "A person made this decision", "You can appeal until"} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "In force")
	_, text = newest(1, "ar")
	require.Contains(t, text, "أوقفك المشرفون حتى 2030-01-02 03:04 UTC")

	t.Log("what stands beside it is told too")
	restriction, _ := impose("2", "restrict", nil)
	_, text = newest(2, "en")
	require.Contains(t, text, "The restriction has no end.")
	require.Contains(t, text, "In force: you are suspended until 2030-01-02 03:04 UTC.")

	t.Log("an ending tells what still stands, and not the words of the moderator")
	mod.post("/moderation/measures/"+id+"/end", map[string]any{"reason": "Between ourselves.", "expectedVersion": 2}).status(200)
	b.deliver(suspension)
	n, text = newest(3, "en")
	require.Equal(t, "A measure on your account has ended", n["subject"])
	require.Equal(t, "moderator", n["measure"].(map[string]any)["endedBy"])
	require.Regexp(t, "^The suspension because of \"[^\n]+\" has ended.\nA moderator ended it.\nIn force: what you can do is restricted, without an end.\n$", text)

	mod.post("/moderation/reports/"+restriction+"/reopen", map[string]any{"expectedVersion": 2, "reason": "On second thoughts."}).status(200)
	b.deliver(restriction)
	n, text = newest(4, "en")
	require.Equal(t, map[string]any{"kind": "restrict", "until": nil, "endedBy": "overturn", "standing": []any{}}, n["measure"])
	require.Contains(t, text, "No restriction, suspension or termination is in force.")

	t.Log("nobody is told of an author without an account")
	b.handTogether([]event.Event{{ID: uuid.NewString(), Name: event.MeasureImposed, ReportID: suspension, OccurredAt: time.Now(),
		Payload: []byte(`{"pluginId": "forum", "authorId": "a stranger", "kind": "warn"}`)}})
	require.Equal(t, 4, b.count(`SELECT count(*) FROM core_notices WHERE kind = 'measure'`))
}
