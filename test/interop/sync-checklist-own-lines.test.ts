import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';
import type { ChecklistPlace } from '../support/checklist-place.js';

const NOTHING = { made: {}, lines: { added: 0, removed: 0 }, contradictions: [] };

/** Brings both sides in step again, which finds nothing new, and changes neither. */
async function expectInStep(place: ChecklistPlace): Promise<void> {
  const [text, goals] = [place.read(), await outline(place)];
  expect(await place.sync()).toMatchObject(NOTHING);
  expect(place.read()).toBe(text);
  expect(await outline(place)).toEqual(goals);
}

describe('a file with lists of one’s own', () => {
  test.each([
    ['below a plain bullet', '- Notes\n  - [ ] ask Bob\n\n- [ ] buy milk\n'],
    [
      'below headings and plain bullets, farther right and left',
      '# R\n\n- FR-1\n    - [ ] a\n    - [x] b\n\n## More\n\n- [ ] c\n  - [ ] d\n- FR-2\n  - [ ] e\n\n1. [ ] f\n\nThe end.\n',
    ],
    ['only below a plain bullet', '- Notes\n  - [ ] ask Bob\n'],
    ['with tabs', '- Notes\n\t- [ ] ask Bob\n- [ ] buy milk\n\t- [ ] oat\n'],
  ])(
    '%s is in step after one sync, with the goals of the plan at its outermost level',
    async (_where, text) => {
      const place = await newChecklistPlace(['Paint', 'Sweep']);
      place.write(text);
      await place.sync();
      const goals = await outline(place);
      expect(goals.slice(-2).map((goal) => goal.replace(/^\d+ /, ''))).toEqual(['Paint', 'Sweep']);
      await expectInStep(place);
      // Nothing that was written is lost or moved to the side.
      const lines = withoutMarks(place.read()).split('\n');
      for (const line of text.trimEnd().split('\n')) expect(lines).toContain(line);
      // Later goals of the plan, wherever they stand there, come to stand where nothing becomes a part of them.
      await place.workspace.add('First of all', { at: 1 });
      await place.sync();
      await expectInStep(place);
      expect((await outline(place))[0]).toBe('1 First of all');
    },
  );
});

describe('lines that somebody wrote himself', () => {
  test('are goals again after the sync that made goals of them was undone', async () => {
    const place = await newChecklistPlace(['Paint']);
    const own = '- [ ] buy milk\n- [x] call Bob\n  - [ ] by phone\n';
    place.write(own);
    await place.sync();
    const [text, goals] = [place.read(), await outline(place)];
    await place.workspace.undo();
    expect(await outline(place)).toEqual(['1 Paint']);
    const again = await place.sync();
    expect(again.lines).toEqual({ added: 3, removed: 3 });
    expect(withoutMarks(place.read())).toBe(withoutMarks(text));
    expect(await outline(place)).toEqual(goals);
    await expectInStep(place);
    // Undone and redone they are the same goals, and one that is removed takes its line with it.
    await place.workspace.undo();
    await place.workspace.redo();
    await expectInStep(place);
    await place.workspace.remove('1');
    await place.sync();
    expect(withoutMarks(place.read())).not.toContain('buy milk');
    await expectInStep(place);
  });

  test('stay where the plan that was found in them is undone', async () => {
    const place = await newChecklistPlace(['buy milk', 'call Bob']);
    place.write('# Mine\n\n- [ ] buy milk\n- [ ] call Bob\n');
    await place.sync();
    await place.workspace.undo(undefined, { any: true });
    expect(await outline(place)).toEqual([]);
    await place.sync();
    expect(withoutMarks(place.read())).toContain('- [ ] buy milk\n- [ ] call Bob\n');
    expect(await outline(place)).toEqual(['1 buy milk', '2 call Bob']);
    await expectInStep(place);
  });

  test('go with all else that a later sync brought when that is undone, and come again when it is redone', async () => {
    const place = await newChecklistPlace(['Alpha', 'Beta', 'Gamma']);
    await place.sync();
    const before = place.read();
    const text = before.replace('[ ] Alpha', '[x] Alpha').replace('Beta', 'Better');
    place.write(text.replace(/^(.*Gamma.*\n)/m, '$1- [ ] Delta\n'));
    await place.sync();
    const after = place.read();
    await place.workspace.undo();
    expect(await place.sync()).toMatchObject({ made: {}, contradictions: [] });
    expect(place.read()).toBe(before);
    await place.workspace.redo();
    await place.sync();
    expect(place.read()).toBe(after);
  });

  test('do not hold the line of a goal that was added and undone in the plan', async () => {
    const place = await newChecklistPlace(['Paint']);
    await place.sync();
    await place.workspace.add('Sweep');
    await place.sync();
    expect(place.read()).toContain('Sweep');
    await place.workspace.undo();
    await place.sync();
    expect(place.read()).not.toContain('Sweep');
    expect(await outline(place)).toEqual(['1 Paint']);
  });
});

describe('the document that a plan was made from', () => {
  async function madeFrom(text: string) {
    const place = await newChecklistPlace();
    writeFileSync(join(place.folder, 'DOC.md'), text);
    const { plan } = await place.workspace.init({ from: 'DOC.md', expander: 'rules' }).result;
    const sync = async () => place.workspace.sync('DOC.md', { plan: plan.id });
    return { ...place, plan, sync };
  }

  test.each([
    ['- [ ] Paint the fence\n  and the gate\n- [ ] Sweep\n', /gate” stands after a box .*in several lines/],
    [
      '- [ ] 1. Paint\n- [ ] 2. Sweep\n',
      /“Paint”, 2 “Sweep” stand after a box in other words than in the plan, such as with a number/,
    ],
    [
      '- [ ] 1. Paint\n- [ ] 2. Sweep\n- Mow\n',
      /where 3 “Mow” has no line with a box and would appear twice/,
    ],
  ])('is refused in the right words where its lines are not the goals’: %j', async (text, message) => {
    const { sync } = await madeFrom(text);
    await expect(sync()).rejects.toMatchObject({ message: expect.stringMatching(message) as string });
  });

  test.each([
    [
      'headings above its boxes',
      '## Data\n\n- [ ] Export the orders\n\n## Design\n\n- [ ] Draw the screens\n',
    ],
    ['no boxes', '# Shop\n\n- Export the orders\n- Draw the screens\n'],
    [
      'criteria with boxes',
      '- [ ] Export the orders\n- [ ] Draw the screens\n\n## Acceptance criteria\n\n- [ ] It is fast\n',
    ],
  ])('is refused with %s, and nothing is doubled', async (_what, text) => {
    const { sync, workspace, folder, plan } = await madeFrom(text);
    const before = (await workspace.tree(plan.id)).goals;
    await expect(sync()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('was made from') as string,
      hint: expect.stringContaining('plan sync CHECKLIST.md') as string,
    });
    expect((await workspace.tree(plan.id)).goals).toEqual(before);
    await workspace.sync('CHECKLIST.md', { plan: plan.id });
    const own = { folder, read: () => '', sync: async () => workspace.sync('CHECKLIST.md') };
    expect(await own.sync()).toMatchObject(NOTHING);
  });

  test('is kept in step where every goal of it is a line with a box', async () => {
    const { sync, workspace, plan } = await madeFrom('- [ ] Export the orders\n- [ ] Draw the screens\n');
    expect(await sync()).toMatchObject({ made: {}, contradictions: [] });
    expect((await workspace.tree(plan.id)).goals).toHaveLength(3);
    expect(await sync()).toMatchObject(NOTHING);
  });
});
