import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { temporaryFolder } from '../support/folders.js';

async function waitsIn(text: string) {
  const folder = temporaryFolder();
  const variables = { XDG_CONFIG_HOME: join(folder, 'config') };
  const workspace = openWorkspace({ environment: { workingFolder: folder, homeFolder: folder, variables } });
  writeFileSync(join(folder, 'doc.md'), text);
  const run = workspace.init({ from: 'doc.md', expander: 'rules' });
  const notices: string[] = [];
  for await (const event of run) if (event.type === 'notice') notices.push(event.message);
  const { goals } = await workspace.tree((await run.result).plan.id);
  const numbers = new Map(goals.map(({ id, number }) => [id, number]));
  const waits = goals.flatMap(({ number, dependencies }) =>
    dependencies.length === 0 ? [] : [`${number} ${dependencies.map((id) => numbers.get(id)).join(' ')}`],
  );
  return { waits, notices: notices.join('\n') };
}

test('goals need, wait for and come after those that they name by number, in a code span too', async () => {
  const { waits, notices } = await waitsIn(
    '# Orchard\n\n- #12 Plant\n- #13 Prune (needs #12)\n- #14 Pick (waits for #12 and #13)\n- #15 Press (after #14)\n\n## FEAT-201: Store\n\n- Stack the jars\n\n## FEAT-202: Sell\n\nDepends on `FEAT-201`\n\n- Print the labels, needs 3 people, after H2\n',
  );
  expect(waits).toEqual(['2 1', '3 1 2', '4 3', '6 5']);
  expect(notices).not.toContain('wait');
});

test('rows name rows by the bare numbers of a column', async () => {
  const { waits } = await waitsIn(
    '# Orchard\n\n## Tasks\n\n| # | Task | Depends on |\n|---|---|---|\n| 1 | Plant | |\n| 2 | Prune | 1 |\n| 3 | Pick | 1, 2 |\n',
  );
  expect(waits).toEqual(['1.2 1.1', '1.3 1.1 1.2']);
});

test('a number that no goal has is named, and so is a circle', async () => {
  const { waits, notices } = await waitsIn(
    '# Orchard\n\n- #12 Plant, depends on #13\n- #13 Prune, depends on #12\n- #14 Pick, depends on #99\n- #15 Press, after Q3-2\n',
  );
  expect(waits).toEqual([]);
  expect(notices).toContain('does not wait for #99, which does not exist');
  expect(notices).toMatch(/Plant.* would wait for each other in a circle/);
  expect(notices).not.toContain('Q3');
});
