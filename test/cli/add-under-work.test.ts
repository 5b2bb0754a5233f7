import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import type { GoalWithNumber } from '../../src/operations/shared/numbered-goals.js';
import { changeTree } from '../../src/operations/editing/change-tree.js';
import { toolWorld } from '../support/tool-world.js';
import { claim, complete, expand, id, newWorkplace } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

/** Two pieces of work, the second of which waits for the first, with all that a piece of work can say. */
async function newPlace(): Promise<Workplace> {
  const place = await newWorkplace();
  const { sub_goals, ...divided } = expand('root', ['a', 'b']);
  await place.change(
    {
      ...divided,
      sub_goals: sub_goals.map((each) =>
        each.id === id('b')
          ? {
              ...each,
              size: 'M',
              acceptance: ['Ana has seen it'],
              detail: 'In oak.',
              tags: ['wood'],
              dependencies: [id('a')],
            }
          : each,
      ),
    },
    { type: 'action_plan_linked', goal: id('b'), action_plan: 'ap-abcdef12' },
    {
      type: 'goal_edited',
      goal: id('b'),
      fields: {
        touches: ['src/table.ts', 'area:shop'],
        graph_node_id: 'shop',
        checks: [{ tool: 'shell.run', args: { command: 'npm', args: ['test'] } }],
      },
    },
  );
  return place;
}

async function goalsOf(place: Workplace): Promise<readonly GoalWithNumber[]> {
  const { goals } = (await place.run(['status', '--verbose', '--json'])).json();
  return goals as readonly GoalWithNumber[];
}

const outline = async (place: Workplace) =>
  (await goalsOf(place)).map(({ number, description, state }) =>
    `${number} ${description} [${state}]`.trim(),
  );

describe('plan add --under a piece of work', () => {
  test('keeps that work as the first sub-goal, with all that it says; its parent keeps its waits', async () => {
    const place = await newPlace();
    const { error } = await place.run(['add', 'Varnish it', '--under', '2', '--at', '1']);
    expect(error).toContain('The work of 2 itself is 2.1 now; 2 is done when all below it is.');
    expect(await outline(place)).toEqual([
      'Ship the product [divided]',
      '1 Goal a [ready]',
      '2 Goal b [divided]',
      '2.1 Goal b [waiting]',
      '2.2 Varnish it [waiting]',
    ]);
    const goals = await goalsOf(place);
    expect(goals.find(({ number }) => number === '2')?.dependencies).toEqual([id('a')]);
    expect(goals.find(({ number }) => number === '2.1')).toMatchObject({
      status: 'atomic',
      size: 'M',
      acceptance: ['Ana has seen it'],
      detail: 'In oak.',
      tags: ['wood'],
      action_plans: ['ap-abcdef12'],
      dependencies: [],
      touches: ['src/table.ts', 'area:shop'],
      graph_node_id: 'shop',
      checks: [{ tool: 'shell.run' }],
    });
    // Its work is nowhere else.
    const above = goals.find(({ number }) => number === '2');
    expect(above).toMatchObject({ acceptance: ['Ana has seen it'], tags: ['wood'], graph_node_id: null });
    for (const name of ['size', 'action_plans', 'touches', 'checks']) expect(above).not.toHaveProperty(name);
    const told = (await place.run(['log', '--json'])).json();
    expect(JSON.stringify(told)).toContain('made its own work a sub-goal of');
    // The next has a divided goal above it, and brings no work of that.
    await place.run(['add', 'Sell it', '--under', '2']);
    expect((await outline(place)).slice(3)).toEqual([
      '2.1 Goal b [waiting]',
      '2.2 Varnish it [waiting]',
      '2.3 Sell it [waiting]',
    ]);
    expect((await place.run(['validate'])).status).toBe(0);
  });

  test('is taken back in one step, and brought again', async () => {
    const place = await newPlace();
    const before = await outline(place);
    const was = (await goalsOf(place)).find(({ number }) => number === '2');
    await place.run(['add', 'Varnish it', '--under', '2', '--by', 'ana']);
    const after = await outline(place);
    await place.run(['undo', '--by', 'ana', '--yes']);
    expect(await outline(place)).toEqual(before);
    const { updated_at: _now, ...is } = (await goalsOf(place)).find(({ number }) => number === '2') ?? {};
    expect(was).toMatchObject(is);
    expect(is).toMatchObject({ size: 'M', action_plans: ['ap-abcdef12'], graph_node_id: 'shop' });
    await place.run(['redo', '--by', 'ana']);
    expect(await outline(place)).toEqual(after);
  });

  test('finishing what was added does not finish the work', async () => {
    const place = await newPlace();
    await place.run(['add', 'Varnish it', '--under', '1']);
    await place.change(
      complete((await goalsOf(place)).find(({ number }) => number === '1.2')?.id.slice(9) ?? ''),
    );
    expect((await outline(place)).slice(1, 4)).toEqual([
      '1 Goal a [divided]',
      '1.1 Goal a [ready]',
      '1.2 Varnish it [done]',
    ]);
  });

  test('is refused with 4 while it is claimed or done, and writes nothing', async () => {
    const place = await newPlace();
    await place.change(claim('a', 'token-of-ana'));
    const log = readFileSync(place.eventLog, 'utf8');
    expect((await place.run(['add', 'Varnish it', '--under', '1'])).status).toBe(4);
    expect(readFileSync(place.eventLog, 'utf8')).toBe(log);
    await place.change({ ...complete('a'), token: 'token-of-ana' });
    expect((await place.run(['add', 'Varnish it', '--under', '1'])).status).toBe(4);
  });

  test('a goal that failed is to be done again as its first sub-goal; one that waits to be planned has none', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a'], ['b']), {
      type: 'goal_failed',
      goal: id('a'),
      reason: 'no oak',
      phase: 'work',
    });
    await place.run(['add', 'Buy oak', '--under', '1']);
    await place.run(['add', 'Varnish it', '--under', '2']);
    expect((await outline(place)).slice(1)).toEqual([
      '1 Goal a [divided]',
      '1.1 Goal a [ready]',
      '1.2 Buy oak [ready]',
      '2 Goal b [divided]',
      '2.1 Varnish it [ready]',
    ]);
  });

  test('by several processes at once keeps the work once, as its words are by then', async () => {
    const place = await newPlace();
    const names = ['ana', 'ben', 'cleo'];
    const ended = await Promise.all(
      names.map((name) => place.start(['add', `Part of ${name}`, '--under', '1', '--by', name]).ended),
    );
    expect(ended.map(({ status }) => status)).toEqual([0, 0, 0]);
    const below = (await outline(place)).filter((line) => line.startsWith('1.'));
    expect(below[0]).toBe('1.1 Goal a [ready]');
    expect(
      below
        .slice(1)
        .map((line) => line.slice(4))
        .toSorted(),
    ).toEqual(names.map((name) => `Part of ${name} [ready]`));
    // Whoever read the plan before brings words that are old.
    const [log, own] = [await place.open(), id('own')];
    await place.run(['edit', '2', '--description', 'Build it in pine', '--acceptance', 'Ben has seen it']);
    const stale = (text: string, goal: string) => ({
      id: goal,
      description: text,
      atomic: true,
      reasoning: null,
      dependencies: [],
    });
    const sub_goals = [stale('Goal b', own), stale('Varnish it', id('new'))];
    await log.append([{ type: 'goals_added', parent: id('b'), sub_goals, own_work: own }]);
    expect((await goalsOf(place)).find(({ number }) => number === '2.1')).toMatchObject({
      description: 'Build it in pine',
      acceptance: ['Ben has seen it'],
      size: 'M',
    });
  });

  test('the library and the tree of MCP do the same, and name the goal that was added', async () => {
    const place = await newPlace();
    const workspace = openWorkspace({ dir: place.store });
    const { changes } = await workspace.add({ description: 'Varnish it', under: '1' });
    expect(changes.filter(({ before }) => before === null).map(({ number }) => number)).toEqual([
      '1.1',
      '1.2',
    ]);
    const { changed } = await changeTree(
      toolWorld({ workingFolder: place.folder }).context,
      [
        { op: 'add', operation: 'add', input: { description: 'Sell it', under: '2' } },
        { op: 'add', operation: 'add', input: { description: 'Ship it', under: '1' } },
      ],
      {},
    );
    const goals = new Map((await goalsOf(place)).map((goal) => [goal.id, goal.description]));
    expect(changed.map(({ goal = '' }) => goals.get(goal))).toEqual(['Sell it', 'Ship it']);
  });
});
