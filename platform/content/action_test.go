package content_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestHideAndRestore(t *testing.T) {
	t.Parallel()
	tests := []struct {
		targetType, id string
		state          string // SQL of the hidden columns as text
		hidden         string
	}{
		{"shop.item", "7", `SELECT concat_ws(' ', "hidden at", hidden_by) FROM "Shop ""Items"`, "2026-03-01 12:30:00.123456 " + mo},
		{"shop.page", ada, `SELECT concat_ws(' ', hidden_at AT TIME ZONE 'UTC') FROM warehouse.pages`, "2026-03-01 12:30:00.123456"},
	}
	for _, test := range tests {
		t.Run(test.targetType, func(t *testing.T) {
			t.Parallel()
			b := shop(t)
			state := func() string { return pgtest.One[string](t, b.pool, test.state) }
			hide, _ := b.target(test.targetType).Action(target.Hide)
			unhide, _ := b.target(test.targetType).Action(target.Unhide)
			require.Equal(t, permission.Hide, hide.Permission)
			require.Equal(t, permission.Hide, unhide.Permission)
			before := b.capture(test.targetType, test.id, "en")
			require.True(t, hide.Available(*b.current(test.targetType, test.id)))
			require.False(t, unhide.Available(*b.current(test.targetType, test.id)))

			result, err := b.act(test.targetType, target.Hide, test.id)
			require.NoError(t, err)
			require.True(t, result.Changed)
			require.Equal(t, test.hidden, state())
			require.Equal(t, "content."+test.targetType+".hidden", result.Events[0].Name)
			payload, err := json.Marshal(result.Events[0].Payload)
			require.NoError(t, err)
			require.JSONEq(t, `{"contentId":"`+test.id+`","actorUserId":"`+mo+`","hiddenAt":"2026-03-01T12:30:00.123456Z"}`, string(payload))
			require.False(t, hide.Available(*b.current(test.targetType, test.id)))
			require.True(t, unhide.Available(*b.current(test.targetType, test.id)))

			again, err := b.act(test.targetType, target.Hide, test.id)
			require.NoError(t, err)
			require.Equal(t, target.ActionResult{}, again, "hidden already: nothing changes")
			require.Equal(t, test.hidden, state())

			result, err = b.act(test.targetType, target.Unhide, test.id)
			require.NoError(t, err)
			require.True(t, result.Changed)
			require.Empty(t, state())
			require.Equal(t, "content."+test.targetType+".unhidden", result.Events[0].Name)
			payload, err = json.Marshal(result.Events[0].Payload)
			require.NoError(t, err)
			require.JSONEq(t, `{"contentId":"`+test.id+`","actorUserId":"`+mo+`"}`, string(payload))
			again, err = b.act(test.targetType, target.Unhide, test.id)
			require.NoError(t, err)
			require.False(t, again.Changed)
			require.Equal(t, before, b.capture(test.targetType, test.id, "en"), "as it was")
		})
	}
}

func TestOneOfManyHidesAtOnce(t *testing.T) {
	t.Parallel()
	b := shop(t)
	changed := make(chan bool, 8)
	for range cap(changed) {
		go func() {
			result, err := b.act("shop.item", target.Hide, "7")
			changed <- err == nil && result.Changed
		}()
	}
	count := 0
	for range cap(changed) {
		if <-changed {
			count++
		}
	}
	require.Equal(t, 1, count)
}

// A colleague edits the row meanwhile: hiding waits for the edit, keeps it, and
// fails as a whole when the wait is too long.
func TestHideWhileTheRowIsEdited(t *testing.T) {
	t.Parallel()
	b := shop(t)
	edit := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, edit, `UPDATE "Shop ""Items" SET title = 'Edited' WHERE id = 7`)

	impatient := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, impatient, "SET LOCAL lock_timeout = '20ms'")
	hide, _ := b.target("shop.item").Action(target.Hide)
	_, err := hide.Run(t.Context(), target.ActionRequest{ActorID: mo, TargetID: "7", At: at, Tx: impatient})
	require.ErrorContains(t, err, "hide shop.item 7")
	require.NoError(t, impatient.Rollback(t.Context()))

	done := make(chan target.ActionResult, 1)
	go func() {
		result, _ := b.act("shop.item", target.Hide, "7")
		done <- result
	}()
	pgtest.AwaitLock(t, b.pool)
	require.NoError(t, edit.Commit(t.Context()))
	require.True(t, (<-done).Changed)
	require.True(t, b.current("shop.item", "7").Hidden)
	require.Equal(t, "Edited", pgtest.One[string](t, b.pool, `SELECT title FROM "Shop ""Items" WHERE id = 7`))
}

func TestAHideThatIsUndoneRefusedOrTooLateHidesNothing(t *testing.T) {
	t.Parallel()
	b := shop(t)
	hide, _ := b.target("shop.item").Action(target.Hide)
	tx := pgtest.Begin(t, b.pool)
	result, err := hide.Run(t.Context(), target.ActionRequest{ActorID: mo, TargetID: "7", At: at, Tx: tx})
	require.NoError(t, err)
	require.True(t, result.Changed)
	require.NoError(t, tx.Rollback(t.Context()), "it stays in its transaction")
	require.False(t, b.current("shop.item", "7").Hidden)

	b.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
		CREATE TRIGGER refuse BEFORE UPDATE ON "Shop ""Items" FOR EACH ROW EXECUTE FUNCTION refuse()`)
	_, err = b.act("shop.item", target.Hide, "7")
	require.ErrorContains(t, err, "not this one")
	require.False(t, b.current("shop.item", "7").Hidden)

	b.exec(`DELETE FROM "Shop ""Items"`)
	result, err = b.act("shop.item", target.Hide, "7")
	require.NoError(t, err)
	require.False(t, result.Changed)
}
