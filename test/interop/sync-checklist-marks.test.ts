import { expect, test } from 'vitest';

import { newChecklistPlace, withoutMarks } from '../support/checklist-place.js';

const holdsOf = async ({ goals }: Awaited<ReturnType<typeof newChecklistPlace>>) =>
  Object.fromEntries(
    (await goals()).map(({ description, on_hold }) => [description, on_hold?.reason ?? null]),
  );

test.each([
  ['-', '[-] cancelled'],
  ['>', '[>] moved'],
])(
  'a line that gets the mark [%s] puts its goal on hold, and one that loses it ends that',
  async (mark, reason) => {
    const place = await newChecklistPlace();
    await place.sync();
    place.write(place.read().replace('[ ] Bake', `[${mark}] Bake`));
    expect((await place.sync()).made).toEqual({ goal_put_on_hold: 1 });
    expect(await holdsOf(place)).toMatchObject({ Bake: reason, Sell: null });
    expect(withoutMarks(place.read())).toContain(`- [${mark}] Bake`);
    const text = place.read();
    expect((await place.sync()).made).toEqual({});
    expect(place.read()).toBe(text);

    place.write(text.replace(`[${mark}] Bake`, '[x] Bake'));
    const { made, contradictions } = await place.sync();
    expect({ made, contradictions }).toEqual({
      made: { goal_hold_ended: 1, goal_completed: 1 },
      contradictions: [],
    });
    place.write(place.read().replace('[x] Bake', `[${mark}] Bake`));
    expect((await place.sync()).made).toEqual({ goal_reopened: 1, goal_put_on_hold: 1 });
    await place.workspace.unhold('2');
    await place.sync();
    expect(withoutMarks(place.read())).toContain('- [ ] Bake');
    expect(await holdsOf(place)).toMatchObject({ Bake: null });
  },
);

test('what the plan holds by a mark is written with it, and other holds leave the box as it is', async () => {
  const place = await newChecklistPlace();
  await place.workspace.hold('1', { reason: '[-] cancelled' });
  await place.workspace.hold('2', { reason: 'the oven is broken' });
  await place.sync();
  expect(withoutMarks(place.read())).toContain('- [-] Find a place\n- [ ] Bake\n');
  place.write(place.read().replace('[-] Find', '[ ] Find'));
  expect((await place.sync()).made).toEqual({ goal_hold_ended: 1 });
  expect(await holdsOf(place)).toMatchObject({ 'Find a place': null, Bake: 'the oven is broken' });
});

test.each(['[]', '[  ]', '[ x]', '[~]', '[/]', '[✓]', '[X]', '[-]', '[>]'])(
  'a line with the box %s is a goal, and stays as it is written',
  async (box) => {
    const place = await newChecklistPlace();
    await place.sync();
    place.write(place.read().replace('- [ ] Sell', `- [ ] Sell\n- ${box} Sweep the floor`));
    const { made, contradictions } = await place.sync();
    expect(made.goals_added).toBe(1);
    expect(contradictions).toEqual([]);
    const swept = (await place.goals()).find(({ description }) => description === 'Sweep the floor');
    expect(swept?.status === 'complete').toBe(/[x✓]/i.test(box));
    place.write(place.read().replace('Sweep the floor', 'Sweep the whole floor'));
    await place.sync();
    expect(withoutMarks(place.read())).toContain(`- ${box} Sweep the whole floor`);
    expect((await place.sync()).made).toEqual({});
  },
);

test('a mark that the plan refuses is named, and the line stays', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  await place.workspace.claim({ goal: '2', by: 'ana' });
  place.write(place.read().replace('[ ] Bake', '[-] Bake'));
  const { made, contradictions } = await place.sync();
  expect(made).toEqual({});
  expect(contradictions).toHaveLength(1);
  expect(contradictions[0]).toContain('is marked [-], which the plan refuses');
  expect(withoutMarks(place.read())).toContain('- [-] Bake');
});
