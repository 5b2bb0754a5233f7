import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { nearestWord } from '../../src/kernel/text/nearest-word.js';
import { agree, carryOut, newPlace, PLAN, prepare } from '../support/approving.js';
import { newChecklistPlace } from '../support/checklist-place.js';

const said = (text: string): string => expect.stringContaining(text) as string;

describe('a run that is over', () => {
  test('has a goal that its hint speaks of as it is', async () => {
    const place = await newPlace();
    const { workspace } = place;
    writeFileSync(join(place.folder, 'goals.md'), '# Notes\n\n- [ ] Write a note\n- [ ] Read it\n');
    await workspace.init({ from: 'goals.md' }).result;
    const again = async (goal: string | undefined, complete: boolean) => {
      const { run, approval } = await workspace.prepare('plan.json', goal === undefined ? {} : { goal });
      await agree(workspace, approval?.code ?? '');
      const claimed = complete ? (await workspace.claim(goal ?? '')).claimed : undefined;
      await workspace.run(run, claimed === undefined ? {} : { complete: claimed.token }).result;
      return { run, again: carryOut(workspace, run) };
    };
    const none = await again(undefined, false);
    await expect(none.again).rejects.toMatchObject({
      code: 'E_PLAN_CONSUMED',
      hint: `Nothing is left to run. \`plan runs show ${none.run}\` shows what it did.`,
    });
    const open = await again('1', false);
    await expect(open.again).rejects.toMatchObject({ hint: said('completes its goal.') });
    const done = await again('2', true);
    await expect(done.again).rejects.toMatchObject({ hint: said('shows what it did; its goal is done.') });
  });

  test('was approved, and a second yes does not say that it is not', async () => {
    const { workspace } = await newPlace();
    const { run, code } = await prepare(workspace);
    await agree(workspace, code);
    await expect(agree(workspace, code)).rejects.toMatchObject({
      message: `${run} is already approved, and a code works once`,
      hint: said(`\`plan run ${run}\` carries it out`),
    });
    await carryOut(workspace, run);
    await expect(agree(workspace, code)).rejects.toMatchObject({
      code: 'E_APPROVAL_CONSUMED',
      message: `${run} is already approved, and a code works once`,
      hint: `The run succeeded; \`plan runs show ${run}\` shows what it did.`,
    });
  });
});

describe('what cannot be prepared', () => {
  test('for a misspelled tool: the tool that is near, those there are, and where to mend it', async () => {
    const [step] = PLAN.steps;
    const { workspace } = await newPlace({ ...PLAN, steps: [{ ...step, tool: 'noet' }] });
    await expect(prepare(workspace)).rejects.toMatchObject({
      message: said('is bound to the tool noet; did you mean note?'),
      hint: expect.stringMatching(
        /^Nothing was prepared\. .*tools\.yaml binds note, look\. Correct the name in the plan, or bind it in that file\.$/,
      ) as string,
    });
  });

  test('for a program in another folder: where it was looked for, and both cures', async () => {
    const tools = `tools:\n  - { name: note, run: { command: [node, links.mjs] } }\n`;
    const place = await newPlace(PLAN, tools);
    const { warnings } = await place.workspace.prepare('plan.json', {});
    expect(warnings).toEqual([
      `note: its command line names links.mjs, and ${place.folder}, where it would run, has no such file. If the file is in another folder, prepare the run in that folder, or in the project that it belongs to. If the program itself makes it, add \`writes: [links.mjs]\` to the tool in the tools file; without that the run is refused once the file is there`,
    ]);
  });

  test.each([
    ['links.fnd', ['report.save', 'links.find'], 'links.find'],
    ['nitialise', ['initialise', 'init'], 'initialise'],
    ['tow', ['two', 'ten'], 'two'],
    ['sell', ['bake', 'wash'], undefined],
    ['same', ['same'], undefined],
    ['', ['a', ''], 'a'],
  ])('%j among %j is near to %j', (word, among, near) => {
    expect(nearestWord(word, among)).toBe(near);
  });
});

describe('a goal that somebody holds', () => {
  test('is told with its holder and end, with another goal first, and force for people last', async () => {
    const { workspace } = await newChecklistPlace(['Bake', 'Sell']);
    const { claimed } = await workspace.claim('1', { by: 'bob' });
    const held = {
      code: 'REFUSED',
      message: `goal 1 “Bake” is claimed; bob holds it until ${claimed.expires_at}`,
      hint: '`plan next` finds another goal. If it is yours, add --token with the token of the claim. A person may take it from its holder with `plan release 1 --force`; an agent does not.',
    };
    await expect(workspace.claim('1', { by: 'eve' })).rejects.toMatchObject(held);
    await expect(workspace.complete('1', { by: 'eve' })).rejects.toMatchObject(held);
    await expect(workspace.edit('1', { description: 'Bake pies', by: 'eve' })).rejects.toMatchObject({
      hint: said('a person may take it'),
    });
  });

  test('and a token that is mistyped: the hint is about the token, also where a result is kept', async () => {
    const { workspace } = await newChecklistPlace(['Bake', 'Sell']);
    const { claimed } = await workspace.claim('1');
    const token = `${claimed.token}x`;
    const hint = said('If it is yours, give the token that `plan claim` or `plan next --claim` printed last');
    for (const refused of [
      () => workspace.renew('1', { token }),
      () => workspace.release('1', { token }),
      () => workspace.complete('1', { token, summary: 'Baked' }),
      () => workspace.fail('1', { token, reason: 'no flour' }),
    ])
      await expect(refused()).rejects.toMatchObject({ hint });
    await workspace.release('1', { token: claimed.token });
    await expect(workspace.renew('1', { token })).rejects.toMatchObject({
      hint: '`plan claim 1` claims it again.',
    });
  });
});
