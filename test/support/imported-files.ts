import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from './folders.js';

/** Makes a workspace that took in a folder with these files, or the only file of them. */
export async function importedFiles(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) outputFileSync(join(folder, name), text);
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const [only = ''] = Object.keys(files);
  const { repaired = [], account } = await workspace.import(only.includes('/') ? '.' : only);
  return { workspace, told: repaired.join('\n'), account };
}
