import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';
import type { ChecklistPlace } from '../support/checklist-place.js';

const saying = (text: string) => expect.stringContaining(text) as unknown;

/** A plan and its checklist in a repository, both committed on `main`. */
async function newRepository() {
  const place = await newChecklistPlace(['A', 'B']);
  const git = (...args: readonly string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...who, ...args], {
      cwd: place.folder,
      stdio: 'pipe',
      env: { PATH: process.env.PATH, HOME: place.homeFolder },
    });
  };
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'x', '--allow-empty');
  };
  git('init', '-q', '-b', 'main');
  await place.sync();
  commit();
  return { ...place, git, commit };
}

const lines = (place: ChecklistPlace) => withoutMarks(place.read()).match(/^ *- .*$/gm);
const QUIET = { made: {}, contradictions: [] };

test('a goal that was completed on two branches stays so', async () => {
  const place = await newRepository();
  place.git('checkout', '-q', '-b', 'x');
  await place.workspace.complete('1');
  await place.sync();
  place.commit();
  place.git('checkout', '-q', 'main');
  await place.workspace.complete('1');
  expect(await place.sync()).toMatchObject(QUIET);
  expect(await outline(place)).toEqual(['1 A ✓', '2 B']);
  expect(lines(place)).toEqual(['- [x] A', '- [ ] B']);
  expect(await place.sync()).toMatchObject({ ...QUIET, lines: { added: 0, removed: 0 } });
});

test('what the plan had before a sync on another branch is not removed, nor its words', async () => {
  const place = await newRepository();
  await place.workspace.add('C');
  await place.workspace.edit('1', { description: 'A now' });
  place.commit();
  place.git('checkout', '-q', '-b', 'x');
  await place.sync();
  place.commit();
  place.git('checkout', '-q', 'main');
  expect(await place.sync()).toMatchObject({ ...QUIET, warnings: [{ code: 'OLDER_FILE' }] });
  expect(await outline(place)).toEqual(['1 A now', '2 B', '3 C']);
  expect(lines(place)).toEqual(['- [ ] A now', '- [ ] B', '- [ ] C']);
});

test('a file that git sets back is no edit, one that a person sets back is', async () => {
  const place = await newRepository();
  await place.workspace.complete('1');
  await place.sync();
  place.git('checkout', '--', 'TODO.md');
  expect((await place.workspace.sync('TODO.md', { dryRun: true })).made).toEqual({});
  const { made, warnings } = await place.sync();
  expect([made, warnings]).toEqual([
    {},
    [{ code: 'OLDER_FILE', message: saying('as git has it committed') }],
  ]);
  expect(await outline(place)).toEqual(['1 A ✓', '2 B']);
  expect(lines(place)).toEqual(['- [x] A', '- [ ] B']);
  place.commit();
  place.write(place.read().replace('[x]', '[ ]'));
  expect(await place.sync()).toMatchObject({ made: { goal_reopened: 1 }, contradictions: [] });
});

test('a plan that git sets back alone keeps its state, and lines of goals that it never had stay', async () => {
  const place = await newRepository();
  place.git('checkout', '-q', '-b', 'x');
  await place.workspace.complete('1');
  await place.workspace.add('C');
  await place.sync();
  place.git('commit', '-qm', 'the plan', '--', '.plans');
  place.git('checkout', '-q', 'main');
  const { made, contradictions } = await place.sync();
  expect([made, contradictions]).toEqual([{}, [saying('which this plan never had')]]);
  expect(await outline(place)).toEqual(['1 A', '2 B']);
  expect(lines(place)).toEqual(['- [ ] A', '- [ ] B', '- [ ] C']);
});

test('edits of a file that another branch brought are edits of that, and those of no branch as ever', async () => {
  const place = await newRepository();
  place.git('checkout', '-q', '-b', 'x');
  await place.workspace.complete('1');
  await place.workspace.add('X');
  await place.sync();
  place.commit();
  place.git('checkout', '-q', 'main');
  await place.workspace.add('M');
  place.write(place.read().replace('- [ ] B', '- [x] B'));
  expect(await place.sync()).toMatchObject({ made: { goal_completed: 1 }, contradictions: [] });
  expect(await outline(place)).toEqual(['1 A', '2 B ✓', '3 M']);
  place.commit();
  place.git('checkout', '-q', 'x');
  place.write(place.read().replace(/^.*\bX\b.*\n/m, ''));
  expect(await place.sync()).toMatchObject({ made: { goal_removed: 1 }, contradictions: [] });
  expect(await outline(place)).toEqual(['1 A ✓', '2 B']);
});

test('a file that git brings to a plan that stays is the base of its edits', async () => {
  const place = await newRepository();
  place.git('rm', '-rq', '--cached', '.plans');
  place.git('commit', '-qm', 'without the plan');
  place.git('checkout', '-q', '-b', 'x');
  await place.workspace.complete('1');
  await place.sync();
  place.git('commit', '-qam', 'x');
  place.git('checkout', '-q', 'main');
  place.write(place.read().replace('- [ ] B', '- [x] B'));
  expect(await place.sync()).toMatchObject({
    made: { goal_completed: 1 },
    warnings: [{ code: 'OLDER_FILE' }],
  });
  expect(await outline(place)).toEqual(['1 A ✓', '2 B ✓']);
});
