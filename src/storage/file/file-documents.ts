import { join } from 'node:path';

import { whileLocked } from '../../host/files/file-lock.js';
import { realFolder } from '../../host/files/folders.js';
import { deleteFile } from '../../host/files/move-file.js';
import {
  fileNames,
  readStoredFolder,
  readStoredTextIfAny,
  readTextFileIfAny,
  writeTextFile,
} from '../../host/files/text-files.js';
import { replaceFile } from '../../host/files/replace-file.js';
import type { Documents, KeyedTexts, SettingsDocument, SuppliedKind } from '../documents.js';
import { checkedGoalId, checkedPlanId } from '../document-ids.js';
import { actionPlanPath, dropActionPlan, storeActionPlan, readActionPlanText } from './action-plan-files.js';
import { actionPlansNamed } from './action-plan-mentions.js';
import { spendingNotesIn } from './spending-files.js';
import { configPath } from './store-paths.js';

/** No prompt, method or config that people write is longer. */
const MOST_SUPPLIED_BYTES = 256 * 1024;
const MOST_SETTINGS_BYTES = 1024 * 1024;
const MOST_BROUGHT_BYTES = 4 * 1024 * 1024;

const ENDINGS: Readonly<Record<SuppliedKind, string>> = { prompts: '.md', methods: '.yaml' };

export interface FileDocumentsOptions {
  /** The store's folder. */
  readonly folder: string;
  /** The user's own folder, for what is no part of the project. */
  readonly ownFolder: string;
}

/** Documents as files: action plans, prompts, methods and settings in the store's folder, proposals in the user's own. */
export function createFileDocuments({ folder, ownFolder }: FileDocumentsOptions): Documents {
  return {
    actionPlans: {
      keep: (textFor, newId) => storeActionPlan(folder, textFor, newId),
      read: (id) => readActionPlanText(folder, id),
      drop: (id) => dropActionPlan(folder, id),
      locate: (id) => actionPlanPath(folder, id),
      named: () => actionPlansNamed(folder),
    },
    proposals: textsIn(join(ownFolder, 'proposals')),
    checklists: {
      ...textsIn(join(ownFolder, 'checklists')),
      // In the store, as whoever else has the file is another user perhaps, and git leaves such files alone there.
      alone: async (planId, work) => whileLocked(join(folder, `sync-${checkedPlanId(planId)}`), work),
    },
    spending: spendingNotesIn(folder),
    settings: settingsAt(configPath(folder)),
    async supplied(kind) {
      const found = await readStoredFolder(join(folder, kind), ENDINGS[kind], MOST_SUPPLIED_BYTES);
      return found.map(({ name, text, path }) => ({ name, text, location: path }));
    },
    async brought(name) {
      const location = join(folder, name);
      const text = await readStoredTextIfAny(location, MOST_BROUGHT_BYTES);
      return text === null ? null : { name, text, location };
    },
  };
}

function textsIn(folder: string): KeyedTexts {
  const pathOf = (key: string): string => join(folder, `${checkedGoalId(key)}.json`);
  return {
    read: async (key) => {
      const path = pathOf(key);
      return readTextFileIfAny(path).catch(() => null);
    },
    keep: async (key, text) => {
      await writeTextFile(pathOf(key), text, 'make');
    },
    async dropAll(planId) {
      const own = `${checkedPlanId(planId)}-`;
      const real = realFolder(folder);
      for (const name of await fileNames(real))
        if (name.startsWith(own) && name.endsWith('.json')) await deleteFile(join(real, name));
    },
  };
}

function settingsAt(path: string): SettingsDocument {
  const read = async (): Promise<string | null> => readStoredTextIfAny(path, MOST_SETTINGS_BYTES);
  return {
    location: path,
    read,
    async change(change) {
      await whileLocked(path, async () => {
        const text = change(await read());
        if (text !== null) await replaceFile(path, text);
      });
    },
  };
}
