import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

test('the format of a file is told by all of its ending', async () => {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.init({ goal: 'Paint the fence and water the roses', expander: 'rules' }).result;
  const formats: Record<string, string> = {
    'x.json': 'json',
    'x.taskmaster.json': 'taskmaster',
    'x.github.json': 'github',
    'X.GitHub.JSON': 'github',
    'github.json': 'json',
    'x.github.md': 'markdown',
    'x.markdown': 'markdown',
    'x.svg': 'svg',
  };
  for (const [output, format] of Object.entries(formats)) {
    expect([output, (await workspace.export({ output })).format]).toEqual([output, format]);
  }
  const { content } = await workspace.export({ format: 'github' });
  expect(readFileSync(join(folder, 'x.github.json'), 'utf8')).toBe(content);
});
