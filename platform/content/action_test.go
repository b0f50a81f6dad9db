package content_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/target"
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
			state := func() (s string) {
				require.NoError(t, b.pool.QueryRow(t.Context(), test.state).Scan(&s))
				return s
			}
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

func TestHideOfWhatIsGone(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.exec(`DELETE FROM "Shop ""Items"`)
	result, err := b.act("shop.item", target.Hide, "7")
	require.NoError(t, err)
	require.False(t, result.Changed)
}

// A colleague edits the row meanwhile: hiding waits for the edit, keeps it, and
// fails as a whole when the wait is too long.
func TestHideWhileTheRowIsEdited(t *testing.T) {
	t.Parallel()
	b := shop(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	edit, err := b.pool.Begin(ctx)
	require.NoError(t, err)
	_, err = edit.Exec(ctx, `UPDATE "Shop ""Items" SET title = 'Edited' WHERE id = 7`)
	require.NoError(t, err)

	impatient, err := b.pool.Begin(ctx)
	require.NoError(t, err)
	_, err = impatient.Exec(ctx, "SET LOCAL lock_timeout = '20ms'")
	require.NoError(t, err)
	hide, _ := b.target("shop.item").Action(target.Hide)
	_, err = hide.Run(ctx, target.ActionRequest{ActorID: mo, TargetID: "7", At: at, Tx: impatient})
	require.ErrorContains(t, err, "hide shop.item 7")
	require.NoError(t, impatient.Rollback(ctx))

	done := make(chan target.ActionResult, 1)
	go func() {
		result, _ := b.act("shop.item", target.Hide, "7")
		done <- result
	}()
	require.Eventually(t, func() bool {
		var waiting bool
		err := b.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)").Scan(&waiting)
		return err == nil && waiting
	}, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, edit.Commit(ctx))
	require.True(t, (<-done).Changed)
	require.True(t, b.current("shop.item", "7").Hidden)
	var title string
	require.NoError(t, b.pool.QueryRow(ctx, `SELECT title FROM "Shop ""Items" WHERE id = 7`).Scan(&title))
	require.Equal(t, "Edited", title)
}

func TestHideThatATriggerRefuses(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
		CREATE TRIGGER refuse BEFORE UPDATE ON "Shop ""Items" FOR EACH ROW EXECUTE FUNCTION refuse()`)
	_, err := b.act("shop.item", target.Hide, "7")
	require.ErrorContains(t, err, "not this one")
	require.False(t, b.current("shop.item", "7").Hidden)
}

func TestActionsStayInTheirTransaction(t *testing.T) {
	t.Parallel()
	b := shop(t)
	hide, _ := b.target("shop.item").Action(target.Hide)
	tx, err := b.pool.Begin(t.Context())
	require.NoError(t, err)
	result, err := hide.Run(t.Context(), target.ActionRequest{ActorID: mo, TargetID: "7", At: at, Tx: tx})
	require.NoError(t, err)
	require.True(t, result.Changed)
	require.NoError(t, tx.Rollback(t.Context()))
	require.False(t, b.current("shop.item", "7").Hidden)
	require.ErrorIs(t, tx.Rollback(t.Context()), pgx.ErrTxClosed)
}
