import { dirname, join } from 'node:path';

import type { RunLog } from '../../model/run-log.js';
import { fileIdentity } from '../../../../host/files/file-identity.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { openRunLog } from '../log/open-run-log.js';
import type { Stamp } from '../../../../storage/plan-store.js';
import { noRun } from '../../../../storage/run-store-errors.js';
import { runLinesInFile } from './run-lines-in-file.js';
import { OWN_FILE, permissionsOfRuns } from './run-permissions.js';
import type { RunPaths } from '../../../../storage/file/run-paths.js';
import { storeBytes, readRunValueFile } from './run-values-on-disk.js';

/** Who wrote a line; a run is carried out on one machine, whose file says the order. */
const REPLICA = 'local';

export interface FileRunLogOptions {
  readonly run: string;
  readonly paths: RunPaths;
  readonly stamp: Stamp;
}

/**
 * Opens the log of a run that is kept in a file.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED when what prepared the run cannot be read, STORAGE_FAILED
 */
export async function openFileRunLog({ run: name, paths, stamp }: FileRunLogOptions): Promise<RunLog> {
  const { log, folder } = paths;
  const found = await fileIdentity(log);
  if (found === null) throw noRun(name);
  return openRunLog({
    name,
    location: log,
    stamp,
    replica: REPLICA,
    lines: runLinesInFile(name, log, found),
    values: {
      folder,
      keep: async (value) =>
        storeBytes(folder, Buffer.from(textOfJson(value)), await permissionsOfRuns(dirname(dirname(log)))),
      keepBytes: (content) => storeBytes(folder, content, OWN_FILE),
      read: (sha256) => readRunValueFile(join(folder, sha256), sha256),
    },
  });
}
