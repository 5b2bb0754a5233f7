import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newPlace } from '../support/approving.js';

const step = (id: string, path: string) => ({ id, tool: 'note', args: { path, text: 'x' } });

test('a plan whose steps name files that there cannot be is not prepared, and each step is named', async () => {
  const { folder, workspace } = await newPlace({
    schema_version: '1.0',
    title: 'Write',
    steps: [
      step('good', 'a.md'),
      step('long', 'y'.repeat(300)),
      step('link', 'link'),
      step('below', 'file/x'),
      step('folder', 'folder'),
    ],
  });
  mkdirSync(join(folder, 'notes', 'folder'), { recursive: true });
  writeFileSync(join(folder, 'notes', 'file'), 'x');
  symlinkSync('/etc/hosts', join(folder, 'notes', 'link'));
  await expect(workspace.prepare('plan.json', {})).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: {
      problems: [
        { step: 'long', message: expect.stringContaining('longer than the file system takes') as string },
        {
          step: 'link',
          message: expect.stringContaining('cannot use link: it is a symbolic link') as string,
        },
        { step: 'below', message: expect.stringContaining('file/x: a part of the path is not') as string },
      ],
    },
  });
});
