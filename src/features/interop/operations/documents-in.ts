import { join } from 'node:path';

import { folderEntries } from '../../../host/files/folder-entries.js';
import { folderNames, readStoredText } from '../../../host/files/text-files.js';
import { messageOf } from '../../../kernel/errors.js';

const MOST_BYTES = 4 * 1024 * 1024;

/** A document of a folder, by its path from there. */
export interface FolderDocument {
  readonly name: string;
  readonly text: string;
  /** Why it cannot be read, where it cannot; its text then is that. */
  readonly problem?: string;
}

/** Returns the documents of a folder that are meant by their names, in order; none where there is no folder. */
export async function documentsIn(
  folder: string,
  isMeant: (name: string) => boolean = (name) => name.endsWith('.md'),
): Promise<readonly FolderDocument[]> {
  const documents: FolderDocument[] = [];
  for (const entry of await folderEntries(folder)) {
    const { name } = entry;
    if (isMeant(name) && !entry.isDirectory())
      documents.push({ name, ...(await textOrProblem(join(folder, name))) });
  }
  return documents;
}

/** Returns those of some of its folders, and of all below them, but for folders whose names begin with a dot and packages. */
export async function documentsBelow(
  folder: string,
  names: readonly string[],
): Promise<readonly FolderDocument[]> {
  const documents: FolderDocument[] = [];
  const open = [...names];
  for (const below of open) {
    if (/(?:^|\/)(?:\.|node_modules$)/.test(below)) continue;
    for (const { name, ...read } of await documentsIn(join(folder, below)))
      documents.push({ name: `${below}/${name}`, ...read });
    for (const name of await folderNames(join(folder, below))) open.push(`${below}/${name}`);
  }
  return documents;
}

async function textOrProblem(path: string): Promise<Omit<FolderDocument, 'name'>> {
  try {
    return { text: await readStoredText(path, MOST_BYTES) };
  } catch (error) {
    const problem = messageOf(error);
    return { text: `it cannot be read: ${problem}`, problem };
  }
}
