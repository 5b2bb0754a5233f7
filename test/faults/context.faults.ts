import { expect, test } from 'vitest';

import { countTokens } from '../../src/llm/spend/tokens.js';
import { quotedItem } from '../../src/work/context/quoted-markdown.js';
import { workContext } from '../../src/work/context/work-context.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import type { Digest, Goal } from '../../src/plan/schema.js';
import { ancestors } from '../../src/plan/tree.js';
import { goal, PLAN_ID, planOf } from '../support/plans.js';
import { scale } from './support/scale.js';
import { SETTINGS } from '../support/prompt-plans.js';

const GOALS = 5000;
/** In full every goal is asked about, in small every hundredth. */
const EVERY = scale(1, 100);
const id = (suffix: string) => `${PLAN_ID}-${suffix}`;
const digest = (summary: string, key_decisions: string[], artifacts: string[]): Digest => ({
  summary,
  key_decisions,
  artifacts,
});

const VOCABULARY = [
  'write the adapter for payments,',
  'und prüfe die Rückgabe',
  '# heading',
  '```',
  '日本語の文章を書きます。',
  '👩‍👩‍👧‍👦',
  'src/app/some/very/long/path/to/a/file.ts',
  'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  '----------------------------------------------------------------------',
  '<goal>',
  'with\nseveral\n\nlines',
  '3f9a8c1e-77b2-4d0e-9a51-0c2d4e6f8a9b',
];
/** Tests that the goals are dealt out to. */
const SHARES = Array.from({ length: 10 }, (_, share) => share);
const large = largePlan(GOALS);
const asked = [...large.goals.values()].filter((_, place) => place % EVERY === 0);

test.each(SHARES)(
  `what is told of goals of ${GOALS} (share %d) is within the limit, and holds the goal, those above and what it builds on first`,
  { timeout: scale(900_000, 180_000) },
  async (share) => {
    const limits = [100, 250, 500];
    for (const [place, each] of asked.entries()) {
      if (place % SHARES.length !== share) continue;
      const limit = place % 100 === 0 ? 4000 : (limits[place % 3] ?? 100);
      const { markdown, tokens, parts } = await workContext(large, each, limit);
      expect(tokens).toBeLessThanOrEqual(limit);
      if (place % 7 === 6) expect(await countTokens(markdown)).toBe(tokens);
      const essential = essentialOf(large, each);
      expect(parts.slice(0, essential.length).map(({ name }) => name)).toEqual(essential);
      const label = each.child_ids.length > 0 ? 'To do in parts:' : 'To do:';
      // Not one of its signs more: a joined one is not cut in two.
      expect(parts[0]?.text).toContain(quotedItem(label, each.description).slice(0, label.length + 5));
    }
  },
);

test('of deep goals that build on many others the least room still tells what is to be done', async () => {
  // Of all that are asked about in full, those whose words once gave way to numbers of others and to room that was left empty.
  for (const suffix of ['g1815', 'g3291', 'g3312', 'g3630']) {
    const each = goalOf(large, id(suffix));
    const { markdown, tokens } = await workContext(large, each, 100);
    expect(tokens).toBeLessThanOrEqual(100);
    expect(markdown).toContain(quotedItem('To do in parts:', each.description).slice(0, 24));
  }
});

test('every goal, or every hundredth of a small run, is asked about', () => {
  expect(asked).toHaveLength(GOALS / EVERY);
});

function essentialOf(plan: Plan, each: Goal): readonly string[] {
  const above = ancestors(plan, each);
  const builds = [each, ...above].some(({ dependencies }) => dependencies.length > 0);
  return ['goal', ...(above.length > 0 ? ['why'] : []), ...(builds ? ['done'] : [])];
}

/** A deep and uneven tree with long details, long digests and many dependencies. */
function largePlan(count: number): Plan {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const words = (number: number) =>
    Array.from({ length: number }, () => VOCABULARY[random(VOCABULARY.length)]).join(' ');
  const parents = [-1];
  for (let index = 1; index < count; index += 1)
    parents.push(
      index < 60 ? index - 1 : random(3) === 0 ? random(index) : Math.max(0, index - 1 - random(20)),
    );
  const children = parents.map(() => [] as string[]);
  for (const [index, parent] of parents.entries()) if (parent >= 0) children[parent]?.push(id(`g${index}`));
  const depths: number[] = [];
  const goals = parents.map((parent, index) => {
    depths.push(parent < 0 ? 0 : (depths[parent] ?? 0) + 1);
    const leaf = children[index]?.length === 0;
    const isDone = leaf && random(3) > 0;
    const needed = Array.from({ length: random(10) === 0 ? random(60) : random(3) }, () => random(index + 1));
    return goal(`g${index}`, {
      description: words(3 + random(8)) + (random(100) === 0 ? ` ${words(500)}` : ''),
      parent_id: parent < 0 ? null : id(`g${parent}`),
      child_ids: children[index] ?? [],
      depth: depths[index] ?? 0,
      status: isDone ? 'complete' : leaf ? 'atomic' : 'decomposing',
      digest: isDone ? digest(words(random(30)), [words(random(30) + 1)], ['src/a.ts', words(2)]) : null,
      dependencies: [...new Set(needed)]
        .filter((place) => place !== index && parent !== place)
        .map((place) => id(`g${place}`)),
      ...(random(3) === 0 ? { detail: words(random(random(20) === 0 ? 5000 : 200)) } : {}),
      ...(random(4) === 0 ? { acceptance: [words(12), words(50)] } : {}),
    });
  });
  return planOf(goals, {
    settings: {
      ...SETTINGS,
      expander: 'rules',
      context: [{ file: 'a.md', text: words(8000) }],
    },
  });
}
