import { expect, test } from 'vitest';

import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';
import type { ChecklistPlace } from '../support/checklist-place.js';

const saying = (text: string) => expect.stringContaining(text) as unknown;

/** A checklist in step with its plan; the lines of one text, and the goal of a number, as they are known. */
async function inStep(text: string) {
  const place = await newChecklistPlace(['Stays first']);
  place.write(`- [ ] Stays first\n${text}`);
  await place.sync();
  return { place, lineOf: (words: string) => lineOf(place, words), idOf: idAt(place) };
}

const lineOf = (place: ChecklistPlace, words: string) =>
  place
    .read()
    .split('\n')
    .find((line) => line.includes(words)) ?? '';

const idAt = (place: ChecklistPlace) => async (number: string) =>
  (await place.goals()).find((goal) => goal.number === number)?.id;

test('a line that is copied to before its own place is a goal of its own there, and the goal stays where it was', async () => {
  const { place, lineOf: line, idOf } = await inStep('- [ ] Bake\n  note\n- [ ] Sell\n');
  const [bake, sell] = [await idOf('2'), await idOf('3')];
  place.write(place.read().replace(line('Bake'), `${line('Sell')}\n${line('Bake')}`));
  const { made, contradictions } = await place.sync();
  expect(made).toEqual({ goals_added: 1, goal_moved: 1 });
  expect(contradictions).toEqual([saying('line 2 “Sell” has the same mark as line 5')]);
  expect(await outline(place)).toEqual(['1 Stays first', '2 Sell', '3 Bake', '4 Sell']);
  expect([await idOf('3'), await idOf('4')]).toEqual([bake, sell]);
  expect(withoutMarks(place.read())).toContain('- [ ] Sell\n- [ ] Bake\n  note\n- [ ] Sell\n');
});

test('of a line and its copy the one with other words is the new goal, wherever it stands', async () => {
  for (const isBefore of [true, false]) {
    const { place, lineOf: line, idOf } = await inStep('- [ ] Bake\n- [ ] Sell\n');
    const bake = await idOf('2');
    const [own, other] = [line('Bake'), line('Bake').replace('Bake', 'Bake rolls')];
    place.write(place.read().replace(own, isBefore ? `${other}\n${own}` : `${own}\n${other}`));
    expect((await place.sync()).made).not.toHaveProperty('goal_edited');
    const copies = isBefore ? ['2 Bake rolls', '3 Bake'] : ['2 Bake', '3 Bake rolls'];
    expect(await outline(place)).toEqual(['1 Stays first', ...copies, '4 Sell']);
    expect(await idOf(isBefore ? '3' : '2')).toBe(bake);
  }
});

test('a part copied below another goal leaves the part where it was, with what is below it', async () => {
  const {
    place,
    lineOf: line,
    idOf,
  } = await inStep('- [ ] North\n- [ ] South\n  - [ ] Test\n    - [ ] Measure\n    - [ ] Report\n');
  const ids = [await idOf('3.1'), await idOf('3.1.1'), await idOf('3.1.2')];
  const branch = ['Test', 'Measure', 'Report'].map(line).join('\n');
  // The original is reworded, so that only its place says which it is.
  const text = place.read().replace(line('Measure'), line('Measure').replace('Measure', 'Measure twice'));
  place.write(text.replace(line('North'), `${line('North')}\n${branch}`));
  const { made } = await place.sync();
  expect(made).not.toHaveProperty('goal_moved');
  expect(made).toMatchObject({ goals_added: 3, goal_edited: 1 });
  expect(await outline(place)).toEqual([
    '1 Stays first',
    '2 North',
    '2.1 Test',
    '2.1.1 Measure',
    '2.1.2 Report',
    '3 South',
    '3.1 Test',
    '3.1.1 Measure twice',
    '3.1.2 Report',
  ]);
  expect([await idOf('3.1'), await idOf('3.1.1'), await idOf('3.1.2')]).toEqual(ids);
  expect((await place.sync()).made).toEqual({});
});

test('a parent whose line alone is copied keeps its parts', async () => {
  const { place, lineOf: line, idOf } = await inStep('- [ ] Bake\n  - [ ] Knead\n- [ ] Sell\n');
  const [bake, knead] = [await idOf('2'), await idOf('2.1')];
  const text = place
    .read()
    .replace(line('Bake'), `${line('Bake')}\n${line('Bake').replace('Bake', 'Bake on')}`);
  place.write(text);
  await place.sync();
  expect(await outline(place)).toEqual(['1 Stays first', '2 Bake', '3 Bake on', '3.1 Knead', '4 Sell']);
  expect([await idOf('3'), await idOf('3.1')]).toEqual([bake, knead]);
});

test('of the same lines without marks each is its goal by what is below and beside it', async () => {
  const place = await newChecklistPlace(['Stays first']);
  const parts = ['Ship', 'Deploy', 'Watch'].map((part) => `- [ ] ${part}\n- [ ] Test\n  - [ ] Of ${part}\n`);
  place.write(`- [ ] Stays first\n${parts.join('')}- [ ] Announce\n- [ ] Test\n`);
  await place.sync();
  const before = await place.goals();
  // A copy of it that never had marks, without the first test, and with one ticked and one with a note.
  const copy = withoutMarks(place.read())
    .replace('- [ ] Test\n  - [ ] Of Ship\n', '')
    .replace('- [ ] Test\n  - [ ] Of Watch', '- [x] Test\n  - [x] Of Watch')
    .replace(/- \[ \] Test\n+$/, '- [ ] Test\n  of the announcement\n');
  const other = `${place.folder}/COPY.md`;
  place.write(copy);
  const { writeFileSync, readFileSync } = await import('node:fs');
  writeFileSync(other, copy);
  const plan = (await place.workspace.status()).plan.id;
  const { made } = await place.workspace.sync('COPY.md', { plan });
  expect(made).toEqual({ goal_completed: 1 });
  expect((await place.goals()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(await outline(place)).toContain('7.1 Of Watch ✓');
  expect(withoutMarks(readFileSync(other, 'utf8'))).toContain(
    '- [ ] Announce\n- [ ] Test\n  of the announcement\n',
  );
});
