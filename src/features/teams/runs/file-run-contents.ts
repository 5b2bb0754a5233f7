import { join } from 'node:path';

import { fileIdentity } from '../../../host/files/file-identity.js';
import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { createFile } from '../../../host/files/replace-file.js';
import { PlanError } from '../../../kernel/errors.js';
import { RUN_ID_PATTERN } from '../../../plan/run-ids.js';
import { createLog } from '../../../storage/file/log/event-log.js';
import { readRawLines } from '../../../storage/file/log/raw-lines.js';
import { runOfFile, runPaths, runsFolder } from '../../../storage/file/run-paths.js';
import { isTorn } from '../../../storage/log/checked-line.js';
import { permissionsOfRuns } from '../../runs/storage/file/run-permissions.js';
import { runCodec } from '../../runs/storage/log/run-line.js';
import { appendAfter, bytesOf, notText } from '../copy/file-contents.js';
import type { LogContents, LogsOfStore, RunContents, TextsOfStore } from '../copy/store-contents.js';

/** The runs that a store in files holds. @param folder of the store */
export function runContentsOfFiles(folder: string): RunContents {
  return { runs: runsIn(folder), values: valuesIn(folder) };
}

function runsIn(folder: string): LogsOfStore {
  const read = async (id: string): Promise<LogContents | null> => {
    const { log } = runPaths(folder, id);
    const found = await fileIdentity(log);
    if (found === null) return null;
    const lines: string[] = [];
    for await (const { bytes } of readRawLines(log, 0, found.size)) {
      const line = runCodec.decode(bytes);
      if ('event' in line || line.unknown !== undefined) lines.push(bytes.toString('utf8'));
      else if (!isTorn(bytes)) throw notText(id);
    }
    return { lines, inArchive: false };
  };
  return {
    async ids() {
      const names = await folderEntryNames(runsFolder(folder));
      return names.flatMap((name) => runOfFile(name) ?? []);
    },
    read,
    async write(id, { lines }, after) {
      const { log } = runPaths(folder, id);
      const text = lines.map((line) => `\n${line}\n`).join('');
      await makeFolder(runsFolder(folder));
      await createFile(join(runsFolder(folder), '.gitignore'), '*\n');
      return after === null
        ? createLog(log, text, { permissions: await permissionsOfRuns(folder) })
        : appendAfter(after, log, text, () => read(id));
    },
  };
}

function valuesIn(folder: string): TextsOfStore {
  const pathOf = (name: string): string => {
    const [run = '', digest = ''] = name.split('/');
    if (!/^[0-9a-f]{64}$/.test(digest))
      throw new PlanError('INVALID_INPUT', `${name} is not an output of a run`);
    return join(runPaths(folder, run).folder, digest);
  };
  return {
    async names() {
      const runs = (await folderEntryNames(runsFolder(folder))).filter((name) => RUN_ID_PATTERN.test(name));
      const all = await Promise.all(
        runs.map(async (run) => {
          const names = await folderEntryNames(join(runsFolder(folder), run));
          return names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => `${run}/${name}`);
        }),
      );
      return all.flat();
    },
    read: (name) => bytesOf(pathOf(name)),
    async write(name, content) {
      const path = pathOf(name);
      await makeFolder(join(path, '..'));
      return createFile(path, content, { permissions: await permissionsOfRuns(folder) });
    },
  };
}
