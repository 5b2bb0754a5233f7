import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

async function imported(folder: string) {
  const environment = {
    workingFolder: temporaryFolder(),
    homeFolder: temporaryFolder(),
    variables: {},
  };
  const workspace = openWorkspace({ environment });
  const { repaired } = await workspace.import(resolve(folder));
  const goals = (await workspace.status({ verbose: true })).goals ?? [];
  const numberOf = new Map(goals.map(({ id, number }) => [id, number]));
  const find = (number: string) => goals.find((goal) => goal.number === number);
  return {
    repaired,
    find,
    outline: goals.map(({ number, description, status, dependencies }) =>
      [
        number,
        description,
        status === 'complete' ? '✓' : '',
        dependencies.length === 0
          ? ''
          : `after ${dependencies
              .map((id) => numberOf.get(id) ?? '')
              .toSorted((one, other) => (one < other ? -1 : 1))
              .join(', ')}`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    ),
  };
}

test('Spec Kit: phases in order, [P] in parallel, stories with their scenarios, files to come', async () => {
  const { outline, find, repaired } = await imported('test/fixtures/other-tools/speckit');
  expect(outline).toEqual([
    'Bakery orders',
    '1 Setup (Shared Infrastructure) ✓',
    '1.1 Create the project ✓',
    '1.2 Set up the linter in config/lint.json ✓ after 1.1',
    '2 User Story 1 - Order bread online (Priority: P1) 🎯 MVP after 1',
    '2.1 Contract test in tests/contract/test_orders.py',
    '2.2 Order model in src/models/order.py',
    '2.3 Order service in src/services/orders.py (depends on T004) after 2.1, 2.2',
    '2.4 Endpoint for orders after 2.3',
    '3 User Story 2 - See the orders (Priority: P2) after 2',
    '3.1 List of orders',
    '4 Polish after 3',
    '4.1 Documentation in docs/orders.md',
  ]);
  expect(repaired).toEqual([expect.stringMatching(/^left out of .*tasks.md: 3 lines, 13–15/)]);
  expect(find('')).toMatchObject({
    detail: expect.stringContaining('Orders are kept in SQLite, behind a small HTTP server.'),
    acceptance: ['SC-001: An order takes less than a minute'],
  });
  expect(find('2')).toMatchObject({
    detail: expect.stringMatching(/^Bread can be ordered/),
    tags: ['US1'],
    acceptance: [
      'Given bread is left, When a customer orders two loaves, Then the stock falls by two',
      'Given no bread is left, When a customer orders, Then the order is refused',
      'Order two loaves by hand',
      'Story 1 works alone',
    ],
  });
  expect(find('2.2')).toMatchObject({
    tags: ['T004', 'parallel', 'US1'],
    x_speckit: { artifacts: ['src/models/order.py'] },
  });
  expect((await imported('test/fixtures/other-tools/speckit/specs/001-bakery-orders')).outline).toEqual(
    outline,
  );
});

test('OpenSpec: tasks with their ticks, requirements as goals, scenarios as criteria; what is archived stays there', async () => {
  const { outline, find } = await imported('test/fixtures/other-tools/openspec');
  expect(outline).toEqual([
    'Add pickup',
    '1 Store',
    '1.1 Add the time to the orders table ✓',
    '1.2 Migrate old orders',
    '2 Page after 1',
    '2.1 Ask for the time',
    '3 Time of pickup after 2',
    '4 Remove: Delivery only after 2',
  ]);
  expect(find('')?.detail).toContain('Customers want to fetch their bread themselves.');
  expect(find('3')).toMatchObject({
    detail: 'The system SHALL keep a time of pickup for each order.',
    tags: ['spec:orders', 'added'],
    acceptance: [
      'Chosen: WHEN a customer chooses 9:00; THEN the order says 9:00',
      'Shop is closed: WHEN the time is after closing; THEN it is refused',
    ],
  });
});
