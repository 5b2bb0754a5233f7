import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { newUser } from '../support/command.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

async function place() {
  const made = await newWorkplace();
  await made.change(expand('root', ['a', 'b', 'c']), {
    type: 'dependencies_changed',
    changes: [{ goal: id('b'), add: [id('a')], remove: [] }],
  });
  return {
    ...made,
    workspace: openWorkspace({ dir: made.store, environment: { variables: { FRCTL_BY: 'ana' } } }),
  };
}

test('several goals are completed at once, also where one waits for another of them', async () => {
  const { workspace } = await place();
  const done = await workspace.complete({ goal: 'a', others: ['b', '3'], summary: 'Came together' });
  expect([done.goal.number, ...(done.others ?? []).map(({ number }) => number)]).toEqual(['1', '2', '3']);
  expect(done.completed_parents.map(({ number }) => number)).toEqual(['']);
  expect((await workspace.show('2')).goal.digest?.summary).toBe('Came together');
  expect((await workspace.undo()).undone.message).toContain('completed');
  expect((await workspace.status()).plan.complete_goals).toBe(0);
});

test('of several none is completed where one cannot be; errors name goals by number and words', async () => {
  const { workspace } = await place();
  await expect(workspace.complete({ goal: 'c', others: ['b'] })).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringMatching(/2 “Goal b”.*1 “Goal a”/) as string,
  });
  await expect(workspace.complete({ goal: 'c', others: ['9'] })).rejects.toMatchObject({
    code: 'GOAL_NOT_FOUND',
  });
  await expect(workspace.complete({ goal: 'c', others: ['a'], token: 'x' })).rejects.toMatchObject({
    code: 'USAGE',
  });
  expect((await workspace.status()).plan.complete_goals).toBe(0);
  await expect(workspace.claim('b')).rejects.toMatchObject({
    message: 'goal 2 “Goal b” waits for 1 “Goal a”',
  });
});

test('documents, plans and tasks come from standard input too', async () => {
  const user = newUser();
  const read = async (input: string, ...args: readonly string[]) => user.run(args, {}, input);
  const document = '# Shop\n\n## Build the cart\n\n## Build the till\n';
  expect((await read(document, 'init', '--from', '-')).out).toMatch(
    /Shop\n.*1 Build the cart\n.*2 Build the till/,
  );
  const covered = await read(`${document}\n- Build the moon\n`, 'coverage', '--source', '-', '--json');
  expect(covered.json()).toMatchObject({ file: 'standard input', uncovered: [{ text: 'Build the moon' }] });
  const exported = (await user.run(['export'])).out;
  const other = newUser();
  expect((await other.run(['import', '-'], {}, exported)).status).toBe(0);
  expect((await read('', 'init', '--from', '-')).error).toContain('standard input is empty');
});

const TASKS = {
  master: {
    tasks: [
      { id: 1, title: 'Set up the store', status: 'done', priority: 'high', dependencies: [], subtasks: [] },
      {
        id: 2,
        title: 'Build the cart',
        description: 'A cart that survives a reload.',
        details: 'Keep it in local storage.',
        testStrategy: 'Reload the page and look.',
        status: 'pending',
        dependencies: [1],
        subtasks: [
          { id: 1, title: 'Model the lines', status: 'done', dependencies: [] },
          { id: 2, title: 'Draw the lines', status: 'pending', dependencies: [1] },
          { id: 3, title: 'Draw the sum', status: 'pending', dependencies: ['2.2', 99] },
        ],
      },
    ],
  },
};

test('the tasks.json of Task Master is read with subtasks, dependencies, priorities and what is done', async () => {
  const workspace = openWorkspace({ store: 'memory' });
  const text = JSON.stringify(TASKS, null, 2);
  await workspace.init({ from: '-', text, goal: 'Shop', settings: { expander: 'rules' } }).result;
  const { goals } = await workspace.tree();
  const byNumber = new Map(goals.map((goal) => [goal.number, goal]));
  expect(goals.map(({ number, description }) => `${number} ${description}`)).toEqual([
    ' Shop',
    '1 Set up the store',
    '2 Build the cart',
    '2.1 Model the lines',
    '2.2 Draw the lines',
    '2.3 Draw the sum',
  ]);
  expect(byNumber.get('1')).toMatchObject({ status: 'complete', tags: ['task-1'], priority: 1 });
  expect(byNumber.get('2')).toMatchObject({
    detail: 'A cart that survives a reload.\n\nKeep it in local storage.',
    acceptance: ['Reload the page and look.'],
    dependencies: [byNumber.get('1')?.id],
  });
  expect(byNumber.get('2.1')?.status).toBe('complete');
  expect(byNumber.get('2.3')?.dependencies).toEqual([byNumber.get('2.2')?.id]);
  expect(byNumber.get('2.2')?.source?.start_line).toBe(
    text.split('\n').findIndex((line) => line.includes('Draw the lines')) + 1,
  );
});

test('several tags are parts of their own; tasks that wait for each other are refused', async () => {
  const workspace = openWorkspace({ store: 'memory' });
  const of = (tasks: unknown) =>
    workspace.init({ from: '-', text: JSON.stringify(tasks), goal: 'Shop', settings: { expander: 'rules' } })
      .result;
  await of({ ...TASKS, 'feature-x': { tasks: [{ id: 1, title: 'Try it', dependencies: [] }] } });
  expect((await workspace.tree()).text).toMatch(/1 master[\s\S]*2 feature-x\n.*2\.1 Try it/);
  const circle = {
    tasks: [
      { id: 1, title: 'A', dependencies: [2] },
      { id: 2, title: 'B', dependencies: [1] },
    ],
  };
  await expect(of(circle)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(of({ tasks: 'none' })).resolves.toBeDefined();
});
