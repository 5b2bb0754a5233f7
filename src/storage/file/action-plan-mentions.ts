import { join } from 'node:path';

import { PLAN_FOLDERS, planFolderPath, planIdOfFile } from './store-paths.js';
import { folderEntryNames } from '../../host/files/folder-entries.js';
import { openPlainFile } from '../../host/files/plain-file.js';
import { actionPlanIdsIn } from '../../plan/ids.js';

const CHUNK = 1 << 20;
/** Longer than any id of an action plan with every character escaped. */
const OVERLAP = 512;

/**
 * The ids of action plans that are anywhere in a log or a plan file of a store: what a goal has, had, or would
 * have again after an undoing.
 * @returns null when a file cannot be read
 */
export async function actionPlansNamed(store: string): Promise<ReadonlySet<string> | null> {
  const named = new Set<string>();
  try {
    for (const planFolder of PLAN_FOLDERS) {
      const folder = planFolderPath(store, planFolder);
      const files = (await folderEntryNames(folder)).filter((name) => planIdOfFile(name) !== null);
      for (const name of files) await collectFrom(join(folder, name), named);
    }
    return named;
  } catch {
    return null;
  }
}

async function collectFrom(path: string, named: Set<string>): Promise<void> {
  const handle = await openPlainFile(path);
  try {
    let before = '';
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
      const text = before + buffer.subarray(0, bytesRead).toString('latin1');
      for (const id of actionPlanIdsIn(unescaped(text))) named.add(id);
      if (bytesRead === 0) return;
      before = text.slice(-OVERLAP);
    }
  } finally {
    await handle.close();
  }
}

/** A hand may have written `\u0061` for `a`. */
function unescaped(text: string): string {
  if (!text.includes('\\u00')) return text;
  return text.replaceAll(/\\u00([2-7][0-9a-fA-F])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
