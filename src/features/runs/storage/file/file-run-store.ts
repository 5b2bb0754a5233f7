import { dirname, join } from 'node:path';

import type { Run } from '../../model/run.js';
import { folderEntryNames } from '../../../../host/files/folder-entries.js';
import { inFolder } from '../../../../host/files/folder-handle.js';
import { makeFolder } from '../../../../host/files/make-folder.js';
import { deleteFile } from '../../../../host/files/move-file.js';
import { removeFolder } from '../../../../host/files/remove-folder.js';
import { createFile } from '../../../../host/files/replace-file.js';
import { storageError } from '../../../../host/files/storage-error.js';
import { messageOf, PlanError } from '../../../../kernel/errors.js';
import type { Stamp } from '../../../../storage/plan-store.js';
import { noRun, runExists } from '../../../../storage/run-store-errors.js';
import type { RunListing, RunStore } from '../run-store.js';
import { createLog } from '../../../../storage/file/log/event-log.js';
import { openFileRunLog } from './file-run-log.js';
import { holdsNothing } from '../lock-registry.js';
import { endsOver } from './log-tail.js';
import { firstRunLine } from '../log/run-writer.js';
import { fileRunLocks } from './run-locks.js';
import { permissionsOfRuns } from './run-permissions.js';
import { runOfFile, runPaths, runsFolder } from '../../../../storage/file/run-paths.js';

/** What runs bring is nobody’s but this machine’s. Stores that were made before there were runs do not say so. */
const IGNORE_ALL = '*\n';

/** The runs of a store in a folder. */
export function createFileRunStore(folder: string, stamp: Stamp): RunStore {
  const store: RunStore = {
    location: runsFolder(folder),
    locationOf: (run) => runPaths(folder, run).log,
    async create(prepared) {
      const paths = runPaths(folder, prepared.run);
      const { line } = firstRunLine(prepared, stamp, 'local');
      await prepareFolder(folder);
      if (!(await createLog(paths.log, line, { permissions: await permissionsOfRuns(folder) })))
        throw runExists(prepared.run);
      return openFileRunLog({ run: prepared.run, paths, stamp });
    },
    open: async (run) => openFileRunLog({ run, paths: runPaths(folder, run), stamp }),
    list: (which) => listRuns(folder, (run) => store.open(run), which),
    locks: fileRunLocks(runsFolder(folder), (run) => holdsNothing(store, run)),
    purge: async (run) => purgeRun(folder, run),
  };
  return store;
}

async function prepareFolder(store: string): Promise<void> {
  const folder = runsFolder(store);
  try {
    await makeFolder(folder);
    await createFile(join(folder, '.gitignore'), IGNORE_ALL);
  } catch (cause) {
    throw storageError('create', folder, cause);
  }
}

async function listRuns(
  store: string,
  open: (run: string) => Promise<{ readonly run: Run }>,
  which: 'open' | undefined,
): Promise<RunListing> {
  const runs: Run[] = [];
  const problems: { run: string; code: string; message: string }[] = [];
  for (const name of await folderEntryNames(runsFolder(store))) {
    const run = runOfFile(name);
    if (run === null) continue;
    try {
      if (which === 'open' && (await endsOver(runPaths(store, run).log))) continue;
      const opened = (await open(run)).run;
      if (which !== 'open' || opened.ended === null) runs.push(opened);
    } catch (thrown) {
      const code = thrown instanceof PlanError ? thrown.code : 'INTERNAL';
      problems.push({ run, code, message: messageOf(thrown) });
    }
  }
  return { runs: runs.toSorted((a, b) => Date.parse(b.prepared_at) - Date.parse(a.prepared_at)), problems };
}

/** The log goes first: from then on there is no run, and whoever has it open can write nothing more. */
async function purgeRun(store: string, run: string): Promise<void> {
  const { log, folder } = runPaths(store, run);
  if (!(await deleteFile(log))) throw noRun(run);
  try {
    await removeFolder(folder);
    await inFolder(dirname(log), (above) => above.sync());
  } catch (cause) {
    throw storageError('remove', folder, cause);
  }
}
