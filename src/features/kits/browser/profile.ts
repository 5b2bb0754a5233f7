import { lstat, mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { isRunning, processStart } from '../../../host/processes/recorded-process.js';

const NAME = 'frctl-browser';
/** Who made a profile: the machine, the processes that it can see, its own one, and when that began. */
const OWNED = /^frctl-browser-(?<host>[\w.]*)-(?<seen>\d*)-(?<pid>\d+)-(?<start>\d*)-[^-]*$/;

/**
 * Makes the folder of a fresh profile that loads no page ahead, and removes those of processes that were killed. What a page
 * has loaded ahead (speculation rules) is asked for by the browser itself, past routes and `Fetch.enable`, and is then
 * shown as the document of the window.
 */
export async function newProfile(): Promise<string> {
  await sweepProfiles().catch(() => undefined);
  const start = (await processStart(process.pid)) ?? '';
  const owner = `${machine()}-${await processesSeen()}-${process.pid}-${start}`;
  const folder = await mkdtemp(join(tmpdir(), `${NAME}-${owner}-`));
  await mkdir(join(folder, 'Default'));
  // 2 stands for never.
  const settings = JSON.stringify({ net: { network_prediction_options: 2 } });
  await writeFile(join(folder, 'Default', 'Preferences'), settings);
  return folder;
}

/** Removes the folder of a profile. */
export async function removeProfile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

function machine(): string {
  return hostname().replaceAll(/[^\w.]/g, '_');
}

/** Returns the number of the namespace of process ids, where there is one: a container sees no process of another. */
async function processesSeen(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return link.replaceAll(/\D/g, '');
}

/** Removes the profiles of this user whose processes on this machine are gone. */
async function sweepProfiles(): Promise<void> {
  const own = await processesSeen();
  for (const name of await readdir(tmpdir())) {
    const { host, seen, pid, start = '' } = OWNED.exec(name)?.groups ?? {};
    if (host !== machine() || seen !== own || pid === undefined) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => null);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
    const owner = { pid: Number(pid), process_start: start === '' ? undefined : start };
    if (!(await isRunning(owner))) await removeProfile(folder);
  }
}
