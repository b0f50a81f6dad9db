import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU in hundredths of a second. */
const ticks = 100;

/** Seconds of CPU that a browser has used, by the id of its first process: `page` in the processes of its pages, `other` in the rest. */
export function cpuOf(root) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap(read);
  const used = { page: 0, other: 0 };
  const add = ({ pid, seconds, isPage }) => {
    used[isPage ? 'page' : 'other'] += seconds;
    processes.filter((one) => one.parent === pid).forEach(add);
  };
  processes.filter((one) => one.pid === root).forEach(add);
  return used;
}

function read(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // The name in parentheses may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isPage = command.includes('--type=renderer') || (command.includes('-contentproc') && /\btab$/.test(command.replaceAll('\0', ' ').trim()));
    return [{ pid: Number(pid), parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticks, isPage }];
  } catch {
    return []; // It has ended meanwhile.
  }
}
