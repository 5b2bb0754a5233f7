import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { isRunning, processStart } from '../../../host/processes/recorded-process.js';

const NAME = 'frctl-browser';
/** Who made a profile: the machine, the process, and when that began. */
const OWNED = /^frctl-browser-(?<host>[\w.]*)-(?<pid>\d+)-(?<start>\d*)-[^-]*$/;

/**
 * Makes the folder of a fresh profile that loads no page ahead, and removes those of processes that were killed. What a page
 * has loaded ahead (speculation rules) is asked for by the browser itself, past routes and `Fetch.enable`, and is then
 * shown as the document of the window.
 */
export async function newProfile(): Promise<string> {
  await sweepProfiles().catch(() => undefined);
  const start = (await processStart(process.pid)) ?? '';
  const folder = await mkdtemp(join(tmpdir(), `${NAME}-${machine()}-${process.pid}-${start}-`));
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

/** Removes the profiles of this user whose processes on this machine are gone. */
async function sweepProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const { host, pid, start = '' } = OWNED.exec(name)?.groups ?? {};
    if (host !== machine() || pid === undefined) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => null);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
    const owner = { pid: Number(pid), process_start: start === '' ? undefined : start };
    if (!(await isRunning(owner))) await removeProfile(folder);
  }
}
