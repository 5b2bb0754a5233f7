import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { syncChecklist } from '../../src/features/interop/sync/sync-checklist.js';
import { temporaryFolder } from '../support/folders.js';

/** A plan and its checklist, brought in step once. */
async function place(document: string) {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  writeFileSync(join(folder, 'D.md'), document);
  await workspace.init({ from: 'D.md', decompose: false }).result;
  await workspace.sync('L.md');
  const list = () => readFileSync(join(folder, 'L.md'), 'utf8');
  const change = (edit: (text: string) => string) => writeFileSync(join(folder, 'L.md'), edit(list()));
  const words = async () =>
    ((await workspace.status({ verbose: true })).goals ?? []).slice(1).map(({ description }) => description);
  return { workspace, list, change, words };
}

test('a dry run lists what it would do, line by line, and does none of it; sections without boxes stay', async () => {
  const { workspace, list, change, words } = await place('# Fair\n\n- Hire a van\n- Pack\n');
  change((text) =>
    text
      .replace('- [ ] Hire a van', '- [x] Hire a van')
      .replace('- [ ] Pack', '- [ ] Pack it all')
      .concat('\n## Notes\n\nNo boxes here.\n\n- Plain\n'),
  );
  const before = list();
  const { steps = [], made, account } = await workspace.sync('L.md', { dryRun: true });
  expect(list()).toBe(before);
  expect(await words()).toEqual(['Hire a van', 'Pack']);
  expect(made).toEqual({ goal_edited: 1, goal_completed: 1 });
  expect(account).toEqual({
    files: [{ file: 'L.md', lines: 12, read: 8, detail: 0 }],
    left_out: [
      { file: 'L.md', first_line: 1, last_line: 1, text: '# Fair' },
      { file: 'L.md', first_line: 8, last_line: 8, text: '## Notes' },
      { file: 'L.md', first_line: 10, last_line: 10, text: 'No boxes here.' },
      { file: 'L.md', first_line: 12, last_line: 12, text: '- Plain' },
    ],
    changed: [],
  });
  const line = (start: string) => before.split('\n').findIndex((each) => each.startsWith(start)) + 1;
  expect(steps.filter(({ to }) => to === 'plan')).toEqual([
    { to: 'plan', line: line('- [ ] Pack it all'), what: 'edited description of 2 “Pack”' },
    { to: 'plan', line: line('- [x] Hire'), what: 'completed 1 “Hire a van”' },
  ]);
  await workspace.sync('L.md');
  expect(await words()).toEqual(['Hire a van', 'Pack it all']);
  expect(list()).toContain('## Notes\n\nNo boxes here.\n\n- Plain\n');
});

test('a tick on a goal that is on hold is a contradiction, which ends with 4', async () => {
  const { workspace, change, list } = await place('# Fair\n\n- Hire a van\n- Pack\n');
  await workspace.hold('1', { reason: 'no licence' });
  change((text) => text.replace('- [ ] Hire a van', '- [x] Hire a van'));
  const synced = await workspace.sync('L.md');
  expect(synced.contradictions).toEqual([expect.stringContaining('is on hold: no licence')]);
  expect(syncChecklist.exitStatus?.(synced)).toBe(4);
  expect(syncChecklist.exitStatus?.({ ...synced, contradictions: [] })).toBe(0);
  expect(list()).toContain('- [x] Hire a van');
});

test('a thousand siblings in reverse order are moved without a look at all of them for each', async () => {
  const { workspace, change, words } = await place(
    `# Many\n\n${Array.from({ length: 1000 }, (_, index) => `- Goal ${index}\n`).join('')}`,
  );
  change((text) => {
    const lines = text.split('\n');
    const items = lines.filter((line) => line.startsWith('- ['));
    const at = lines.indexOf(items[0] ?? '');
    return [...lines.slice(0, at), ...items.toReversed(), ...lines.slice(at + items.length)].join('\n');
  });
  const { contradictions } = await workspace.sync('L.md');
  expect(contradictions).toEqual([]);
  expect(await words()).toEqual(Array.from({ length: 1000 }, (_, index) => `Goal ${999 - index}`));
});
