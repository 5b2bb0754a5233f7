import { expect, test } from 'vitest';

import { newChecklistPlace, withoutMarks } from '../support/checklist-place.js';

const SECTIONS = '# L\n\n## Now\n\n- [ ] A\n- [ ] B\n- [ ] C\n\nBetween.\n\n## Later\n\n- [ ] D\n- [ ] E\n';

/** A list of one’s own that is in step with a plan of nothing else. */
async function listInStep(text: string) {
  const place = await newChecklistPlace();
  const { workspace, write, sync } = place;
  for (const number of ['3', '2', '1']) await workspace.remove(number);
  write(text);
  await sync();
  return place;
}

test.each([
  ['3', { at: 1 }, 'Now C A B | Later D E'],
  ['1', { after: '2' }, 'Now B A C | Later D E'],
  ['1', { after: '3' }, 'Now B C A | Later D E'],
  ['5', { after: '3' }, 'Now A B C | Later E D'],
  ['1', { after: '4' }, 'Now B C | Later D A E'],
  ['1', { after: '5' }, 'Now B C | Later D E A'],
  ['5', { at: 1 }, 'Now E A B C | Later D'],
] as const)(
  'goal %s moved to %j goes there, and no other line changes its section',
  async (goal, to, sections) => {
    const { workspace, read, sync } = await listInStep(SECTIONS);
    await workspace.move(goal, to);
    const { lines } = await sync();
    const [now = [], later = []] = sections.split(' | ').map((section) => section.split(' ').slice(1));
    const listed = (names: readonly string[]) => names.map((name) => `- [ ] ${name}\n`).join('');
    expect(withoutMarks(read()).trimEnd()).toBe(
      `# L\n\n## Now\n\n${listed(now)}\nBetween.\n\n## Later\n\n${listed(later)}`.trimEnd(),
    );
    expect(lines).toEqual({ added: 1, removed: 1 });
    expect(await sync()).toMatchObject({ made: {}, lines: { added: 0, removed: 0 } });
  },
);

test('a list with empty lines between its items keeps them when one moves, and none comes into one without', async () => {
  const { workspace, read, sync } = await listInStep(
    '# L\n\n- [ ] A\n\n- [ ] B\n\n- [ ] C\n\n## Later\n\n- [ ] D\n- [ ] E\n',
  );
  await workspace.move('3', { at: 1 });
  await workspace.move('2', { after: '4' });
  await sync();
  expect(withoutMarks(read()).trimEnd()).toBe(
    '# L\n\n- [ ] C\n\n- [ ] B\n\n## Later\n\n- [ ] D\n- [ ] A\n- [ ] E',
  );
});

test('what stands below the line of a removed goal goes with it, and comes back with it', async () => {
  const text =
    '# L\n\n- [ ] A\n  note of A\n- [ ] B\n  note of B\n\n  para of B\n  - [ ] Part\n    note of the part\n- [ ] C\n';
  const { workspace, read, sync } = await listInStep(text);
  const before = read();
  await workspace.remove('2');
  await sync();
  expect(withoutMarks(read()).trimEnd()).toBe('# L\n\n- [ ] A\n  note of A\n- [ ] C');
  await workspace.edit('2', { description: 'C, too' });
  await sync();
  await workspace.undo();
  await workspace.undo();
  await sync();
  expect(read()).toBe(before);
  expect(await sync()).toMatchObject({ made: {}, lines: { added: 0, removed: 0 } });
});

test('a goal that moved from below a removed one keeps its line, and what stands below that', async () => {
  const { workspace, read, write, sync } = await listInStep('# L\n\n- [ ] A\n- [ ] B\n  - [ ] Part\n');
  await workspace.move('2.1', { after: '1' });
  await workspace.remove('3');
  write(read().replace(/- \[ \] Part.*/, '$&\n    note of the part'));
  await sync();
  expect(withoutMarks(read()).trimEnd()).toBe('# L\n\n- [ ] A\n- [ ] Part\n  note of the part');
});
