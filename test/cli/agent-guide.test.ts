import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { withMarkedPart } from '../../src/operations/guide/marked-part.js';
import { newUser } from '../support/command.js';

const takenSchema = z.looseObject({
  goals: z.array(z.looseObject({ description: z.string() })),
  claimed: z.looseObject({ goal: z.string(), token: z.string() }).nullable(),
  reason: z.looseObject({ code: z.string() }).nullable(),
});

test('an agent that knows the guide alone works 30 goals off; two fail, and one claim is lost on the way', async () => {
  const user = newUser();
  const items = Array.from({ length: 30 }, (_, index) => `- Write chapter ${index + 1} of the book\n`);
  writeFileSync(join(user.folder, 'book.md'), `# Write the book\n\n${items.join('')}`);
  await user.run(['init', '--from', 'book.md', '--expander', 'rules']);
  const guide = (await user.run(['agent-guide'])).out;
  expect(countTokens(guide)).toBeLessThanOrEqual(300);
  /** A command as it stands in the guide, with what the words in capitals stand for. */
  const follow = (start: string, words: Readonly<Record<string, string>>) => {
    const command = new RegExp(`\`plan (${start}[^\`]*)\``).exec(guide)?.[1] ?? '';
    expect(command).not.toBe('');
    return user.run(command.split(' ').map((word) => words[word] ?? word));
  };

  const outcomes: Record<string, number> = {};
  let [stopped, context] = ['', ''];
  for (let round = 0; round < 40; round += 1) {
    const taken = await follow('next', { ME: 'agent-7' });
    const { claimed, goals, reason } = takenSchema.parse(taken.json());
    if (taken.status === 1) {
      stopped = reason?.code ?? '';
      break;
    }
    const words = { GOAL: claimed?.goal ?? '', TOKEN: claimed?.token ?? '', TEXT: 'Written, 12 pages' };
    const chapter = /chapter (\d+) /.exec(goals[0]?.description ?? '')?.[1] ?? '';
    if (chapter === '3') context = (await follow('context', words)).out;
    if (chapter === '5') {
      await user.run(['release', words.GOAL, '--force']);
      await user.run(['claim', words.GOAL, '--by', 'rival', '--json']);
    }
    const fails = chapter === '8' || chapter === '9';
    const ended = fails
      ? await follow('fail', { ...words, TEXT: 'No source' })
      : await follow('complete', words);
    const outcome = `${fails ? 'fail' : 'complete'} ${ended.status}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (chapter === '5') await user.run(['complete', words.GOAL, '--by', 'rival']);
  }
  expect(context).toContain('chapter 3');
  // Two chapters failed, so the agent stops and tells the user.
  expect(stopped).toBe('failed');
  expect(outcomes).toEqual({ 'complete 0': 27, 'complete 4': 1, 'fail 0': 2 });
  const { plan } = (await user.run(['status', '--json'])).json();
  expect(plan).toMatchObject({ complete_goals: 28, failed_goals: 2 });
});

test('the guide stands between markers of a file, and nothing else of it changes', async () => {
  const user = newUser();
  const file = join(user.folder, 'AGENTS.md');
  writeFileSync(file, '# Mine\n\nKeep this.\n');
  const first = await user.run(['agent-guide', '--write']);
  expect(first.out).toContain('+<!-- frctl:begin -->\n+## Plans (frctl)\n');
  expect(first.out).not.toContain('Keep this');
  const text = readFileSync(file, 'utf8');
  expect(text.startsWith('# Mine\n\nKeep this.\n\n<!-- frctl:begin -->\n')).toBe(true);
  writeFileSync(file, `${text.replace('## Plans (frctl)', '## Old words')}\nAfter it.\n`);
  const again = await user.run(['agent-guide', '--write', 'AGENTS.md', '--json']);
  expect(again.json()).toMatchObject({
    file: 'AGENTS.md',
    changed: true,
    diff: '-## Old words\n+## Plans (frctl)\n',
  });
  expect(readFileSync(file, 'utf8')).toBe(`${text}\nAfter it.\n`);
  expect((await user.run(['agent-guide', '--write', '--json'])).json()).toMatchObject({
    changed: false,
    diff: '',
  });
  const skill = await user.run(['agent-guide', '--skill', '--json']);
  expect(skill.json()).toMatchObject({ file: '.claude/skills/frctl/SKILL.md', changed: true });
  expect(readFileSync(join(user.folder, '.claude/skills/frctl/SKILL.md'), 'utf8')).toMatch(
    /^---\nname: frctl\n/,
  );
  expect(JSON.parse((await user.run(['agent-guide', '--mcp-config'])).out)).toEqual({
    mcpServers: { frctl: { command: 'plan', args: ['mcp'] } },
  });
  expect((await user.run(['agent-guide', 'AGENTS.md'])).status).toBe(2);
});

test.each([
  [
    'an end that was lost, and a second begin',
    '<!-- frctl:begin -->\nold\nmine\n<!-- frctl:begin -->\nold\n<!-- frctl:end -->\n',
    1,
  ],
  ['an end before a begin', 'mine\n<!-- frctl:end -->\nmine\n<!-- frctl:begin -->\n', 2],
  ['two pairs', '<!-- frctl:begin -->\n<!-- frctl:end -->\n<!-- frctl:begin -->\n<!-- frctl:end -->\n', 3],
  ['no end', 'mine\n<!-- frctl:begin -->\nmine\n', 2],
])('a file with %s is left as it is', (_what, text, line) => {
  expect(() => withMarkedPart(text, 'new', 'AGENTS.md')).toThrow(`at line ${line} `);
});

test('of a file with one pair of markers only what is between them changes', () => {
  const marked = '<!-- frctl:begin -->\nnew\n<!-- frctl:end -->';
  const text = 'a\n<!-- frctl:begin -->\nold\n<!-- frctl:end -->\nb';
  expect(withMarkedPart(text, 'new', 'AGENTS.md')).toBe(`a\n${marked}\nb`);
  expect(withMarkedPart('a\n', 'new', 'AGENTS.md')).toBe(`a\n\n${marked}\n`);
});
