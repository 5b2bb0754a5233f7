import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const OWN = '# Release 2.0\n\n- [x] Freeze the branch\n- [ ] Write the changelog\n';

describe('a list without a mark', () => {
  test('is not put into the plan that was changed last, and both ways are named', async () => {
    const place = await newChecklistPlace();
    await place.workspace.use({ none: true });
    const { plan } = await place.workspace.status();
    place.write(OWN);
    const before = await outline(place);
    for (const dryRun of [false, true])
      await expect(place.workspace.sync('TODO.md', { dryRun })).rejects.toMatchObject({
        code: 'AMBIGUOUS_NAME',
        message: expect.stringContaining('no plan is named; nothing was changed') as string,
        hint: `\`plan sync TODO.md --plan ${plan.id}\` syncs it with that plan, \`plan init --from TODO.md\` makes a new plan from it.`,
      });
    expect(place.read()).toBe(OWN);
    expect(await outline(place)).toEqual(before);
    // Named it is put there; after that the mark says so, and once that is cut off what both sides said last.
    await place.workspace.sync('TODO.md', { plan: plan.id });
    expect(await outline(place)).toContain('2 Write the changelog');
    await place.sync();
    place.write(withoutMarks(place.read()));
    expect((await place.sync()).plan.id).toBe(plan.id);
  });

  test('of which a plan was made is of that plan', async () => {
    const folder = temporaryFolder();
    const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
    const workspace = openWorkspace({ environment });
    writeFileSync(join(folder, 'TODO.md'), OWN);
    const { plan } = await workspace.init({ from: 'TODO.md' }).result;
    expect((await workspace.sync('TODO.md')).plan.id).toBe(plan.id);
  });

  test('and no plan at all: the way to make one of it is named', async () => {
    const folder = temporaryFolder();
    const workspace = openWorkspace({
      environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} },
    });
    writeFileSync(join(folder, 'TODO.md'), OWN);
    await expect(workspace.sync('TODO.md')).rejects.toMatchObject({
      code: 'STORE_NOT_FOUND',
      hint: expect.stringContaining('`plan init --from TODO.md` makes a plan from its lines.') as string,
    });
    await expect(workspace.import('TODO.md')).rejects.toMatchObject({
      code: 'INVALID_PLAN',
      message: 'TODO.md is a document and no plan file',
      hint: '`plan init --from TODO.md` makes a plan of its headings, lists and boxes.',
    });
    writeFileSync(join(folder, 'broken.json'), '{');
    await expect(workspace.import('broken.json')).rejects.toMatchObject({
      hint: 'A plan file is JSON. A Markdown document is for `plan init --from FILE`.',
    });
  });
});

describe('comments', () => {
  test('are no part of a goal of a document, and of a file that sync has marked only other comments are its detail', async () => {
    const folder = temporaryFolder();
    const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
    const workspace = openWorkspace({ environment });
    writeFileSync(
      join(folder, 'TODO.md'),
      '# Share <!-- a title -->\n\n- [x] Share by e-mail <!-- done by Bob -->\n- [ ] Write the changelog\n',
    );
    await workspace.init({ from: 'TODO.md' }).result;
    await workspace.sync('TODO.md');
    expect(readFileSync(join(folder, 'TODO.md'), 'utf8')).toMatch(/<!-- done by Bob --> <!-- goal:\w+ -->\n/);
    const { plan } = await workspace.init({ from: 'TODO.md' }).result;
    const { goals = [] } = await workspace.status({ plan: plan.id, verbose: true });
    expect(goals.map(({ description }) => description)).toEqual([
      'Share',
      'Share by e-mail',
      'Write the changelog',
    ]);
    expect((await workspace.show('2', { plan: plan.id })).goal.detail).toBeUndefined();
    expect((await workspace.show('1', { plan: plan.id })).goal.detail).toContain('<!-- done by Bob -->');
    expect(JSON.stringify(goals)).not.toContain('plan:');
  });

  test('of a checklist are no words, and stay where the words change, the mark among them', async () => {
    const place = await newChecklistPlace(['Bake', 'Sell']);
    await place.sync();
    place.write(
      place
        .read()
        .replace(/Bake (<!--.*-->)/, 'Bake $1 <!-- ask Bob -->')
        .replace('Sell', 'Sell <!-- to whom? --> rye, `<!-- code -->` \\<!-- escaped --> and <!-- open'),
    );
    expect((await place.sync()).contradictions).toEqual([]);
    expect(await outline(place)).toEqual([
      '1 Bake',
      '2 Sell rye, `<!-- code -->` <!-- escaped --> and <!-- open',
    ]);
    await place.workspace.edit('1', { description: 'Bake early' });
    await place.sync();
    expect(withoutMarks(place.read())).toContain('- [ ] Bake early <!-- ask Bob -->\n');
    expect(await outline(place)).toContain('1 Bake early');
    expect((await place.sync()).lines).toEqual({ added: 0, removed: 0 });
  });
});

test('an export of a plan is no checklist, whatever plan is named', async () => {
  const user = newUser();
  await user.run(['init', 'Todo', '--no-decompose']);
  await user.run(['add', 'Alpha']);
  await user.run(['export', '--format', 'markdown', '-o', 'M.md']);
  const before = readFileSync(join(user.folder, 'M.md'), 'utf8');
  for (const more of [[], ['--plan', 'todo']]) {
    const refused = await user.run(['sync', 'M.md', ...more]);
    expect(refused).toMatchObject({ status: 2, error: expect.stringContaining('is the export of a plan') });
  }
  expect(readFileSync(join(user.folder, 'M.md'), 'utf8')).toBe(before);
});
