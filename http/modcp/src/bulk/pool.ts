/** Runs a task for each item, at most `width` at a time; results keep the items' order. */
export async function pool<T, R>(items: readonly T[], width: number, run: (item: T) => Promise<R>, onDone?: (done: number) => void): Promise<R[]> {
  const results = Array.from<R>({ length: items.length });
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(items[index]!);
      onDone?.(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
