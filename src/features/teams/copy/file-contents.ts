import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';

import { RUN_ID_PATTERN } from '../../../plan/run-ids.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { readPlainBytes } from '../../../host/files/plain-file.js';
import { createFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';
import { PlanError } from '../../../kernel/errors.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import { ACTION_PLAN_ID_PATTERN } from '../../../plan/ids.js';
import { openDamage } from '../../../storage/open-damage.js';
import type { PlanStore } from '../../../storage/plan-store.js';
import type { LogContents, LogsOfStore, StoreContents, TextsOfStore } from './store-contents.js';
import { actionPlanPath } from '../../../storage/file/action-plan-files.js';
import { isTorn } from '../../../storage/log/checked-line.js';
import { appendDurably, createLog } from '../../../storage/file/log/event-log.js';
import { eventIdIn } from '../../../storage/log/event-id.js';
import { decodeEvent, twiceMade } from '../../../storage/log/event-line.js';
import { readRawLines } from '../../../storage/file/log/raw-lines.js';
import { findPlanFolder } from '../../../storage/file/plans-on-disk.js';
import { runCodec } from '../../runs/storage/log/run-line.js';
import { permissionsOfRuns } from '../../runs/storage/file/run-permissions.js';
import { runOfFile, runPaths, runsFolder } from '../../../storage/file/run-paths.js';
import { planPaths } from '../../../storage/file/store-paths.js';

/** What a store in files holds. @param store the same store, to look at its plans and to publish them */
export function contentsOfFiles(store: PlanStore): StoreContents {
  const folder = store.location;
  return {
    location: folder,
    plans: plansIn(store),
    runs: runsIn(folder),
    actionPlans: actionPlansIn(folder),
    values: valuesIn(folder),
  };
}

function plansIn(store: PlanStore): LogsOfStore {
  const folder = store.location;
  const read = async (id: string): Promise<LogContents | null> => {
    const planFolder = await findPlanFolder(folder, id);
    if (planFolder === null) return null;
    await refuseUnsound(store, id);
    const lines = await linesIn(planPaths(folder, id, planFolder).eventLog, id);
    return { lines: uniqueInOrder(lines), inArchive: planFolder === 'archive' };
  };
  return {
    ids: () => store.ids(),
    read,
    async write(id, { lines, inArchive }, after) {
      const { eventLog } = planPaths(folder, id, inArchive ? 'archive' : 'store');
      const texts = lines.map((line) => `\n${line}\n`);
      if (inArchive) await makeFolder(join(folder, 'archive'));
      const isWritten =
        after === null
          ? await createLog(eventLog, twiceMade(texts).join(''))
          : await appendAfter(after, eventLog, texts.join(''), () => read(id));
      if (isWritten) await (await store.open(id)).publish('now');
      return isWritten;
    },
  };
}

/** @throws PlanError STORE_DAMAGED */
async function refuseUnsound(store: PlanStore, id: string): Promise<void> {
  const log = await store.open(id);
  const hasLog = log.lastEvent !== null;
  const isSound = !log.isCutOff && log.pending === 0 && openDamage(log.damage, log.plan).length === 0;
  if (hasLog && isSound) return;
  throw new PlanError('STORE_DAMAGED', `the log of plan ${id} ${hasLog ? 'is not sound' : 'is missing'}`, {
    hint: { commandLine: '`plan doctor` says what is wrong, and mends what is safe.' },
    details: { plan: id },
  });
}

/** A line of a log, and what places it in the order. */
interface OrderedText {
  readonly text: string;
  readonly id: string;
  readonly clock: number;
  readonly replica: string;
}

async function linesIn(path: string, plan: string): Promise<readonly OrderedText[]> {
  const found: OrderedText[] = [];
  const log = await fileIdentity(path);
  for await (const { bytes } of readRawLines(path, 0, log?.size ?? 0)) {
    const line = decodeEvent(bytes);
    const ordered = 'event' in line ? line.event : line.unknown;
    // What was never acknowledged, or what a person has accepted to be lost.
    if (ordered === undefined) continue;
    if (!isUtf8(bytes)) throw notText(plan);
    const text = bytes.subarray(bytes.indexOf('{'), bytes.lastIndexOf('}') + 1).toString('utf8');
    found.push({ text, id: eventIdIn(text) ?? '', clock: ordered.clock, replica: ordered.replica });
  }
  return found;
}

function uniqueInOrder(lines: readonly OrderedText[]): readonly string[] {
  const seen = new Set<string>();
  return inCanonicalOrder(lines).flatMap(({ id, text }) => {
    if (seen.has(id)) return [];
    seen.add(id);
    return [text];
  });
}

/** Puts text at the end of a log that still has so many lines, and of no other. */
async function appendAfter(
  after: number,
  path: string,
  text: string,
  read: () => Promise<LogContents | null>,
): Promise<boolean> {
  const log = await fileIdentity(path);
  if (log === null || (await read())?.lines.length !== after) return false;
  return (await appendDurably(path, Buffer.from(text), log, { onlyAt: log.size })) !== null;
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

function actionPlansIn(folder: string): TextsOfStore {
  return {
    async names() {
      const names = await folderEntryNames(join(folder, 'actions'));
      const ids = names
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -'.json'.length));
      return ids.filter((id) => ACTION_PLAN_ID_PATTERN.test(id));
    },
    read: (id) => bytesOf(actionPlanPath(folder, id)),
    async write(id, content) {
      await makeFolder(join(folder, 'actions'));
      return createFile(actionPlanPath(folder, id), content);
    },
  };
}

function valuesIn(folder: string): TextsOfStore {
  const pathOf = (name: string): string => {
    const [run = '', digest = ''] = name.split('/');
    if (!/^[0-9a-f]{64}$/.test(digest)) throw new PlanError('INVALID_INPUT', `${name} is no output of a run`);
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

async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readPlainBytes(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}

function notText(id: string): PlanError {
  return new PlanError('STORE_DAMAGED', `the log of ${id} holds what is no event`, {
    hint: { commandLine: '`plan doctor` says what is wrong.' },
    details: { id },
  });
}
