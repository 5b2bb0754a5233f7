import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { loadPrompts, renderPrompt, promptSlots } from '../../src/llm/prompts.js';
import { quote, tagged, unquote } from '../../src/llm/quote.js';
import { countTokens } from '../../src/llm/spend/tokens.js';

const PARTS =
  'project root ancestors elsewhere siblings decisions finished section out_of_scope parts failure limits acceptance'.split(
    ' ',
  );
const NOTHING = Object.fromEntries(PARTS.map((name) => [name, '']));

describe('the built-in prompts', () => {
  it.each([
    ['expand.system.md', 850, 'never an instruction'],
    ['expand_plain.system.md', 800, 'never an order'],
  ] as const)('tell in %s what atomic means, in fewer than %i tokens', async (file, most, quoted) => {
    const prompts = await loadPrompts();
    const system = renderPrompt(prompts[file], { max_children: '7', tags: '', examples: '' });
    expect(system).toMatch(/at most 7\b/);
    expect(system).toContain(quoted);
    expect(await countTokens(system)).toBeLessThan(most);
  });

  it.each(['expand', 'expand_plain'] as const)(
    'tell in %s what each part is that it may hold',
    async (name) => {
      const prompts = await loadPrompts();
      const system = prompts[`${name}.tags.md`].text;
      for (const slot of promptSlots(prompts[`${name}.user.md`])) expect(system).toContain(`- \`${slot}\`: `);
    },
  );

  it('are named with their slots on the page of the protocol', async () => {
    const lines = readFileSync('docs/model-protocol.md', 'utf8').split('\n');
    const told = Object.values(await loadPrompts()).filter(({ file }) =>
      /\.(?:system|user|shorter)\.md$/.test(file),
    );
    const untold = told.flatMap((template) => {
      const line = lines.find((each) => each.startsWith('- `') && each.includes(`\`${template.file}\``));
      // What these two hold is the program's.
      const slots = [...promptSlots(template)].filter((slot) => slot !== 'examples' && slot !== 'tags');
      return slots
        .filter((slot) => line?.includes(`\`${slot}\``) !== true)
        .concat(line === undefined ? template.file : []);
    });
    expect(untold).toEqual([]);
  });

  it('leave out what is empty, so that a goal may stand alone', async () => {
    const prompts = await loadPrompts();
    const user = renderPrompt(prompts['expand.user.md'], {
      ...NOTHING,
      goal: tagged('goal', 'Build {{it}} & run'),
    });
    expect(user).toBe('<goal>Build {{it}} &amp; run</goal>');
  });

  it('keep the order of the parts, the goal last', async () => {
    const prompts = await loadPrompts();
    const parts = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, tagged(name, `the ${name}`)]));
    const user = renderPrompt(prompts['expand.user.md'], { ...parts, goal: tagged('goal', 'Build') });
    expect([...user.matchAll(/<(\w+)>/g)].map(([, name]) => name)).toEqual([...Object.keys(NOTHING), 'goal']);
  });
});

describe('a prompt of the project', () => {
  it('takes the place of the built-in one', async () => {
    const prompts = await loadPrompts({
      'expand.system.md': 'At most {{ max_children }}.\r\n\r\nBe kind.\n',
    });
    expect(renderPrompt(prompts['expand.system.md'], { max_children: '3' })).toBe('At most 3.\n\nBe kind.');
  });

  it.each([
    [
      'an unknown slot',
      'expand.system.md',
      '{{max_children}}\n{{depth}}',
      /expand\.system\.md:2: .*\{\{depth\}\}/,
    ],
    ['a slot of another prompt', 'expand.system.md', '{{goal}}{{max_children}}', /:1: .*\{\{goal\}\}/],
    ['a missing slot', 'expand.user.md', 'Do it', /expand\.user\.md: .*\{\{goal\}\} is missing/],
    ['the goal twice', 'expand.user.md', '{{goal}}\n{{goal}}', /:2: .*\{\{goal\}\}/],
    ['tags of its own around the goal', 'expand.user.md', '<goal>{{goal}}</goal>', /:1: .*<goal> tag/],
    ['a slot that is not closed', 'expand.system.md', '{{max_children}} {{max', /:1: .*not closed/],
    ['a name that is none', 'expand.md', 'x', /expand\.md is not the name/],
    ['a name of the language', 'toString', 'x', /toString is not the name/],
  ])('is refused with file, line and slot: %s', async (_name, file, text, message) => {
    await expect(loadPrompts({ [file]: text })).rejects.toMatchObject({
      code: 'INVALID_PROMPT',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });

  it('cannot be filled without a value for every slot', async () => {
    const prompts = await loadPrompts();
    expect(() => renderPrompt(prompts['expand.system.md'], {})).toThrow(/max_children\}\} has no value/);
  });
});

describe('quoting', () => {
  it.each(['</goal><goal>', 'a & b', '&lt;', '&amp;lt;', '', '{{goal}}', '😀 <', 'x'.repeat(1000)])(
    'can be undone and holds no tag: %s',
    (text) => {
      expect(unquote(quote(text))).toBe(text);
      expect(quote(text)).not.toMatch(/[<>]/);
    },
  );

  it('adds nothing to the text between the tags', () => {
    expect(tagged('goal', ' a\n<b> ')).toBe('<goal> a\n&lt;b&gt; </goal>');
    expect(tagged('goal', '')).toBe('');
  });
});
