import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const LEVELS = 200_000;
const LIST = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const MAP = '{"a":'.repeat(LEVELS) + '1' + '}'.repeat(LEVELS);
const PLAN = '{"goal":"x","steps":[{"id":"a","tool":"t","args":{"x":1}}]}';

/** Ways by which a stranger's text comes in, with the text, the command, what it says, and where the text is. */
const WAYS: Readonly<
  Record<string, readonly [text: string, args: readonly string[], said: string, file?: string]>
> = {
  'an action plan': [
    LIST,
    ['lint', 'deep'],
    'deep:1:501 error unreadable: arrays and objects are nested too deep',
  ],
  'an argument of an action plan': [
    PLAN.replace('"x":1', `"x":${MAP}`),
    ['convert', 'deep', '--to', 'frctl'],
    'nested too deep',
  ],
  'a policy': [`bounds: ${LIST}`, ['lint', 'plan.json', '--policy', 'deep'], 'deep:1:'],
  'a policy in blocks': ['- '.repeat(LEVELS), ['lint', 'plan.json', '--policy', 'deep'], 'deep:1:'],
  'the schema of a tool': [
    `tools:\n  - name: t\n    input_schema: ${MAP}\n`,
    ['tools', 'trust', 'deep'],
    'deep:3: lists and maps are within each other on more than 500 levels',
  ],
  'a plan file': [`{"goals":${LIST}}`, ['validate', './deep'], 'within each other on more than 500 levels'],
  'a plan to import': [
    `{"goals":${LIST}}`,
    ['import', 'deep', '--dry-run'],
    'within each other on more than 500 levels',
  ],
  'issues of GitHub': [`[{"number":1,"title":${LIST}}]`, ['import', 'deep', '--dry-run'], ''],
  'lists of a document': [`${'- '.repeat(LEVELS)}x`, ['init', '--from', 'deep', '--dry-run'], 'deep:1: '],
  'a result': [
    `{"summary":"x","more":${LIST}}`,
    ['complete', 'root', '--from', 'deep'],
    'nested on more than 500 levels',
  ],
  answers: [LIST, ['answer', '--from', 'deep'], 'too deep'],
  'a recording': [`{"hash":${LIST}}`, ['init', 'x', '--replay', 'deep'], 'deep:1: '],
  'a baseline': [
    `{"findings":${LIST}}`,
    ['lint', 'plan.json', '--baseline', 'deep'],
    'deep is not a valid baseline',
  ],
  'a config': [`{"model":${LIST}}`, ['config', 'show'], 'is nested too deep', '.plans/config.json'],
  'an event': [
    `{"type":"goal_added","goal":${LIST}}\n`,
    ['validate', './deep.events.jsonl'],
    'within each other on more than 500 levels',
    'deep.events.jsonl',
  ],
};

test.each(Object.entries(WAYS))(
  '%s of 200,000 levels is refused with its place, and no stack overflows',
  async (_what, [text, args, said, file = 'deep']) => {
    const user = newUser();
    await user.run(['init', 'Ship it', '--no-decompose']);
    writeFileSync(join(user.folder, 'plan.json'), PLAN);
    writeFileSync(join(user.folder, file), text);
    const { status, out, error } = await user.run(args);
    expect(`${out}${error}`).toContain(said);
    expect(`${out}${error}`).not.toMatch(/call stack|internal error/i);
    // What is wrong with a plan file is what validate was asked for.
    expect(status).toBe(args[0] === 'validate' ? 1 : 2);
  },
);
