import { existsSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';
import type { ChecklistPlace } from '../support/checklist-place.js';
import { temporaryFolder } from '../support/folders.js';
import { hostileText } from '../support/hostile-text.js';
import { scale } from '../faults/support/scale.js';

type Place = ChecklistPlace;

test('a checklist is made, and ticks, words, new, moved and missing lines of either side reach the other', async () => {
  const place = await newChecklistPlace();
  const { workspace, read, write, sync } = place;
  expect((await sync()).made).toEqual({});
  expect(withoutMarks(read())).toBe('# Open a bakery\n\n- [ ] Find a place\n- [ ] Bake\n- [ ] Sell\n\n\n');
  const text = read();
  expect((await sync()).lines).toEqual({ added: 0, removed: 0 });
  expect(read()).toBe(text);

  const [, , place1 = '', bake = '', sell = ''] = text.split('\n');
  write(
    [
      '# Bakery, by Ana',
      '',
      'Some words.',
      '',
      sell.replace('Sell', 'Sell *rye* bread'),
      '',
      '## First',
      '',
      place1.replace('[ ]', '[x]'),
      '  remember the rent',
      '  - [ ] Sign `the` lease',
      bake,
      '    - [x] Flour',
      '    - [ ] Water',
      '```',
      '- [ ] no goal',
      '```',
    ].join('\n'),
  );
  await workspace.edit('2', { description: 'Bake early' });
  const { made, contradictions } = await sync();
  expect(await outline(place)).toEqual([
    '1 Sell *rye* bread',
    '2 Find a place ✓',
    '2.1 Sign `the` lease ✓',
    '3 Bake early',
    '3.1 Flour ✓',
    '3.2 Water',
  ]);
  expect(made).toMatchObject({ goals_added: 3, goal_edited: 1, goal_completed: 2 });
  expect(contradictions).toEqual([]);
  // All that the file brought is one change.
  await workspace.undo();
  expect(await outline(place)).toEqual(['1 Find a place', '2 Bake early', '3 Sell']);
  await workspace.redo();
  expect(withoutMarks(read())).toBe(
    [
      '# Bakery, by Ana',
      '',
      'Some words.',
      '',
      '- [ ] Sell *rye* bread',
      '',
      '## First',
      '',
      '- [x] Find a place',
      '  remember the rent',
      '  - [x] Sign `the` lease',
      '- [ ] Bake early',
      '    - [x] Flour',
      '    - [ ] Water',
      '```',
      '- [ ] no goal',
      '```',
      '',
      '',
      '',
    ].join('\n'),
  );
  // The plan's side: a goal goes, one moves, one is done; the file's side: a line goes.
  await workspace.remove('1');
  await workspace.move('2.2', { under: 'root', at: 1 });
  write(read().replace(/^ {4}- \[x\] Flour.*\n/m, ''));
  const second = await sync();
  expect(second.contradictions).toEqual([expect.stringContaining('Flour') as unknown]);
  expect(await outline(place)).toEqual([
    '1 Water',
    '2 Find a place ✓',
    '2.1 Sign `the` lease ✓',
    '3 Bake early ✓',
    '3.1 Flour ✓',
  ]);
  expect(withoutMarks(read())).toContain('Some words.');
  expect(withoutMarks(read())).toContain('- [x] Bake early\n');
});

test('a plan refuses, a goal is gone, an id stands twice: it is said, and nothing that was written is lost', async () => {
  const place = await newChecklistPlace();
  const { workspace, read, write, sync } = place;
  await sync();
  await workspace.claim('2', { by: 'rival' });
  await workspace.complete('1');
  write(
    read()
      .replace('Bake', 'Bake cakes')
      .replace('[ ] Find a place', '[ ] Find a big place')
      .replace('- [ ] Sell', '- [x] Sell'),
  );
  const first = await sync();
  expect(first.contradictions.join('\n')).toContain('Bake cakes');
  expect(first.contradictions.join('\n')).toContain('Find a big place');
  expect(read()).toContain('Bake cakes');
  expect(read()).toContain('Find a big place');
  // Once the claim is over, the words that waited reach the plan.
  await workspace.release('2', { force: true });
  await workspace.reopen('1');
  await sync();
  expect(await outline(place)).toEqual(['1 Find a big place', '2 Bake cakes', '3 Sell ✓']);

  write(
    read()
      .replace('Bake cakes', 'Bake pies')
      .replace(/(^- \[x\] Sell.*$)/m, '$1\n$1'),
  );
  await workspace.remove('2');
  const second = await sync();
  expect(second.contradictions.join('\n')).toContain('Bake pies');
  expect(await outline(place)).toEqual(['1 Find a big place', '2 Bake pies', '3 Sell ✓', '4 Sell ✓']);

  // An emptied file takes nothing away.
  write('');
  await sync();
  expect(await outline(place)).toHaveLength(4);
  expect(read().match(/goal:/g)).toHaveLength(4);
});

test('without what was said last, as in another clone, nothing is taken away and ticks of both sides stand', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const other = openWorkspace({
    environment: { workingFolder: place.folder, homeFolder: temporaryFolder(), variables: {} },
  });
  await place.workspace.complete('1');
  place.write(
    place
      .read()
      .replace('[ ] Sell', '[x] Sell')
      .replace(/^- \[ \] Bake.*\n/m, ''),
  );
  await other.sync('TODO.md');
  expect(await outline(place)).toEqual(['1 Find a place ✓', '2 Bake', '3 Sell ✓']);
  expect(withoutMarks(place.read())).toContain('- [x] Find a place\n- [ ] Bake\n- [x] Sell\n');
});

test('a list of one’s own becomes goals, or is found again in the plan that was made of it', async () => {
  const place = await newChecklistPlace(['Bake', 'Sell']);
  place.write('\r\n* [x] Bake\r\n* [ ] Wash up\r\n\t* [ ] Dry\r\n');
  await place.sync();
  expect(await outline(place)).toEqual(['1 Bake ✓', '2 Wash up', '2.1 Dry', '3 Sell']);
  expect(withoutMarks(place.read())).toBe(
    '\r\n* [x] Bake\r\n* [ ] Wash up\r\n\t* [ ] Dry\r\n- [ ] Sell\r\n\r\n\r\n',
  );
  const { plan } = await place.sync();
  place.write(place.read().replace(`plan:${plan.id}`, 'plan:00000000'));
  await expect(place.sync()).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
  await expect(place.workspace.sync('TODO.md', { plan: plan.id })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  await expect(place.workspace.sync('new.md', { dryRun: true })).resolves.toMatchObject({ dry_run: true });
  expect(existsSync(join(place.folder, 'new.md'))).toBe(false);
});

test('new lines below one that is done stand one level higher, in the order of the file', async () => {
  const place = await newChecklistPlace(['A', 'B']);
  await place.sync();
  await place.workspace.complete('1');
  await place.sync();
  place.write(place.read().replace(/^(- \[x\] A.*\n)/m, '$1  - [ ] Sub\n- [ ] C\n'));
  const { contradictions } = await place.sync();
  expect(contradictions).toEqual([
    expect.stringContaining('“Sub” became a goal one level higher') as unknown,
  ]);
  expect(await outline(place)).toEqual(['1 A ✓', '2 Sub', '3 C', '4 B']);
  expect(withoutMarks(place.read())).toContain('- [x] A\n- [ ] Sub\n- [ ] C\n- [ ] B\n');
});

test('whatever a goal says, it is one line, and no other goal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileText, { minLength: 1, maxLength: 5 }), async (texts) => {
      const given = [...new Set(texts.map((text) => text.trim()))].filter(
        (text) => text !== '' && text.length < 5000,
      );
      fc.pre(given.length > 0);
      const place = await newChecklistPlace();
      for (const text of given) await place.workspace.add(text).catch(() => undefined);
      const before = await outline(place);
      await place.sync();
      const written = place.read();
      const { made, contradictions } = await place.sync();
      expect([made, contradictions]).toEqual([{}, []]);
      expect(place.read()).toBe(written);
      expect(await outline(place)).toEqual(before);
    }),
    { numRuns: scale(10, 4) },
  );
});

const WORDS = ['flour', 'oven', 'rent', 'shop', 'salt', 'yeast'] as const;
/** What somebody does to the file or to the plan: which line or goal, and what. */
const deed = fc.record({
  side: fc.constantFrom('file', 'plan'),
  kind: fc.constantFrom(
    'tick',
    'untick',
    'edit',
    'add',
    'addBelow',
    'move',
    'remove',
    'prose',
    'code',
    'comment',
  ),
  at: fc.nat(11),
  to: fc.nat(11),
  word: fc.constantFrom(...WORDS),
});
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

/** What was written or ticked and has not been taken back since, by the words of the line. */
interface Promises {
  readonly written: Set<string>;
  /** By the words, the mark of the line. */
  readonly ticked: Map<string, string>;
}

let counter = 0;

const wordsOf = (line: string) => /\] (.*?)(?: <!--|$)/.exec(line)?.[1] ?? '';

/** Each goal of a file with the one above it, as the lines are indented. */
function treeOf(file: string): readonly (readonly string[])[] {
  let above: { indent: number; goal: string }[] = [];
  return file.split('\n').flatMap((line) => {
    const [, space = '', goal] = /^( *)- \[.\] .*<!-- goal:(\S+) -->$/.exec(line) ?? [];
    if (goal === undefined) return [];
    above = above.filter(({ indent }) => indent < space.length);
    const parent = above.at(-1)?.goal ?? 'root';
    above.push({ indent: space.length, goal });
    return [[goal, parent]];
  });
}

function inFile({ read, write }: Place, { kind, at, to, word }: Deed, { written, ticked }: Promises): void {
  const lines = read().split('\n');
  const items = lines.flatMap((line, index) => (/^ *- \[[ x]\] (?!code )/.test(line) ? [index] : []));
  const index = items[at % Math.max(1, items.length)];
  const line = index === undefined ? undefined : lines[index];
  const text = `${word} ${(counter += 1)}`;
  // Text at the margin would end a block of code that is in an item.
  if (kind === 'prose') lines.splice((items[to % Math.max(1, items.length)] ?? -1) + 1, 0, `Note ${text}`);
  else if (kind === 'code' || kind === 'comment')
    lines.splice(
      (index ?? 0) + 1,
      0,
      ...(kind === 'code' ? `~~~\n- [ ] code ${text}\n~~~` : `<!--\n- [ ] code ${text}\n-->`)
        .split('\n')
        .map((each) => (to % 2 ? `  ${each}` : each)),
    );
  else if (kind === 'add') lines.splice(items[0] ?? lines.length, 0, `- [ ] ${text}`);
  else if (index === undefined || line === undefined) return;
  else if (kind === 'tick') lines[index] = line.replace('[ ]', '[x]');
  else if (kind === 'untick') lines[index] = line.replace('[x]', '[ ]');
  else if (kind === 'edit') lines[index] = line.replace(wordsOf(line), text);
  else if (kind === 'addBelow') lines.splice(index + 1, 0, `${/^ */.exec(line)?.[0] ?? ''}  - [ ] ${text}`);
  else {
    lines.splice(index, 1);
    const target = items[to % items.length] ?? 0;
    if (kind === 'move') lines.splice(target, 0, line.trimStart());
  }
  if (kind === 'edit' || kind === 'remove') written.delete(wordsOf(line ?? ''));
  if (['prose', 'code', 'comment', 'add', 'edit', 'addBelow'].includes(kind)) written.add(text);
  if (kind === 'tick' && line?.includes('[ ]') === true)
    ticked.set(wordsOf(line), /goal:\S+ -->/.exec(line)?.[0] ?? `] ${wordsOf(line)} <`);
  else if (line !== undefined && !['prose', 'code', 'comment', 'add', 'tick'].includes(kind))
    ticked.delete(wordsOf(line));
  write(lines.join('\n'));
}

async function inPlan(place: Place, { kind, at, to, word }: Deed): Promise<void> {
  const { workspace } = place;
  const goals = (await place.goals()).filter(({ number }) => number !== '');
  const one = goals[at % Math.max(1, goals.length)];
  const other = goals[to % Math.max(1, goals.length)];
  const text = `${word} ${(counter += 1)}`;
  if (kind === 'add' || ['prose', 'code', 'comment'].includes(kind) || one === undefined)
    await workspace.add(text);
  else if (kind === 'tick') await workspace.complete(one.id, { force: true });
  else if (kind === 'untick') await workspace.reopen(one.id);
  else if (kind === 'edit') await workspace.edit(one.id, { description: text });
  else if (kind === 'addBelow') await workspace.add(text, { under: one.id });
  else if (kind === 'move') await workspace.move(one.id, { under: other?.id ?? 'root' });
  else await workspace.remove(one.id);
}

test('any edits on both sides converge, and nothing that was ticked or written is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      async (rounds) => {
        const place = await newChecklistPlace();
        await place.sync();
        for (const deeds of rounds) {
          const promises: Promises = { written: new Set(), ticked: new Map() };
          for (const each of deeds)
            if (each.side === 'file') inFile(place, each, promises);
            // What a plan refuses, nobody has done.
            else await inPlan(place, each).catch(() => undefined);
          await place.sync();
          const file = place.read();
          const again = await place.sync();
          // In step: nothing is left to do, and both say the same.
          expect(place.read()).toBe(file);
          const goals = (await place.goals()).filter(({ number }) => number !== '');
          for (const { id, description, status } of goals) {
            const line = file.split('\n').find((each) => each.includes(`goal:${id.slice(9)} -->`)) ?? '';
            if (again.contradictions.length > 0) continue;
            expect(line).toContain(description);
            expect(line.includes('[x]')).toBe(status === 'complete');
          }
          for (const text of promises.written) expect(file).toContain(text);
          // A ticked line is there, under its mark or, where the plan had taken its goal away, with its words.
          for (const [text, mark] of promises.ticked) {
            const line = file.split('\n').find((each) => each.includes(mark) || each.includes(`] ${text} <`));
            expect([text, line]).toEqual([text, expect.any(String)]);
            const isOpen = line?.includes('[x]') !== true && again.contradictions.length === 0;
            expect(isOpen && !hasOpenPart(goals, wordsOf(line ?? ''))).toBe(false);
          }
          const parents = goals.map(({ id, parent_id }) => [id.slice(9), parent_id?.slice(9) ?? '']);
          expect(again.contradictions.length > 0 ? parents : treeOf(file)).toEqual(parents);
        }
      },
    ),
    { numRuns: Number(process.env.SYNC_RUNS ?? scale(20, 8)) },
  );
});

/** Whether a goal is open because something was put below it after it was ticked. */
function hasOpenPart(
  goals: readonly { readonly description: string; readonly child_ids: readonly string[] }[],
  text: string,
): boolean {
  return goals.some(({ description, child_ids }) => description === text && child_ids.length > 0);
}
