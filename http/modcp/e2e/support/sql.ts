import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs SQL in a demo's own cluster and gives what it answers: for what no API does, such as an author's edit. */
export function sql(statement: string, data = process.env.E2E_DATA!): string {
  // Where the path is too long for a socket, the cluster says where it went.
  const moved = join(data, 'socket');
  const socket = existsSync(moved) ? readFileSync(moved, 'utf8').trim() : join(data, 'run');
  const output = execFileSync('psql', ['--no-psqlrc', '-h', socket, '-U', 'docket', '-d', 'docket', '-v', 'ON_ERROR_STOP=1', '-qAtc', statement], { encoding: 'utf8' });
  return output.trim();
}

/** Sets the first event of a report aside, as a group of listeners that failed on it would. */
export function setAside(reportId: string, group: string, reason: string): void {
  sql(`INSERT INTO core_poison (id, consumer_group, event_id, name, payload, metadata, reason, created_at, updated_at)
    SELECT gen_random_uuid(), '${group}', uuid, metadata->>'name', payload, metadata, '${reason}', now(), now()
    FROM watermill_docket_events WHERE metadata->>'report_id' = '${reportId}' AND metadata->>'sequence' = '1' ON CONFLICT DO NOTHING`);
}
