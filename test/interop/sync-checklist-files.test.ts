import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newChecklistPlace, outline, withoutMarks } from '../support/checklist-place.js';
import { newUser } from '../support/command.js';

const saying = (text: string) => expect.stringContaining(text) as unknown;

test('lists in comments and in HTML that is no Markdown are text, and those after them are goals', async () => {
  const place = await newChecklistPlace(['A']);
  const text = `<!--
- [ ] Not yet
-->
- [ ] A
  <!-- a note
  - [ ] Not yet either
  --> the end
  - [ ] Part of A <!-- a remark -->

<!-- one line --> - [ ] text
- <!--
  - [ ] In a comment of a plain item
- [ ] B
<pre>
- [ ] As it is printed
</pre>
  <!-- - [ ] opened and closed -->
- [ ] C
`;
  place.write(text);
  await place.sync();
  expect(await outline(place)).toEqual(['1 A', '1.1 Part of A', '2 B', '3 C']);
  expect(withoutMarks(place.read())).toBe(`${text}\n\n`);
  expect((await place.sync()).lines).toEqual({ added: 0, removed: 0 });
  await place.workspace.add('Another part', { under: '1' });
  await place.sync();
  expect(withoutMarks(place.read())).toContain('  - [ ] Another part\n');
  const before = place.read();
  place.write(`<!--\n${before}`.replace(/-->/g, '->'));
  await expect(place.sync()).rejects.toMatchObject({ code: 'INVALID_INPUT', message: saying('a comment') });
});

test('a goal that goes into a comment keeps its place in the plan until its mark is gone', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  place.write(place.read().replace(/^(.*Bake)(.*)$/m, '<!--\n$1\n-->'));
  await place.sync();
  expect(await outline(place)).toEqual(['1 Find a place', '2 Sell']);
  expect(place.read()).toContain('<!--\n- [ ] Bake\n-->');
});

test.each([
  ['package.json', '{"name":"x"}\n'],
  ['TODO.md', '[{"task":"x"}]\n'],
  ['tasks.csv', 'a,b\n1,2\n'],
  ['run.sh', 'echo\n'],
  ['TODO.md', 'text\0\n'],
  ['TODO.md', Buffer.from([0xff, 0xfe, 0x41, 0x00])],
  ['new.yaml', null],
])('a file that is no Markdown stays as it is: %s', async (name, content) => {
  const place = await newChecklistPlace();
  const path = join(place.folder, name);
  if (content !== null) writeFileSync(path, content);
  await expect(place.workspace.sync(name)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(existsSync(path) ? readFileSync(path) : null).toEqual(
    content === null ? null : Buffer.from(content),
  );
  expect(await outline(place)).toHaveLength(3);
});

test('a list deeper than a checklist can show is refused before anything is made of it', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  const deep = (levels: number) =>
    Array.from({ length: levels }, (_each, level) => `${' '.repeat(2 * level)}- [ ] L${level}\n`).join('');
  const before = place.read();
  place.write(deep(260) + before);
  await expect(place.sync()).rejects.toMatchObject({ code: 'INVALID_INPUT', message: saying('200 levels') });
  expect(await outline(place)).toHaveLength(3);
  place.write(deep(200) + before);
  await place.sync();
  expect(await outline(place)).toHaveLength(203);
  place.write(place.read().replace(/^( *- \[ \] L199 .*\n)/m, `$1${' '.repeat(400)}- [ ] One more\n`));
  await expect(place.sync()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(await outline(place)).toHaveLength(203);
  place.write(before);
  expect((await place.sync()).made).toMatchObject({ goal_removed: expect.any(Number) as unknown });
});

test('what an editor saves while the file is being replaced is not lost', async () => {
  const place = await newChecklistPlace();
  await place.sync();
  await place.workspace.add('From the plan');
  const saved = place.read().replace(/^(.*Bake.*\n)/m, '$1- [ ] From the editor\n');
  let isSaved = false;
  let isOver = false;
  // As soon as the new text is on its way, and before it is in its place.
  const look = (): void => {
    if (isOver) return;
    const isBeingWritten = readdirSync(place.folder).some((name) => /^TODO\.md\..*\.tmp$/.test(name));
    if (isBeingWritten && !isSaved) {
      isSaved = true;
      writeFileSync(place.path, saved);
    }
    setImmediate(look);
  };
  look();
  await place.sync();
  isOver = true;
  expect(isSaved).toBe(true);
  const goals = await outline(place);
  expect(goals.some((each) => each.endsWith('From the editor'))).toBe(true);
  expect(place.read()).toContain('From the editor');
  expect(place.read()).toContain('From the plan');
});

test('what cannot be kept for the next time is a warning, and the work is told', async () => {
  const user = newUser();
  await user.run(['init', 'Open a bakery', '--expander', 'agent']);
  const answer = { goal: 'root', atomic: false, sub_goals: [{ description: 'Bake', atomic: true }] };
  writeFileSync(join(user.folder, 'answer.json'), JSON.stringify(answer));
  await user.run(['answer', '--from', 'answer.json']);
  // Where it is kept there is a file in place of a folder.
  const own = ['.local/share/frctl', '.config/frctl', '.cache/frctl', '.local/state/frctl'];
  for (const each of own) {
    rmSync(join(user.home, each, 'checklists'), { recursive: true, force: true });
    mkdirSync(join(user.home, each), { recursive: true });
    writeFileSync(join(user.home, each, 'checklists'), '');
  }
  const { status, out, error } = await user.run(['sync', 'TODO.md']);
  expect([status, error]).toEqual([0, saying('warning: the result of this sync could not be stored')]);
  expect(out).toContain('TODO.md: ');
  expect(readFileSync(join(user.folder, 'TODO.md'), 'utf8')).toContain('- [ ] Bake');
  const document = (await user.run(['sync', 'TODO.md', '--json'])).json();
  expect(document.warnings).toEqual([{ code: 'NOT_KEPT', message: saying('could not be stored') }]);
});

test('a line with very many spaces is read in as many steps as it has', async () => {
  const place = await newChecklistPlace(['A']);
  const cost = async (spaces: number): Promise<number> => {
    place.write(`- [ ] A${' '.repeat(spaces)}b\n`);
    const before = process.cpuUsage();
    await place.workspace.sync('TODO.md', { dryRun: true });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await cost(100);
  const [few, many] = [await cost(20_000), await cost(320_000)];
  // Sixteen times as much; square steps would be 256 times.
  expect(many).toBeLessThan(100 * few);
});
