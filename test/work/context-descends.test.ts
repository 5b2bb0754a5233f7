import { expect, test } from 'vitest';

import { loadPrompts } from '../../src/llm/prompts.js';
import { goalOf } from '../../src/plan/plan.js';
import { countTokens } from '../../src/llm/spend/tokens.js';
import type { Plan } from '../../src/plan/plan.js';
import { expansionQuestion } from '../../src/planning/model/model-expander.js';
import { closedDecisions } from '../../src/operations/work/close-decisions.js';
import { workContext } from '../../src/work/context/work-context.js';
import { accepted, after, child, created, goalAt, id } from '../support/applying.js';
import { SETTINGS } from '../support/prompt-plans.js';

const PARTS = ['a', 'b', 'c', 'd', 'e'];
const LEAVES = [0, 1, 2, 3, 4, 5];

/** A plan of five finished parts of six leaves each, with a fact in every digest, and a goal that waits for the parts. */
function afterFiveParts(words: number): Plan {
  const part = (name: string) => child(name, { atomic: false });
  const last = child('z', {
    description: 'Show the invoice number on the receipt',
    dependencies: PARTS.map(id),
  });
  const divided = PARTS.map((name) => ({
    type: 'goal_expanded' as const,
    goal: id(name),
    atomic: false,
    reasoning: null,
    sub_goals: LEAVES.map((index) => child(`${name}${index}`)),
  }));
  const plan = after(
    created(),
    {
      type: 'goal_expanded',
      goal: id('root'),
      atomic: false,
      reasoning: null,
      sub_goals: [...PARTS.map(part), last],
    },
    ...divided,
  );
  const done = PARTS.flatMap((name) =>
    LEAVES.map((index) => ({
      type: 'goal_completed' as const,
      goal: id(`${name}${index}`),
      digest: {
        summary: `${'Words that fill. '.repeat(words)}Fact ${name}${index} holds.`,
        key_decisions: name === 'd' && index === 3 ? ['Invoice numbers begin with the year'] : [],
        artifacts: [`src/${name}${index}.ts`],
      },
    })),
  );
  return after(plan, ...done);
}

const factsIn = (text: string) =>
  PARTS.flatMap((name) => LEAVES.map((index) => `Fact ${name}${index} holds`)).filter((fact) =>
    text.includes(fact),
  );

test('a goal that waits for divided goals is told what became of the leaves below them', async () => {
  const plan = afterFiveParts(0);
  const { markdown, left_out } = await workContext(plan, goalAt(plan, 'z'), 4000);
  expect(factsIn(markdown)).toHaveLength(30);
  expect(left_out).toEqual([]);
});

test('what shares most words with the goal comes first, the room is used, and what is missing is named', async () => {
  const plan = afterFiveParts(40);
  const { markdown, tokens, left_out } = await workContext(plan, goalAt(plan, 'z'), 1500);
  expect(markdown).toContain('Invoice numbers begin with the year');
  expect(tokens).toBeGreaterThan(1200);
  const done = left_out.find(({ name }) => name === 'done');
  expect(done?.numbers?.length).toBe(done?.missing);
  expect(done?.numbers).not.toContain('4.4');
  const named = /Shortened to fit: done \(without ([^)]*)\)/.exec(markdown)?.[1]?.split(', ') ?? [];
  // Runs of numbers, in which every goal that is missing is named.
  const all = named.flatMap((run) => {
    const [, part = '', first = 0, last = first] = /^(\d)\.(\d)(?:–\d\.(\d))?$/.exec(run) ?? [];
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, at) => `${part}.${Number(first) + at}`,
    );
  });
  expect(all).toEqual(done?.numbers?.toSorted());
  expect(named).toContain('5.1–5.6');
});

test('where leaves are left out, the digest of their branch says what it can', async () => {
  const plan = accepted(afterFiveParts(40), {
    type: 'goal_digested',
    goal: id('e'),
    digest: { summary: 'Part e in short.', key_decisions: [], artifacts: [] },
    made_by: 'extraction',
  });
  const { markdown } = await workContext(plan, goalAt(plan, 'z'), 1500);
  expect(markdown).toContain('## Builds on, in short');
  expect(markdown).toContain('Part e in short.');
});

test.each([2, 4])('so it does where %i leaves of one part alone are too long', async (count) => {
  const plan = afterOnePart(count);
  const { markdown, tokens } = await workContext(plan, goalAt(plan, 'z'), 900);
  expect(tokens).toBeLessThanOrEqual(900);
  expect(markdown).toContain('Part a in short.');
});

/** A plan with one finished part of long digests, with one of its own, and a goal that waits for it. */
function afterOnePart(count: number): Plan {
  const leaves = LEAVES.slice(0, count).map((index) => child(`a${index}`));
  return after(
    created(),
    {
      type: 'goal_expanded',
      goal: id('root'),
      atomic: false,
      reasoning: null,
      sub_goals: [child('a', { atomic: false }), child('z', { dependencies: [id('a')] })],
    },
    { type: 'goal_expanded', goal: id('a'), atomic: false, reasoning: null, sub_goals: leaves },
    ...leaves.map(({ id: goal }) => ({
      type: 'goal_completed' as const,
      goal,
      digest: { summary: 'Words that fill. '.repeat(400), key_decisions: [], artifacts: [] },
    })),
    {
      type: 'goal_digested',
      goal: id('a'),
      digest: { summary: 'Part a in short.', key_decisions: [], artifacts: [] },
      made_by: 'extraction',
    },
  );
}

test('a prompt names the goals whose results it has no room for, within the same room', async () => {
  const plan = afterFiveParts(40);
  const { question } = await expansionQuestion(
    { plan, goal: goalOf(plan, id('z')), maxChildren: 7 },
    { prompts: await loadPrompts(), promptTokens: 9000, settings: SETTINGS },
  );
  const [, finished = ''] = /<finished>\n([^]*)\n<\/finished>/.exec(question.user) ?? [];
  const lines = finished.split('\n').filter((line) => line.startsWith('- ')).length;
  const runs = /^Left out: (.*)$/m.exec(finished)?.[1]?.split(', ') ?? [];
  const named = runs.reduce((sum, run) => {
    const [first = 0, last = first] = Array.from(run.matchAll(/\d+$|(?<=\.)\d+/g), Number);
    return sum + last - first + 1;
  }, 0);
  expect([lines + named, runs.length > 0]).toEqual([30, true]);
  expect(await countTokens(finished)).toBeLessThanOrEqual(1200);
});

test('decisions are told in the context and in prompts, and an open one with whoever makes it', async () => {
  const plan = after(
    afterFiveParts(0),
    { type: 'decision_made', goal: id('root'), what: 'currency', choice: 'euro' },
    { type: 'decision_made', goal: id('root'), what: 'paper', choice: null, decided_by: id('a0') },
    { type: 'decision_made', goal: id('a'), what: 'of another branch', choice: 'x' },
  );
  const { markdown } = await workContext(plan, goalAt(plan, 'z'), 4000);
  expect(markdown).toContain('- Decided: currency: euro\n- Open: paper (decided in 1.1)');
  expect(markdown).not.toContain('of another branch');
  const { question } = await expansionQuestion(
    { plan, goal: goalOf(plan, id('z')), maxChildren: 7 },
    { prompts: await loadPrompts(), promptTokens: 9000, settings: SETTINGS },
  );
  expect(question.user).toContain(
    '<decisions>\n- currency: euro\n- paper: (open, decided in 1.1)\n</decisions>',
  );
  expect(factsIn(question.user).length).toBeGreaterThan(20);
});

test('a submitted decision closes the open one of the same matter, and no other', () => {
  const plan = after(
    created(),
    { type: 'decision_made', goal: id('root'), what: 'Hosting', choice: null },
    { type: 'decision_made', goal: id('root'), what: 'tone', choice: 'plain' },
  );
  const result = { decisions: ['hosting : our own server', 'tone: loud', 'no matter', 'other: x', ': y'] };
  expect(closedDecisions(plan, id('root'), result)).toEqual([
    { type: 'decision_made', goal: id('root'), what: 'Hosting', choice: 'our own server' },
  ]);
});
