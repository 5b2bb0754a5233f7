import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { expandByRules } from '../../src/features/rules/expand-by-rules.js';
import { builtInMethods } from '../../src/features/rules/methods.js';
import { readConditions } from '../../src/features/rules/requirements/conditions.js';
import { scale } from '../faults/support/scale.js';

const methods = builtInMethods();

const VERBS = [
  'Build',
  'Create',
  'Develop',
  'Implement',
  'Make',
  'Design',
  'Please build',
  'We need to create',
  'Write',
  'Launch',
  'Redesign',
  'Improve',
  'Extend',
  'Update',
  'Prototype',
];
const THINGS = [
  'a REST API',
  'a fast REST API for a bakery',
  'the public API',
  'a GraphQL API',
  'a web app',
  'a todo app',
  'an online shop',
  'a mobile app for runners',
  'a command-line tool',
  'a Slack bot',
  'a browser extension',
  'a desktop app',
  'a landing page',
  'a blog',
  'an admin dashboard',
  'a data pipeline',
  'our customer portal',
  'a game',
  'a weather station',
  'the billing service in Go',
  'an MCP server',
  'a microservice',
];
const FEATURES = [
  'authentication',
  'rate limiting',
  'pagination',
  'webhooks',
  'an admin area',
  'audit logging',
  'full-text search',
  'file uploads',
  'email notifications',
  'role-based access control',
  'API keys',
  'usage metrics',
  'dark mode',
  'an RSS feed',
  'CSV import and export',
  'search and filtering',
  'drag and drop',
  'terms and conditions',
  'export to PDF',
  'discounts for members',
  'charts with live data',
  'reports by month',
  'a cache in memory',
  'user-defined fields',
  'follow requests',
  'embed codes',
  'log rotation',
  'test accounts',
  'backup codes',
  'payments with Stripe',
  'a shopping cart',
  'order tracking',
  'two-factor login',
  'SSO',
  'translations into German',
  'a help page',
  'undo and redo',
  'offline support',
  '"Save as…" (for drafts, notes and todos)',
  'a step-by-step tour of the first screen',
];
const ENDINGS = [
  ['deploy it to AWS', 'AWS'],
  ['deploy it to Kubernetes', 'Kubernetes'],
  ['publish it to the App Store', 'the App Store'],
  ['ship it to ten customers', 'ten customers'],
  ['host it on Fly.io', 'Fly.io'],
  ['announce it to the team', 'the team'],
  ['release it on GitHub', 'GitHub'],
  ['migrate it to the new cluster', 'the new cluster'],
  ['hand it over to operations', 'operations'],
] as const;

const goals = fc
  .record({
    verb: fc.constantFrom(...VERBS),
    thing: fc.constantFrom(...THINGS),
    having: fc.constantFrom('with', 'including', 'featuring', 'that has', 'which supports'),
    features: fc.uniqueArray(fc.constantFrom(...FEATURES), { minLength: 1, maxLength: 14 }),
    oxford: fc.boolean(),
    ending: fc.option(fc.constantFrom(...ENDINGS)),
    joint: fc.constantFrom(', and ', ' and ', ', then ', '; then ', '. Then '),
  })
  .map(({ verb, thing, having, features, oxford, ending, joint }) => {
    const list =
      features.length < 3
        ? features.join(' and ')
        : `${features.slice(0, -1).join(', ')}${oxford ? ',' : ''} and ${features.at(-1)}`;
    const goal = `${verb} ${thing} ${having} ${list}${ending === null ? '' : `${joint}${ending[0]}`}`;
    return { goal, asked: [...features, ...(ending === null ? [] : [ending[1]])] };
  });

function names(text: string, asked: string): boolean {
  const at = text.toLowerCase().indexOf(asked.toLowerCase());
  return at >= 0 && !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + asked.length));
}

/**
 * What is lost on the way down the tree: at each level exactly one goal must name what is asked for, or the last must be accepted by it, until a goal names
 * it alone or is atomic.
 */
function lostIn(goal: string, asked: readonly string[]): readonly string[] {
  const { sub_goals: subGoals } = expandByRules(goal, methods);
  if (subGoals.length === 0 || asked.length < 2) return [];
  const tooMany = subGoals.length > 7 ? [`${subGoals.length} sub-goals of “${goal}”`] : [];
  const isInAcceptance = (part: string) =>
    subGoals.some(({ acceptance = [] }) => acceptance.some((text) => names(text, part)));
  const lost = asked.flatMap((part) => {
    const times = subGoals.filter(({ description }) => names(description, part)).length;
    return times === 1 || (times === 0 && isInAcceptance(part))
      ? []
      : [`“${part}” stands in ${times} sub-goals of “${goal}”`];
  });
  const below = subGoals.flatMap(({ description, atomic }) =>
    atomic
      ? []
      : lostIn(
          description,
          asked.filter((part) => names(description, part)),
        ),
  );
  return [...tooMany, ...lost, ...below];
}

function childrenOf(goal: string, most?: number): readonly string[] {
  return expandByRules(goal, methods, most).sub_goals.map(({ description, depends_on: on }) =>
    on.length === 0 ? description : `${description} <- ${on.join(' ')}`,
  );
}

describe('nothing that was asked for is lost', () => {
  test('each feature, and what is to be done with the whole, stands in exactly one sub-goal, or in what it is accepted by', () => {
    fc.assert(
      fc.property(goals, ({ goal, asked }) => {
        expect(lostIn(goal, asked)).toEqual([]);
      }),
      { numRuns: scale(600, 100) },
    );
  });

  test('twelve features of an API are twelve goals, and it is deployed when they are there', () => {
    const twelve =
      'authentication, rate limiting, pagination, webhooks, an admin dashboard, audit logging, full-text search, ' +
      'file uploads, email notifications, role-based access control, API keys and usage metrics';
    const goal = `Build a REST API with ${twelve}, and deploy it to AWS`;
    expect(childrenOf(goal)).toEqual([`Build a REST API with ${twelve}`, 'Deploy the REST API to AWS <- 1']);
    expect(childrenOf(`Build a REST API with ${twelve}`)[4]).toBe(`Add ${twelve} to the API <- 4`);
    const groups = childrenOf(`Add ${twelve} to the API`);
    expect(groups.flatMap((group) => childrenOf(group))).toEqual(
      twelve.split(/, | and /).map((feature) => `Add ${feature} to the API`),
    );
  });

  test('a long list of steps is gathered, in order, under no more goals than are kept', () => {
    const steps = ['Draft', 'Print', 'Sign', 'Scan', 'Send', 'Archive', 'Copy', 'Report', 'Close'];
    const goal = steps.map((step, index) => `${index + 1}) ${step} the form ${index + 1}`).join(' ');
    for (const most of [2, 3, 5, 8]) {
      expect(childrenOf(goal, most).length).toBeLessThanOrEqual(most);
      expect(leavesOf(goal, most)).toEqual(steps.map((step, index) => `${step} the form ${index + 1}`));
    }
    expect(childrenOf(goal, 3)).toEqual([
      'Draft the form 1; then print the form 2; then sign the form 3',
      'Scan the form 4; then send the form 5; then archive the form 6 <- 1',
      'Copy the form 7; then report the form 8; then close the form 9 <- 2',
    ]);
  });

  test.each<[string, readonly string[]]>([
    [
      'Create a simulator with comments, tags, and an RSS feed in Go',
      [
        'Set up the project with Go',
        'Create a simulator <- 1',
        'Add comments to the simulator <- 2',
        'Add tags to the simulator <- 2',
        'Add an RSS feed to the simulator <- 2',
      ],
    ],
    ['Extend the API with search and export', ['Add search to the API', 'Add export to the API']],
  ])('%s', (goal, parts) => {
    expect(childrenOf(goal)).toEqual(parts);
  });

  test.each([
    'Migrate the database with no downtime and no data loss',
    'Refactor the parser with care',
    'Fix the crash with large files and slow networks',
    'Build a garden shed with a workbench and shelves',
    'Build an app with search. The old one is slow.',
  ])('%s: what says how, or of what, is no feature', (goal) => {
    const texts = childrenOf(goal).join('\n');
    expect(texts).not.toMatch(/Add (?:no|care|large|a workbench)|The old one/);
  });
});

const HEADS = [
  'Migrate the shop from PHP to Go',
  'Convert the frontend from JavaScript to TypeScript',
  'Upgrade the app from Rails 6 to Rails 7',
  'Port the editor to Windows',
  'Remove the old billing API',
  'Version the public API',
  'Publish the package on npm',
  'Add monitoring and alerting to the API',
  'Make the site meet WCAG AA',
  'Fix the memory leak in the worker',
  'Reduce the cloud costs',
  'Add dark mode to the app',
  'Build a Discord bot',
  'Build a browser extension',
  'Build an MCP server',
  'Write a parser for SQL',
  'Write a compiler for Lisp',
  'Build a puzzle game',
  'Train a classifier for spam',
  'Analyse the sales data',
  'Write an article about bees',
  'Start a newsletter',
  'Organise a conference',
  'Hire a designer',
  'Move house to Berlin',
  'Add sign-in with Google',
  'Set up CI for the repo',
  'Write the docs for the API',
  'Refactor the payment module',
  'Translate the app into French',
  'Build a REST API',
  'Build a mobile app',
  'Build a CLI',
  'Design a logo',
  'Migrate the database to Postgres',
  'Split the monolith into services',
  'Set up a Kubernetes cluster',
  'Add full-text search to the shop',
  'Write a book about cats',
  'Launch a podcast',
  'Build a data pipeline',
  'Add payments to the shop',
  'Fix the flaky tests',
  'Improve the performance of the site',
  'Set up backups for the server',
  'Investigate the outage',
];
const ITEMS = ['zebra tags', 'quill pens', 'yak shaving', 'the lobby', 'narwhal reports'];

type Joint = (
  head: string,
  items: readonly string[],
) => { readonly goal: string; readonly asked: readonly string[] };

/** All items, as a list in a sentence. */
function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function joint(write: (head: string, items: readonly string[]) => string): Joint {
  return (head, items) => ({ goal: write(head, items), asked: items });
}

/** Ways in which a goal goes on behind what a method knows of it. */
const JOINTS: readonly Joint[] = [
  joint((head, items) => `${head}, including ${listed(items)}`),
  joint((head, items) => `${head}, such as ${listed(items)}`),
  joint((head, items) => `${head} with ${listed(items)}`),
  joint((head, items) => `${head} (with ${listed(items)})`),
  joint((head, items) => `${head} (${items.join(', ')})`),
  joint((head, items) => `${head}: ${listed(items)}`),
  joint((head, items) => `${head}: ${items.join('; ')}`),
  joint((head, items) => `${head} - ${listed(items)}`),
  joint((head, items) => `${head}:\n- ${items.join('\n- ')}`),
  joint((head, items) => `${head}:\n\n* ${items.join('\n* ')}\n\nThen write about ${items[0]}`),
  joint((head, items) => `${head} for ${listed(items)}`),
  joint((head, items) => `${head}. It must support ${listed(items)}.`),
  joint((head, items) => `${head}. It should offer ${listed(items)}. Tell Ann about it.`),
  joint((head, items) => `${head}. Also ${items.map((item) => `add ${item}`).join('. Also ')}.`),
  joint((head, items) => `${head}, ${items.map((item) => `add ${item}`).join(', ')} and send it to Ann`),
  joint((head, items) => `${head}; then ${items.map((item) => `add ${item}`).join('; then ')}`),
  joint((head, items) => `${head} and drop support for ${listed(items)}`),
  joint((head, items) => `${head}, but not ${listed(items)}`),
  joint((head, items) => `${head} without ${listed(items)}`),
  joint((head, items) => `${head}. ${listed(items)} were slow.`),
  (head) => ({ goal: `${head}, then deploy it to Quuxcloud`, asked: ['Quuxcloud'] }),
  (head) => ({ goal: `${head} in two weeks`, asked: ['two weeks'] }),
  (head) => ({ goal: `${head} by Friday`, asked: ['Friday'] }),
  (head) => ({ goal: `${head} by the end of March, including maps`, asked: ['end of March', 'maps'] }),
  (head) => ({ goal: `${head} on a budget of 500 euros`, asked: ['500 euros'] }),
];

/** What no goal names on the way down, neither in its words nor in what must hold for it. */
function unnamedIn(goal: string, asked: readonly string[]): readonly string[] {
  const { sub_goals: subGoals } = expandByRules(goal, methods);
  if (subGoals.length === 0) return [];
  const texts = subGoals.map(({ description, acceptance = [] }) => [description, ...acceptance].join('\n'));
  const missing = asked.filter((part) => !texts.some((text) => names(text, part)));
  const below = subGoals.flatMap(({ description, atomic }) =>
    atomic
      ? []
      : unnamedIn(
          description,
          asked.filter((part) => names(description, part)),
        ),
  );
  return [...missing.map((part) => `“${part}” of “${goal}”`), ...below];
}

/** What must hold for the sub-goals of a goal, besides their words. */
function conditionsOf(goal: string): readonly string[] {
  return expandByRules(goal, methods).sub_goals.flatMap(({ acceptance = [] }) => acceptance);
}

describe('whatever a method knows of a goal, the rest of it is kept', () => {
  test('however it is joined to the goal', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HEADS),
        fc.constantFrom(...JOINTS),
        fc.uniqueArray(fc.constantFrom(...ITEMS), { minLength: 1, maxLength: 4 }),
        (head, write, items) => {
          const { goal, asked } = write(head, items);
          expect(unnamedIn(goal, asked)).toEqual([]);
        },
      ),
      { numRuns: scale(1500, 300) },
    );
  });

  test('a time is kept where another time stands in a step', () => {
    expect(conditionsOf('Start a newsletter in two weeks')).toEqual(['As asked: in two weeks']);
  });

  test.each<[string, readonly string[]]>([
    [
      'Build a simulator (with maps and a lobby)',
      ['Build a simulator', 'Add maps to the simulator <- 1', 'Add a lobby to the simulator <- 1'],
    ],
    [
      'Build a REST API:\n- users\n- orders\n\nDeploy it to Fly.io',
      ['Build a REST API: users and orders', 'Deploy the REST API to Fly.io <- 1'],
    ],
    [
      'Build a REST API. It should offer rate limiting, voice messages, and dark mode. Deploy it to Kubernetes.',
      [
        'Build a REST API. It should offer rate limiting, voice messages, and dark mode',
        'Deploy the REST API to Kubernetes <- 1',
      ],
    ],
    ['Build a simulator with maps by Friday', ['Build a simulator', 'Add maps to the simulator <- 1']],
  ])('%s', (goal, parts) => {
    expect(childrenOf(goal)).toEqual(parts);
  });

  test.each([
    [
      'Set up monitoring for the API, the worker and the database',
      'Set service-level objectives for the API, the worker and the database',
    ],
    [
      'Port the game to Windows, macOS and Linux',
      'Package, sign and install it the way Windows, macOS and Linux expect',
    ],
    ['Fix the flaky tests in two weeks', 'Run the suite many times on the same code'],
    ['Reduce the cloud costs by Friday', 'Break the bill down by service, team and environment'],
    ['Sunset the legacy REST API by June', 'Announce the last day, June, in the documentation'],
    ['Make the site meet WCAG AA on a budget of 500 euros', 'the main journeys of the interface'],
    [
      'Build a REST API with users and orders, but not payments',
      'Implement the endpoints for users and orders with input validation and uniform error responses <- 2 3',
    ],
  ])('%s: “%s”', (goal, text) => {
    expect(childrenOf(goal).join('\n')).toContain(text);
  });

  test.each<[string, readonly string[]]>([
    ['Fix the flaky tests in two weeks', ['As asked: in two weeks']],
    ['Reduce the cloud costs by Friday', ['As asked: by Friday']],
    ['Reduce the cloud costs by 30 %', []],
    [
      'Build a REST API with users and orders by Friday, but not payments',
      ['As asked: by Friday', 'As asked: without payments'],
    ],
    ['Build a todo app', ['As asked: “Build a todo app”']],
    ['Build a puzzle game. The old one is slow.', ['As asked: “Build a puzzle game. The old one is slow.”']],
    [
      'Fix the flaky tests, including A, B, and C',
      ['As asked: “Fix the flaky tests, including A, B, and C”'],
    ],
    // A step names what it is to do.
    ['Build a Discord bot that plays music and moderates chat', []],
    ['Create a VS Code extension which lets people rename files and sort imports', []],
    ...[
      'Build a chatbot. Users can ask about orders. It should be polite and must not give discounts.',
      'Upgrade from Node 18 to Node 22 and drop support for Windows',
      'Build a website for a bakery: menu, opening hours, order form; German and English',
    ].map((goal): [string, readonly string[]] => [goal, [`As asked: “${goal}”`]]),
    ['CI takes 45 minutes, get it under 10', ['No longer so: “CI takes 45 minutes, get it under 10”']],
    ['Write tests/e2e/login.spec.ts for https://a.b/v1/users', []],
    ['Build a REST API with authentication', []],
    ['Add versioning to the API', []],
  ])('%s: what must hold is told with the last sub-goal', (goal, conditions) => {
    expect(conditionsOf(goal)).toEqual(conditions);
  });
});

describe('what a thing is to do stands in a step before it is tried', () => {
  test.each([
    [
      'Build a Slack bot that reminds people of code reviews older than 2 days',
      'reminds people of code reviews older than 2 days',
    ],
    ['Build a Discord bot that plays music and moderates chat', 'plays music and moderates chat'],
    ['Write a CLI tool in Go that syncs my notes to S3', 'syncs my notes to S3'],
    [
      'Build an internal dashboard that shows sales, refunds and tickets per region',
      'shows sales, refunds and tickets per region',
    ],
    [
      'Build a todo app where users can share lists and set reminders',
      'where users can share lists and set reminders',
    ],
    ['Create a VS Code extension which lets people rename files', 'which lets people rename files'],
    ['Create an admin panel where moderators can ban users', 'where moderators can ban users'],
    ['Build a mobile app that tracks how much water I drink', 'that tracks how much water I drink'],
  ])('%s', (goal, deed) => {
    const titles = expandByRules(goal, methods).sub_goals.map(({ description }) => description);
    const at = titles.findIndex((title) => title.includes(deed));
    expect(at).toBeGreaterThan(1);
    expect(at).toBeLessThan(titles.length - 1);
    expect(
      titles.slice(0, at).filter((title) => /^(?:Test|Try|Publish|Host|Submit|Release)\b/.test(title)),
    ).toEqual([]);
    expect(conditionsOf(goal)).toEqual([]);
  });
});

test.each([
  ['Build a mobile app for nurses to swap shifts, with push notifications', 'for nurses to swap shifts'],
  ['Write a bot to remind our team about birthdays', 'that is to remind our team about birthdays'],
  ['Build a web app so that neighbours can lend each other tools', 'so that neighbours can lend'],
  [
    'Write a CLI for the finance team to check invoices, including a dry run',
    'for the finance team to check invoices',
  ],
])('what a thing is for is said in other words, and stands in a step as well: %s', (goal, purpose) => {
  const titles = expandByRules(goal, methods).sub_goals.map(({ description }) => description);
  expect(titles.filter((title) => title.includes(purpose))).toHaveLength(1);
});

test('a bot of two deeds is not one that only reminds', () => {
  const goal = 'Write a Discord bot that reminds our group about events and tracks who signed up';
  const titles = expandByRules(goal, methods).sub_goals.map(({ description }) => description);
  expect(titles.join('\n')).toContain('reminds our group about events and tracks who signed up');
  expect(titles.join('\n')).not.toMatch(/schedule|is due/);
});

describe('a list of which one item stands in no step is not divided by a method', () => {
  test.each([
    'Relocate our office to a new floor: desks, network, phones, signage',
    'Write API docs for the payments service: gauges, tariffs',
    'Prepare for the marathon with yoga and a nutritionist',
    'Apply for a work visa, including a lawyer and an embassy',
    'Launch our podcast app on Product Hunt with a trailer and a discount',
    'Add full-text search to our recipe site with typo tolerance and voices',
    'Save up for a trip to New Zealand and quit my job',
  ])('%s', (goal) => {
    expect(expandByRules(goal, methods).sub_goals).toEqual([]);
  });
});

describe('a state or a day at the end of a list is a condition', () => {
  test.each([
    [
      'Build a puzzle game with maps and a lobby, demo ready for the fair in October',
      'demo ready for the fair in October',
    ],
    ['Build a website with a menu and a booking form, live by May', 'live by May'],
    ['Renovate the kitchen, done before summer', 'done before summer'],
    ['Build a REST API with members, loans and fines, documented with OpenAPI', 'documented with OpenAPI'],
    ['Open a yoga studio with a café, first class in September', 'first class in September'],
    ['Build a mobile app with maps, finished in time for the festival', 'finished in time for the festival'],
  ])('%s', (goal, state) => {
    expect(conditionsOf(goal)).toContain(`As asked: ${state}`);
    expect(JSON.stringify(expandByRules(goal, methods).sub_goals)).not.toMatch(
      /Add [^"]*(?:ready|live|finished)/,
    );
  });
});

describe('what is said behind the main clause is kept, and hinders no method', () => {
  test.each([
    [
      'party',
      'Organise the summer party on 12 July, somewhere reachable by tram, vegetarian options and a plan B for rain',
    ],
    ['ci-cd', 'Set up CI/CD for our three repositories, at the moment we deploy by copying files over FTP'],
    ['thesis', 'Write my master’s thesis, 60 pages at least, the supervisor is away until May'],
    ['renovation', 'Renovate the bathroom before the twins arrive, and we need a working shower throughout'],
    [
      'oauth-sign-in',
      'Add login with Google to our web app, but keep the existing password accounts working',
    ],
  ])('%s: %s', (method, goal) => {
    const { reasoning, sub_goals: subGoals } = expandByRules(goal, methods);
    expect(reasoning).toContain(`Method ${method}:`);
    const said = goal.split(', ').at(-1)?.split(' and ')[0] ?? '';
    expect(JSON.stringify(subGoals.flatMap(({ acceptance = [] }) => acceptance))).toContain(
      said.slice(0, 20),
    );
  });

  test.each(['Renovate the bathroom, sell the old car', 'Plan the wedding (cancel the trip to Rome)'])(
    'but more work keeps it whole: %s',
    (goal) => {
      expect(expandByRules(goal, methods).sub_goals).toEqual([]);
    },
  );
});

describe('what is said of how things are is no part of the work', () => {
  test.each([
    ['Build a dashboard for the plant: too many alarms, nobody reads them', /Add (?:too many|nobody)/],
    [
      'Open an online store for my ceramics. I have a till with about 300 products in it but no photos.',
      /300 products/,
    ],
    ['Get the flaky tests under control, right now one in six runs fails', /six runs/],
    ['Migrate 38 sites off the old WordPress host; contract ends 1 December', /^Contract ends/m],
    ['Search on our site is awful. Replace the SQL queries with something proper.', /^Search on our site/m],
    ['Port the little program that only runs on Windows to something newer', /Windows to something/],
  ])('%s', (goal, invented) => {
    const titles = expandByRules(goal, methods).sub_goals.map(({ description }) => description);
    expect(titles.join('\n')).not.toMatch(invented);
  });

  test('a reason and a circumstance are borne in mind from the first step on, and are no criterion of the last', () => {
    const { sub_goals: subGoals } = expandByRules(
      'Plan a vegetable garden, we have about 4 by 6 metres and mostly shade',
      methods,
    );
    expect(subGoals[0]?.acceptance).toEqual([
      'To bear in mind: we have about 4 by 6 metres and mostly shade',
    ]);
    expect(JSON.stringify(subGoals.at(-1)?.acceptance ?? [])).not.toContain('shade');
  });

  test.each([
    ['Renew my passport before the trip on June 14', 'before the trip on June 14'],
    ['Plan a week of dinners for a family of four', 'for a family of four'],
    [
      'Renovate the bathroom for less than $8,000, and we can wash elsewhere',
      '“Renovate the bathroom for less than $8,000, and we can wash elsewhere”',
    ],
  ])('a day, a family and a sum are kept whole: %s', (goal, condition) => {
    expect(conditionsOf(goal)).toContain(`As asked: ${condition}`);
  });
});

test('a day that is said of two goals is kept with each', () => {
  const { sub_goals: subGoals } = expandByRules('Hire two engineers and one designer by end of Q3', methods);
  expect(subGoals.map(({ description }) => description)).toEqual(['Hire two engineers', 'Hire one designer']);
  for (const { acceptance } of subGoals) expect(acceptance).toEqual(['As asked: by end of Q3']);
});

describe('a goal of which most words stand in no step of a method stays whole', () => {
  test.each([
    'Start a small bakery selling bread and cakes at the weekend market',
    'Buy our first house, with a deposit of 40k saved by next spring',
  ])('%s', (goal) => {
    expect(expandByRules(goal, methods).sub_goals).toEqual([]);
  });
});

test('a time in a clause of another time is no condition of the goal', () => {
  expect(readConditions('Clear out the flat after she died in spring').conditions).toEqual([]);
});

test('things that an API holds stand in its data model, and work that a method knows behind the endpoints', () => {
  const { sub_goals: subGoals } = expandByRules(
    'Build a REST API for a booking system with users, rooms, bookings and payments',
    methods,
  );
  const titles = subGoals.map(({ description }) => description);
  expect(titles).toContain('Create the data model of users, rooms and bookings and its persistence');
  expect(titles).toContain('Add payments to the API');
  expect(titles.filter((title) => title.startsWith('Add'))).toHaveLength(1);
});

test('what a method lacks is added before what it made is rolled out', () => {
  const { sub_goals: subGoals } = expandByRules(
    'Set up a Kubernetes cluster for three teams with separate quotas',
    methods,
  );
  const titles = subGoals.map(({ description }) => description);
  expect(titles.indexOf('Add separate quotas to the cluster')).toBe(titles.length - 2);
});

test('company is not torn apart: a piano goes with the cats', () => {
  const { sub_goals: subGoals } = expandByRules(
    'Move to a new apartment in Berlin with two cats and a piano',
    methods,
  );
  expect(subGoals.some(({ description }) => description.includes('how two cats and a piano travel'))).toBe(
    true,
  );
  expect(
    expandByRules('Move to a smaller flat with our aquarium', methods).sub_goals[1]?.description,
  ).toContain('how our aquarium travels');
  expect(readConditions('Plan a trip to Rome with two cats and a piano').conditions).toEqual([]);
  expect(readConditions('Plan a trip to Rome with two cats and my dog').conditions).toEqual([
    'with two cats and my dog',
  ]);
});

function leavesOf(goal: string, most: number): readonly string[] {
  const { atomic, sub_goals: subGoals } = expandByRules(goal, methods, most);
  return atomic ? [goal] : subGoals.flatMap(({ description }) => leavesOf(description, most));
}
