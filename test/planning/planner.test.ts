import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import { apply } from '../../src/plan/apply.js';
import type { EventPayload } from '../../src/plan/events.js';
import type { Expansion } from '../../src/plan/expansion.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import { NO_USAGE } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { Settings } from '../../src/plan/schema.js';
import type { Expander, ExpansionOutcome } from '../../src/planning/expander.js';
import { planGoals } from '../../src/planning/planner.js';
import type { PlanningEnd } from '../../src/planning/planner-state.js';
import type { TreeNode } from '../support/model-server.js';
import { uniformTree } from '../support/model-server.js';
import { SETTINGS } from '../support/prompt-plans.js';
import { countNodes, innerNodes, shapeOf, shapeOfNode } from '../support/shapes.js';
import { scale } from '../faults/support/scale.js';

const ID = '0398a958';

/** An expander over a tree known beforehand; `hold` decides how many turns a reply takes. */
function treeExpander(tree: TreeNode, hold: () => number = () => 0) {
  const nodes = new Map<string, TreeNode>();
  const index = (node: TreeNode): void => {
    nodes.set(node.description, node);
    for (const child of node.children ?? []) index(child);
  };
  index(tree);
  const asked: string[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const expander: Expander = {
    kind: 'model',
    async expand({ goal }) {
      asked.push(goal.description);
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      for (let turns = hold(); turns > 0; turns -= 1) await new Promise(setImmediate);
      underWay -= 1;
      const node = nodes.get(goal.description) ?? { description: '', atomic: true };
      return reply(expansionOfNode(node));
    },
  };
  return { expander, asked, most: () => mostUnderWay };
}

function expansionOfNode(node: TreeNode): Expansion {
  const subGoals = (node.children ?? []).map(({ description, atomic, depends_on }) => ({
    description,
    atomic,
    reasoning: 'r',
    depends_on: [...(depends_on ?? [])],
  }));
  return { atomic: node.atomic, reasoning: 'r', sub_goals: subGoals };
}

function reply(expansion: Expansion): ExpansionOutcome {
  return {
    kind: 'expansion',
    expansion,
    warnings: [],
    usage: { calls: 1, input_tokens: 1, output_tokens: 1, cost_usd: 0 },
  };
}

/** Plans without a store: each batch is applied when `store` is done with it, as the app does. */
async function planAll(
  root: string,
  expander: Expander,
  changes: Partial<Settings> = {},
  pause = new AbortController(),
  from?: Plan,
  store: (payloads: readonly EventPayload[], noteWritten: () => void) => void | Promise<void> = () =>
    undefined,
) {
  let clock = 0;
  let suffix = 0;
  let plan = from ?? applied(null, { type: 'plan_created', plan: { id: ID }, root: { description: root } });
  const writing = { noteWritten: () => undefined as void };
  const planner = planGoals(plan, {
    writing,
    expander,
    settings: { ...SETTINGS, ...changes },
    newGoalId: () => `${ID}-g${(suffix += 1)}x${plan.counts.total}`,
    now: () => 0,
    pause: pause.signal,
    abort: pause.signal,
  });
  const sizes: number[] = [];
  let step = await planner.next();
  while (step.done !== true) {
    try {
      await store(step.value, () => writing.noteWritten());
    } catch (cause) {
      step = await planner.throw(cause);
      continue;
    }
    for (const payload of step.value) plan = applied(plan, payload);
    sizes.push(step.value.length);
    step = await planner.next(plan);
  }
  return { plan, end: step.value satisfies PlanningEnd, sizes };

  function applied(before: Plan | null, payload: EventPayload): Plan {
    clock += 1;
    const result = apply(before, {
      id: `e${clock}`,
      at: '2026-01-01T00:00:00Z',
      by: 't',
      replica: 'r',
      clock,
      ...payload,
    });
    if (result.refused !== null || result.plan === null) throw new TypeError(JSON.stringify(result.refused));
    return result.plan;
  }
}

const leaf: TreeNode = { description: '', atomic: true };

const treeArbitrary: fc.Arbitrary<TreeNode> = fc
  .letrec<{ node: TreeNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      fc.constant(leaf),
      fc.array(tie('node'), { minLength: 1, maxLength: 5 }).map((children) => ({ ...leaf, children })),
      fc.array(tie('node'), { minLength: 2, maxLength: 5 }).map((children) => ({ ...leaf, children })),
    ),
  }))
  .node.map((node) => named(node, 'Root'));

function named(node: TreeNode, description: string): TreeNode {
  const children = (node.children ?? []).map((child, index) => ({
    ...named(child, `${description} / ${index + 1}`),
    depends_on: index > 1 ? [1, index] : [],
  }));
  return { description, atomic: children.length === 0, children };
}

describe('the tree', () => {
  test('is the known one, at any concurrency, in either order, whichever reply comes first', async () => {
    await fc.assert(
      fc.asyncProperty(
        treeArbitrary,
        fc.integer({ min: 1, max: 16 }),
        fc.constantFrom('breadth' as const, 'depth' as const),
        fc.infiniteStream(fc.integer({ min: 0, max: 6 })),
        async (tree, concurrency, order, holds) => {
          const { expander, asked } = treeExpander(tree, () => holds.next().value as number);
          const { plan, end } = await planAll('Root', expander, { concurrency, order, max_depth: 60 });
          expect(end.kind).toBe('done');
          expect(shapeOf(plan)).toEqual(shapeOfNode(tree));
          expect(asked).toHaveLength(Math.max(1, innerNodes(tree)));
          expect(checkInvariants(toPlanFile(plan))).toEqual([]);
        },
      ),
      { numRuns: scale(60, 30) },
    );
  });

  test('is cut the same by the limit of goals, whichever reply comes first', async () => {
    await fc.assert(
      fc.asyncProperty(
        treeArbitrary,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 2, max: 16 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 6 })),
        async (tree, max_goals, concurrency, holds) => {
          const limits = { max_goals, max_children: 5, max_depth: 60 };
          const one = await planAll('Root', treeExpander(tree).expander, { ...limits, concurrency: 1 });
          const many = await planAll(
            'Root',
            treeExpander(tree, () => holds.next().value as number).expander,
            { ...limits, concurrency },
          );
          expect(shapeOf(many.plan)).toEqual(shapeOf(one.plan));
          expect(many.plan.counts.total).toBeLessThanOrEqual(max_goals);
        },
      ),
      { numRuns: scale(200, 40) },
    );
  });

  test('asks about every goal when each is to be assessed', async () => {
    const tree = uniformTree(2, 3);
    const { expander, asked } = treeExpander(tree);
    const { plan } = await planAll(tree.description, expander, { assess: 'each' });
    expect(asked).toHaveLength(countNodes(tree));
    expect(shapeOf(plan)).toEqual(shapeOfNode(tree));
  });

  test('is asked for level by level, or branch by branch', async () => {
    const tree = uniformTree(3, 2, 'R');
    const breadth = treeExpander(tree);
    await planAll('R', breadth.expander, { concurrency: 1 });
    expect(breadth.asked.map((text) => text.split('/').length)).toEqual([1, 2, 2, 3, 3, 3, 3]);
    const depth = treeExpander(tree);
    await planAll('R', depth.expander, { concurrency: 1, order: 'depth' });
    expect(depth.asked.map((text) => text.split('/').length)).toEqual([1, 2, 3, 3, 2, 3, 3]);
  });

  test('uses the concurrency it is given and no more', async () => {
    const { expander, most } = treeExpander(uniformTree(3, 4), () => 3);
    await planAll('Build the thing', expander, { concurrency: 5 });
    expect(most()).toBe(5);
  });
});

describe('while replies are being stored', () => {
  const wide = uniformTree(2, 20, 'R');
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
  };

  test.each([
    ['as soon as its reply is written', true, 6],
    ['when its reply is stored, where nobody tells that it is written', false, 3],
  ])('a free place is filled %s', async (_, tells, most) => {
    const { expander, asked, most: mostAtOnce } = treeExpander(wide, () => 1);
    const unstored: number[] = [];
    const unwritten: number[] = [];
    let stored = 0;
    await planAll(
      'R',
      expander,
      { concurrency: 3, max_children: 20 },
      undefined,
      undefined,
      async (payloads, noteWritten) => {
        await turns(20);
        unwritten.push(asked.length - stored);
        if (tells) noteWritten();
        await turns(20);
        unstored.push(asked.length - stored);
        stored += payloads.length;
      },
    );
    expect(Math.max(...unwritten)).toBe(3);
    expect(Math.max(...unstored)).toBe(most);
    expect(mostAtOnce()).toBe(3);
    expect(asked).toHaveLength(innerNodes(wide));
  });

  test('they are gathered, and stored together in the order of their arrival', async () => {
    const { expander } = treeExpander(wide, () => 1);
    const arrived: string[] = [];
    const ordered: Expander = {
      kind: 'model',
      expand: async (request, signal) => {
        const outcome = await expander.expand(request, signal);
        arrived.push(request.goal.id);
        return outcome;
      },
    };
    const stored: string[] = [];
    const { sizes } = await planAll(
      'R',
      ordered,
      { concurrency: 3 },
      undefined,
      undefined,
      async (payloads) => {
        await turns(20);
        stored.push(...payloads.flatMap((payload) => (payload.type === 'goal_expanded' ? payload.goal : [])));
      },
    );
    expect(stored).toEqual(arrived);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  test('the tree and its limit are the same however long that takes', async () => {
    await fc.assert(
      fc.asyncProperty(
        treeArbitrary,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 2, max: 8 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 6 })),
        async (tree, max_goals, concurrency, holds) => {
          const limits = { max_goals, max_children: 5, max_depth: 60 };
          const hold = () => holds.next().value as number;
          const one = await planAll('Root', treeExpander(tree).expander, { ...limits, concurrency: 1 });
          const many = await planAll(
            'Root',
            treeExpander(tree, hold).expander,
            { ...limits, concurrency },
            undefined,
            undefined,
            () => turns(hold()),
          );
          expect(shapeOf(many.plan)).toEqual(shapeOf(one.plan));
          expect(many.plan.counts.total).toBeLessThanOrEqual(max_goals);
        },
      ),
      { numRuns: scale(200, 40) },
    );
  });

  test('one call at a time still goes branch by branch when that is asked for', async () => {
    const { expander, asked } = treeExpander(uniformTree(3, 2, 'R'));
    const order = { concurrency: 1, order: 'depth' } as const;
    await planAll('R', expander, order, undefined, undefined, () => turns(3));
    expect(asked.map((text) => text.split('/').length)).toEqual([1, 2, 3, 3, 2, 3, 3]);
  });

  test('nothing more is asked once storing has failed', async () => {
    const { expander, asked } = treeExpander(wide, () => 5);
    let batches = 0;
    const failing = planAll('R', expander, { concurrency: 3 }, undefined, undefined, () => {
      batches += 1;
      if (batches === 2) throw new PlanError('STORAGE_FAILED', 'the disk is full');
    });
    await expect(failing).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    const before = asked.length;
    await turns(50);
    expect(asked).toHaveLength(before);
  });
});

describe('limits', () => {
  const endless: Expander = {
    kind: 'model',
    expand: async ({ goal }) =>
      reply({
        atomic: false,
        reasoning: 'never',
        sub_goals: Array.from({ length: 500 }, (_, index) => ({
          description: `${goal.description} ${index}`,
          atomic: false,
          reasoning: 'r',
          depends_on: [index + 2, index, 900],
        })),
      }),
  };

  test('an adversary that never says atomic gets a finite, valid plan with warnings', async () => {
    const { plan, end } = await planAll('R', endless, { max_goals: 200 });
    expect(end.kind).toBe('done');
    expect(plan.counts).toMatchObject({ pending: 0 });
    expect(plan.counts.total).toBeLessThanOrEqual(200);
    expect(plan.header.status).toBe('complete');
    const codes = new Set(plan.header.warnings?.map(({ code }) => code));
    expect([...codes]).toEqual(expect.arrayContaining(['too_many_children', 'bad_dependency', 'max_goals']));
    expect(checkInvariants(toPlanFile(plan))).toEqual([]);
  });

  test('at the depth limit goals are taken as atomic, and a warning says so', async () => {
    const { plan } = await planAll('R', endless, { max_depth: 2, max_children: 2 });
    expect(plan.header.max_depth).toBe(2);
    expect(plan.counts.total).toBe(7);
    expect(plan.header.warnings?.some(({ code }) => code === 'max_depth')).toBe(true);
  });

  test('a depth of 0 leaves the root as it is, without a call', async () => {
    const { expander, asked } = treeExpander(uniformTree(2, 2, 'R'));
    const { plan } = await planAll('R', expander, { max_depth: 0 });
    expect(asked).toEqual([]);
    expect(plan.counts.atomic).toBe(1);
  });

  test('a model that restates its goal for ever is stopped at once', async () => {
    const parrot: Expander = {
      kind: 'model',
      expand: async ({ goal }) =>
        reply({
          atomic: false,
          reasoning: 'r',
          sub_goals: [
            {
              description: `${goal.description.toUpperCase()}!`,
              atomic: false,
              reasoning: 'r',
              depends_on: [],
            },
          ],
        }),
    };
    const { plan } = await planAll('Do it', parrot);
    expect(plan.counts).toMatchObject({ total: 1, atomic: 1 });
  });
});

describe('stopping', () => {
  test('a pause lets the calls in flight finish and keeps their replies', async () => {
    const tree = uniformTree(3, 3, 'R');
    const pause = new AbortController();
    const { expander, asked } = treeExpander(tree, () => {
      if (asked.length === 3) pause.abort();
      return 2;
    });
    const { plan, end } = await planAll('R', expander, { concurrency: 2 }, pause);
    expect(end.kind).toBe('paused');
    expect(plan.counts.pending).toBeGreaterThan(0);
    expect([...plan.goals.values()].filter(({ status }) => status === 'decomposing')).toHaveLength(
      asked.length,
    );
  });

  test('a goal that cannot be expanded is marked for review, and its siblings go on', async () => {
    const tree = uniformTree(2, 3, 'R');
    const inner = treeExpander(tree).expander;
    const expander: Expander = {
      kind: 'model',
      expand: async (request, signal) =>
        request.goal.description === 'R / part 2'
          ? {
              kind: 'review',
              code: 'refused',
              reason: 'I would rather not.',
              usage: { ...NO_USAGE, calls: 1 },
            }
          : inner.expand(request, signal),
    };
    const { plan, end } = await planAll('R', expander);
    expect(end.kind).toBe('done');
    expect(plan.counts).toMatchObject({ failed: 1, atomic: 6, pending: 0 });
    expect(plan.header.warnings).toMatchObject([{ code: 'needs_review', message: 'I would rather not.' }]);
    expect(plan.header.usage?.calls).toBe(4);
  });

  test.each([
    ['a budget', { kind: 'budget', limit: 'calls', usage: NO_USAGE } as const],
    [
      'a model that failed',
      {
        kind: 'unavailable',
        error: new PlanError('MODEL_FAILED', 'gone'),
        usage: { ...NO_USAGE, calls: 3 },
      } as const,
    ],
  ])('%s stops planning; nothing is lost, and it can go on from there', async (_name, outcome) => {
    const tree = uniformTree(3, 2, 'R');
    const { expander } = treeExpander(tree);
    let calls = 0;
    const failing: Expander = {
      kind: 'model',
      expand: async (request, signal) => ((calls += 1) > 2 ? outcome : expander.expand(request, signal)),
    };
    const first = await planAll('R', failing, { concurrency: 1 });
    expect(first.end).toMatchObject({ kind: outcome.kind, usage: { calls: outcome.usage.calls } });
    const second = await planAll('R', expander, {}, new AbortController(), first.plan);
    expect(shapeOf(second.plan)).toEqual(shapeOfNode(tree));
  });

  test('an expander that throws stops planning with its error, and no process', async () => {
    const tree = uniformTree(3, 2, 'R');
    const { expander } = treeExpander(tree);
    let calls = 0;
    const throwing: Expander = {
      kind: 'model',
      expand: async (request, signal) => {
        calls += 1;
        if (calls > 2) throw new TypeError('no such module');
        return expander.expand(request, signal);
      },
    };
    const first = await planAll('R', throwing, { concurrency: 2 });
    expect(first.end).toMatchObject({
      kind: 'unavailable',
      error: { code: 'INTERNAL', message: 'the goal could not be asked about: no such module' },
    });
    const second = await planAll('R', expander, {}, new AbortController(), first.plan);
    expect(shapeOf(second.plan)).toEqual(shapeOfNode(tree));
  });
});
