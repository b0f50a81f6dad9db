import { ApiError, isMissingRoute } from '../api/http';
import { listViews, removeView, saveView, type SavedView } from '../api/operations';

const storageKey = 'docket.views';

/** Views are kept in this browser if the server has no route for them. */
function serverHasNone(error: unknown): boolean {
  return isMissingRoute(error) || (error instanceof ApiError && error.status === 400);
}

function readLocal(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter((view): view is SavedView => typeof view?.name === 'string' && typeof view?.query === 'string');
  } catch {
    return [];
  }
}

function writeLocal(views: SavedView[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(views));
  } catch {
    // Without storage a view is kept in the URL alone.
  }
}

async function orLocal<T>(remote: () => Promise<T>, local: () => T): Promise<T> {
  try {
    return await remote();
  } catch (error) {
    if (serverHasNone(error)) return local();
    throw error;
  }
}

export const viewStore = {
  list: (signal?: AbortSignal) =>
    orLocal<{ views: SavedView[]; local: boolean }>(
      async () => ({ views: await listViews(signal), local: false }),
      () => ({ views: readLocal(), local: true }),
    ),
  save: (view: SavedView) =>
    orLocal<unknown>(
      () => saveView(view),
      () => writeLocal([...readLocal().filter((other) => other.name !== view.name), view]),
    ),
  remove: (name: string) =>
    orLocal<unknown>(
      () => removeView(name),
      () => writeLocal(readLocal().filter((view) => view.name !== name)),
    ),
};
