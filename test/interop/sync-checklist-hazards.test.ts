import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';

const saying = (text: string) => expect.stringContaining(text) as unknown;

test('code in a line, and a block of code that its item ends, hide no line below them', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const code = place
    .read()
    .replace(/^(.*Find a place.*\n)/m, '$1  ```npm ci``` comes first\n')
    .replace(/^(.*Bake.*\n)/m, '$1  ```sh\n  npm test\n\n');
  place.write(code);
  expect(await place.sync()).toMatchObject({ made: {}, contradictions: [], lines: { added: 0, removed: 0 } });
  // A part that comes later is not put into the code.
  await place.workspace.add('Knead', { under: '2' });
  await place.sync();
  expect(withoutMarks(place.read())).toContain(
    '- [ ] Bake\n  - [ ] Knead\n  ```sh\n  npm test\n\n- [ ] Sell\n',
  );
  expect((await place.sync()).made).toEqual({});
  expect(await outline(place)).toEqual(['1 Find a place', '2 Bake', '2.1 Bake', '2.2 Knead', '3 Sell']);
});

test('a block of code at the margin that nothing closes is refused, and one that holds a line keeps its goal', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const text = place.read();
  place.write(text.replace(/^(.*Bake)/m, '```\n$1'));
  await expect(place.sync()).rejects.toMatchObject({ code: 'INVALID_INPUT', message: saying('at line 4') });
  place.write(text.replace(/^(.*Bake.*\n)/m, '```\n$1```\n'));
  expect((await place.sync()).contradictions).toEqual([saying('its mark still stands in the text')]);
  expect(await outline(place)).toHaveLength(3);
});

test('a file that was cut off anywhere removes nothing, makes nothing, and says so', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const whole = place.read();
  const lines = whole.trimEnd().split('\n');
  const second = whole.indexOf('Bake');
  for (const length of [second - 6, second + 2, second + 4, second + 10, whole.indexOf('- [ ] Sell') + 20]) {
    place.write(whole.slice(0, length));
    const { made, contradictions } = await place.sync();
    expect([length, made]).toEqual([length, {}]);
    const isSaid = contradictions.some((each) =>
      each.includes('nothing is removed; put back: 2 “Bake”, 3 “Sell”'),
    );
    expect(isSaid).toBe(length < second);
    expect(await outline(place)).toEqual(['1 Find a place', '2 Bake', '3 Sell']);
    for (const line of lines.slice(0, -2)) expect(place.read()).toContain(line);
  }
  place.write(whole.slice(0, -8));
  expect(await place.sync()).toMatchObject({ made: {}, contradictions: [] });
  expect(place.read()).toBe(whole);
});

test('two at once make one goal of each new line', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const environment = { workingFolder: place.folder, homeFolder: place.homeFolder, variables: {} };
  const added = Array.from({ length: 20 }, (_each, index) => `- [ ] New ${index}`);
  place.write(place.read().replace(/^(.*Sell.*\n)/m, `$1${added.join('\n')}\n`));
  await Promise.all([1, 2, 3].map(async () => openWorkspace({ environment }).sync('TODO.md')));
  expect(await outline(place)).toHaveLength(23);
  expect((await place.sync()).made).toEqual({});
  expect(readdirSync(join(place.folder, '.plans')).filter((name) => name.includes('sync-'))).toEqual([]);
});

test('in a renamed file the line of a removed goal is said, and no goal again', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  await place.workspace.remove('2');
  renameSync(place.path, join(place.folder, 'RENAMED.md'));
  for (const _time of [1, 2]) {
    const { made, contradictions } = await place.workspace.sync('RENAMED.md');
    expect([made, contradictions]).toEqual([{}, [saying('line 4 “Bake” is marked goal:')]]);
  }
  expect(readFileSync(join(place.folder, 'RENAMED.md'), 'utf8')).toMatch(/^- \[ \] Bake <!--/m);
  expect(await outline(place)).toEqual(['1 Find a place', '2 Sell']);
});

test('marks of a git conflict are refused with their line', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  place.write(place.read().replace(/^(.*Bake.*)$/m, '<<<<<<< HEAD\n$1\n=======\n$1 now\n>>>>>>> other'));
  const before = place.read();
  await expect(place.sync()).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: saying('git conflict at line 4'),
  });
  expect(place.read()).toBe(before);
  expect(await outline(place)).toHaveLength(3);
});

test('a line that stands twice says so', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  place.write(place.read().replace(/^(.*Sell.*)$/m, '$1\n$1'));
  expect((await place.sync()).contradictions).toEqual([saying('line 6 “Sell” has the same mark as line 5')]);
});

test('a note at the margin does not end an item, a heading does', async () => {
  const place = await newChecklistPlace(['A']);
  const text =
    '- [ ] A\n\nnote\n\n  - [ ] A1\n\n## Next\n  - [ ] B\nUnder\n---\n  - [ ] C\n- plain\n  - [ ] D\n';
  place.write(text);
  await place.sync();
  expect(await outline(place)).toEqual(['1 A', '1.1 A1', '2 B', '3 C', '4 D']);
  expect(withoutMarks(place.read())).toBe(`${text}\n\n`);
  expect((await place.sync()).lines).toEqual({ added: 0, removed: 0 });
});

test('a plan that is deleted for good leaves nothing in the user’s own folder', async () => {
  const place = await newChecklistPlace();
  const { plan } = await place.sync();
  const own = join(place.homeFolder, '.config', 'frctl', 'checklists');
  expect(readdirSync(own)).toEqual([expect.stringMatching(new RegExp(`^${plan.id}-`)) as unknown]);
  await place.workspace.delete(plan.id, { purge: true });
  expect(existsSync(own) ? readdirSync(own) : []).toEqual([]);
});

test('an emptied line is named and gets its words back; spaces in a line are no depth', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const whole = place.read();
  place.write(whole.replace('Bake ', ''));
  expect((await place.sync()).contradictions).toEqual([
    saying('line 4 has no words left; 2 “Bake” keeps its text'),
  ]);
  expect(place.read()).toBe(whole);
  place.write(`${whole}Note${' '.repeat(2000)}end\n`);
  await place.sync();
  place.write(`${' '.repeat(1000)}- [ ] deep\n`);
  await expect(place.sync()).rejects.toMatchObject({ message: saying('is nested too deep') });
});

test('each line keeps its own end', async () => {
  const place = await newChecklistPlace(['A']);
  place.write('# Mine\r\n\r\n- [ ] A\r\nsome\n- [ ] B\ntext\r\n- [ ] C');
  await place.sync();
  expect(withoutMarks(place.read())).toBe(
    '# Mine\r\n\r\n- [ ] A\r\nsome\n- [ ] B\ntext\r\n- [ ] C\r\n\r\n\r\n',
  );
});

test('a tick waits as a completion does, and those that it waits for can stand below it', async () => {
  const place = await newChecklistPlace(['A', 'B', 'C']);
  await place.workspace.depend('1', { on: ['2'] });
  await place.workspace.depend('2', { on: ['3'] });
  await place.sync();
  place.write(place.read().replace('[ ] A', '[x] A'));
  expect((await place.sync()).contradictions).toEqual([
    saying('1 “A” is ticked, which the plan refuses: goal 1 “A” waits for 2 “B”'),
  ]);
  expect(place.read()).toContain('[x] A');
  place.write(place.read().replaceAll('[ ]', '[x]'));
  expect((await place.sync()).contradictions).toEqual([]);
  expect(await outline(place)).toEqual(['1 A ✓', '2 B ✓', '3 C ✓']);
});

test.each([
  ['code', ['  ```sh', '  make']],
  ['a comment', ['  <!-- note', '  of mine']],
])(
  'text at the margin keeps what stands below it where it is: %s that its item alone ends',
  async (_what, block) => {
    const place = await newChecklistPlace();
    const own = ['- [ ] a', 'Some text', ...block, '- plain item', '- [ ] b', '# Later', 'closing words'];
    place.write(`${own.join('\n')}\n`);
    await place.sync();
    const lines = withoutMarks(place.read()).split('\n');
    expect(lines.filter((line) => own.includes(line))).toEqual(own);
    expect(await place.sync()).toMatchObject({
      made: {},
      contradictions: [],
      lines: { added: 0, removed: 0 },
    });
    expect(place.read().match(/<!-- plan:/g)).toHaveLength(1);
  },
);

test('a line is a goal whatever separators of lines stand in its words, and a byte order mark stays', async () => {
  const place = await newChecklistPlace();
  place.write('\uFEFF- [ ] Find\u2028a place\n- [ ] Bake\rbread\n');
  await place.sync();
  expect(await outline(place)).toEqual(expect.arrayContaining([expect.stringMatching(/Bake bread$/)]));
  expect(place.read()).toMatch(/^\uFEFF- \[ \] Find\u2028a place <!-- goal:/);
  expect(await place.sync()).toMatchObject({ made: {}, lines: { added: 0, removed: 0 } });
  place.write('\uFEFF{"a":1}\n');
  await expect(place.sync()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a line that breaks at its end keeps its break, and is called by its words', async () => {
  const place = await newChecklistPlace(['A']);
  const text = '- [ ] First\\\n  goes on\n- [ ] Second  \n  goes on\n- [ ] Third\\\\\n';
  place.write(text);
  await place.sync();
  expect(await outline(place)).toEqual(['1 First', '2 Second', '3 Third\\', '4 A']);
  expect(withoutMarks(place.read())).toBe(`${text}- [ ] A\n\n\n`);
  await place.workspace.complete('1');
  await place.workspace.complete('2');
  await place.sync();
  expect(withoutMarks(place.read())).toContain(
    '- [x] First\\\n  goes on\n- [x] Second  \n  goes on\n- [ ] Third\\\\\n',
  );
  expect((await place.sync()).lines).toEqual({ added: 0, removed: 0 });
});

test('a box without a blank beside it is no goal, stays, and is named', async () => {
  const place = await newChecklistPlace(['A']);
  const text = '- [ ] Seven\n-[ ] Eight\n- [x]Nine\n- [-]Ten\n\n```\n-[ ] code\n```\n';
  place.write(text);
  const { warnings } = await place.sync();
  expect(warnings).toEqual([{ code: 'MISTYPED_BOX', message: saying('lines 2, 3, 4') }]);
  expect(await outline(place)).toEqual(['1 Seven', '2 A']);
  expect(withoutMarks(place.read())).toContain('-[ ] Eight\n- [x]Nine\n');
});
