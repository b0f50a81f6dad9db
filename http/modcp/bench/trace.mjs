/** The name of the mark that the page sets once it has painted its first rows. */
export const rowsMark = 'docket-rows';

/** Milliseconds from which a task counts as long: a key press behind it is felt. */
const longTask = 50;

/**
 * Reads from a trace of one visit, in milliseconds since the navigation began:
 * `paint`, the first content; `rows`, the first frame with rows; `interactive`,
 * from when on rows are there and no long task holds up the main thread; and
 * `busy`, how long the main thread worked until then.
 */
export function readTrace(trace) {
  const { traceEvents: events } = JSON.parse(trace.toString());
  const rows = events.find((event) => event.name === rowsMark);
  if (rows === undefined) throw new Error('the trace has no rows in it');
  const inPage = events.filter((event) => event.pid === rows.pid);
  // A mark knows how long after its navigation it was set.
  const start = rows.ts - rows.args.data.startTime * 1000;
  const paint = inPage.find((event) => event.name === 'firstContentfulPaint' && event.ts > start);
  const tasks = inPage.filter((event) => event.name === 'RunTask' && event.tid === rows.tid && event.ts >= start);
  const long = tasks.filter((task) => task.dur >= longTask * 1000);
  const since = (microseconds) => (microseconds - start) / 1000;
  const interactive = Math.max(since(rows.ts), ...long.map((task) => since(task.ts + task.dur)));
  const before = tasks.filter((task) => since(task.ts) < interactive);
  return {
    paint: since(paint.ts),
    rows: since(rows.ts),
    interactive,
    busy: before.reduce((sum, task) => sum + task.dur, 0) / 1000,
    longTasks: long.length,
  };
}
