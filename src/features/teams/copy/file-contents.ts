import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';

import { fileIdentity } from '../../../host/files/file-identity.js';
import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { readPlainBytes } from '../../../host/files/plain-file.js';
import { createFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';
import { PlanError } from '../../../kernel/errors.js';
import { isSameJson } from '../../../kernel/json/same-json.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import { ACTION_PLAN_ID_PATTERN } from '../../../plan/ids.js';
import { toPlanFile } from '../../../plan/snapshot/plan-file.js';
import { openDamage } from '../../../storage/open-damage.js';
import type { PlanLog, PlanStore } from '../../../storage/plan-store.js';
import type { LogContents, LogsOfStore, StoreContents, TextsOfStore } from './store-contents.js';
import { actionPlanPath } from '../../../storage/file/action-plan-files.js';
import { appendDurably, createLog } from '../../../storage/file/log/event-log.js';
import { eventIdIn } from '../../../storage/log/event-id.js';
import { decodeEvent, twiceMade } from '../../../storage/log/event-line.js';
import { readRawLines } from '../../../storage/file/log/raw-lines.js';
import { findPlanFolder } from '../../../storage/file/plans-on-disk.js';
import { planPaths } from '../../../storage/file/store-paths.js';

/** What a store in files holds. @param store the same store, to look at its plans and to publish them */
export function contentsOfFiles(store: PlanStore): StoreContents {
  const folder = store.location;
  return {
    location: folder,
    plans: plansIn(store),
    actionPlans: actionPlansIn(folder),
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
  const isSound = !log.isCutOff && log.pending === 0 && (await saysAll(store, log));
  if (hasLog && isSound) return;
  throw new PlanError('STORE_DAMAGED', `the log of plan ${id} ${hasLog ? 'is not sound' : 'is missing'}`, {
    hint: { commandLine: '`plan doctor` says what is wrong, and mends what is safe.' },
    details: { plan: id },
  });
}

/** Whether a log alone says all that its plan is: what a lost line had changed may be in the plan file and nowhere else. */
async function saysAll(store: PlanStore, { plan }: PlanLog): Promise<boolean> {
  const alone = await store.open(plan.header.id, 'log').catch(() => null);
  if (alone === null || openDamage(alone.damage, plan).length > 0) return false;
  return isSameJson(toPlanFile(alone.plan), toPlanFile(plan));
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
export async function appendAfter(
  after: number,
  path: string,
  text: string,
  read: () => Promise<LogContents | null>,
): Promise<boolean> {
  const log = await fileIdentity(path);
  if (log === null || (await read())?.lines.length !== after) return false;
  return (await appendDurably(path, Buffer.from(text), log, { onlyAt: log.size })) !== null;
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

/** Returns the bytes of a file; null where there is none. @throws PlanError STORAGE_FAILED */
export async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readPlainBytes(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}

/** Makes the error for a log with a line that is no event. */
export function notText(id: string): PlanError {
  return new PlanError('STORE_DAMAGED', `the log of ${id} holds an invalid event`, {
    hint: { commandLine: '`plan doctor` says what is wrong.' },
    details: { id },
  });
}
