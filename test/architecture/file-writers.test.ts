import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

/** What changes files, or opens them so that they can be changed, under its name in `node:fs` without `Sync`. */
const WRITERS = new Set(
  `appendFile chmod chown copyFile cp createWriteStream fchmod fchown ftruncate futimes lchmod lchown link lutimes mkdir
  mkdtemp mkdtempDisposable open openAsBlob rename rm rmdir symlink truncate unlink utimes write writeFile writev`.split(
    /\s+/,
  ),
);

/**
 * Every module that may import one, and which. Below a store and a workspace all of them hold the folder that they write
 * in (`folder-handle.ts`) or open without following a link (`plain-file.ts`). Whoever adds a line says why no link, pipe or
 * device can be in the place of the file.
 */
const MAY: Readonly<Record<string, string>> = {
  // What everybody else writes with.
  'host/files/folder-handle.ts': 'openSync',
  'host/files/make-folder.ts': 'mkdir',
  'host/files/move-file.ts': 'rename unlinkSync',
  'host/files/plain-file.ts': 'ftruncateSync open openSync writeFileSync writeSync',
  'host/files/private-key.ts': 'link open unlink',
  'host/files/remove-folder.ts': 'rmdir unlink',
  // Opened for reading only.
  'host/files/read-pipe.ts': 'openSync',
  'host/files/replace-file.ts': 'link open renameSync unlink writeSync',
  // The mode of what replaceFile has just written.
  'host/files/rewrite-file.ts': 'chmod',
  // To read what the user named, also from a pipe.
  'host/files/text-files.ts': 'open',
  'features/runs/runners/programs/held-file.ts': 'open',
  // In a folder of its own, which nobody else may enter.
  'features/page/server/opening-file.ts': 'chmodSync',
  // In folders of frctl's own, outside the repository; into the agent's tree before it is started, through no link.
  'features/agents/attempt/clone.ts': 'chmod cp mkdir rename rm writeFile',
  'features/agents/attempt/record.ts': 'rm rmdir',
  // What git has just written into the working tree, and lists; it looks behind no link.
  'features/agents/attempt/move-base.ts': 'rm',
  'features/agents/attempt/run-agent.ts': 'mkdir writeFile',
  'features/runs/operations/approving/ssh-signature.ts': 'mkdtemp rm writeFile',
  'features/kits/browser/profile.ts': 'mkdir mkdtemp rm writeFile',
  // Makes folders where nothing is, and takes them away again while they are empty.
  'features/runs/runners/sandbox/guard.ts': 'mkdirSync rmdirSync utimesSync',
  // Opens folders that a command in the sandbox has closed.
  'features/runs/runners/sandbox/closed-folders.ts': 'chmodSync',
  // In folders that are held.
  'storage/file/journal/journal.ts': 'chmod link',
  'storage/file/journal/published-notes.ts': 'unlinkSync',
  'storage/file/log/removed-logs.ts': 'link',
  'storage/file/purge-plan.ts': 'rename unlink',
  'storage/file/sweep-temporaries.ts': 'unlink',
  'storage/file/maintenance/misplaced-files.ts': 'link',
  // To a file that plain-file.ts has opened.
  'storage/file/log/event-log.ts': 'writeSync',
};

const NAMED = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+'(?:node:)?fs(?:\/promises)?';/g;
const OTHER_WAYS =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|getBuiltinModule\s*\(\s*)['"`](?:node:)?fs(?:\/promises)?['"`]/;

/** Names that a module imports of `node:fs`, by which it could write; `?` for what cannot be told. */
function writersOf(text: string): readonly string[] {
  const names = [...text.matchAll(NAMED)]
    .filter(([, type]) => type === undefined)
    .flatMap(([, , list = '']) => list.split(','))
    .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((name) => WRITERS.has(name.replace(/Sync$/, '')) || name === 'promises' || name === 'default');
  return OTHER_WAYS.test(text.replaceAll(NAMED, '')) ? [...names, '?'] : names;
}

test('files are written by the modules that are named here, and by no other', () => {
  const found = Object.fromEntries(
    readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => name.replaceAll('\\', '/'))
      .map(
        (name) =>
          [
            name,
            writersOf(readFileSync(join('src', name), 'utf8'))
              .toSorted()
              .join(' '),
          ] as const,
      )
      .filter(([, names]) => names !== ''),
  );
  expect(found).toEqual(MAY);
});

test.each([
  ["import { appendFile } from 'node:fs/promises';", ['appendFile']],
  ["import { type Stats, createWriteStream as stream } from 'fs';", ['createWriteStream']],
  ["import {\n  readFileSync,\n  writeFileSync,\n} from 'node:fs';", ['writeFileSync']],
  ["import * as fs from 'node:fs';", ['?']],
  ["import fs from 'node:fs/promises';", ['?']],
  ["const { open } = await import('node:fs/promises');", ['?']],
  ["const fs = require('fs');", ['?']],
  ["const fs = process.getBuiltinModule('node:fs');", ['?']],
  ["export { writeFile } from 'node:fs/promises';", ['?']],
  ["import type { FileHandle } from 'node:fs/promises';\nimport { stat } from 'node:fs/promises';", []],
])('what a module could write with is seen: %j', (text, names) => {
  expect(writersOf(text)).toEqual(names);
});
