import { expect, test } from 'vitest';
import * as z from 'zod';

import { countTokens } from '../../src/llm/spend/tokens.js';
import { errorOf } from '../support/command.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

const contextSchema = z.strictObject({
  goal: z.looseObject({ id: z.string(), number: z.string() }),
  tokens: z.number(),
  max_tokens: z.number(),
  parts: z.array(z.object({ name: z.string(), text: z.string(), tokens: z.number(), cut: z.boolean() })),
  left_out: z.array(z.object({ name: z.string(), missing: z.number(), of: z.number() })),
});

async function planToRead() {
  const place = await newWorkplace();
  const beside = Array.from({ length: 40 }, (_, index) => `b${index}`);
  await place.change(expand('root', ['a', ...beside]), {
    type: 'dependencies_changed',
    changes: [{ goal: id('b0'), add: [id('a')], remove: [] }],
  });
  await place.run(['complete', 'a', '--summary', 'The tables are there', '--decision', 'Postgres']);
  return place;
}

test('what is printed has at most as many tokens as were asked for, and says what it leaves out', async () => {
  const place = await planToRead();
  for (const limit of [100, 200, 4000]) {
    const { out } = await place.run(['context', 'b0', '--max-tokens', String(limit)]);
    expect(await countTokens(out)).toBeLessThanOrEqual(limit);
    expect(out).toMatch(/^# Goal\n\n- To do: Goal b0\n/);
    expect(out).toContain('- 1 Goal a: The tables are there; decided: Postgres');
    expect(out.endsWith('Shortened to fit: siblings.\n')).toBe(limit === 200);
  }
});

test('as JSON each part has its tokens, and what is missing is counted', async () => {
  const place = await planToRead();
  const report = contextSchema.parse(
    (await place.run(['context', 'b0', '--max-tokens', '200', '--json'])).json(),
  );
  expect(report).toMatchObject({ goal: { id: id('b0'), number: '2' }, max_tokens: 200 });
  expect(report.parts.map(({ name, cut }) => [name, cut])).toEqual([
    ['goal', false],
    ['why', false],
    ['done', false],
    ['siblings', true],
  ]);
  for (const { text, tokens } of report.parts) expect(await countTokens(text)).toBe(tokens);
  const [siblings] = report.left_out;
  const shown = report.parts.at(-1)?.text.match(/^- /gm)?.length ?? 0;
  expect(siblings).toEqual({ name: 'siblings', missing: 40 - shown, of: 40 });
});

test.each(['99', '12.5', '2000000', 'many'])('%s is no limit', async (limit) => {
  const place = await newWorkplace();
  const ended = await place.run(['context', 'root', '--max-tokens', limit, '--json']);
  expect(ended.status).toBe(2);
  expect(errorOf(ended.json()).message).toContain('--max-tokens');
});
