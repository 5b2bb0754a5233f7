import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { expandByRules } from '../../src/rules/expand-by-rules.js';
import { builtInMethods } from '../../src/rules/methods.js';
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
 * What is lost on the way down the tree: at each level exactly one goal must name what is asked for, until a goal names
 * it alone or is atomic.
 */
function lostIn(goal: string, asked: readonly string[]): readonly string[] {
  const { sub_goals: subGoals } = expandByRules(goal, methods);
  if (subGoals.length === 0 || asked.length < 2) return [];
  const tooMany = subGoals.length > 7 ? [`${subGoals.length} sub-goals of “${goal}”`] : [];
  const lost = asked.flatMap((part) => {
    const times = subGoals.filter(({ description }) => names(description, part)).length;
    return times === 1 ? [] : [`“${part}” stands in ${times} sub-goals of “${goal}”`];
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
  test('each feature, and what is to be done with the whole, stands in exactly one sub-goal', () => {
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
      'Build a Slack bot with polls, reminders and a leaderboard',
      [
        'Build a Slack bot',
        'Add polls to the Slack bot <- 1',
        'Add reminders to the Slack bot <- 1',
        'Add a leaderboard to the Slack bot <- 1',
      ],
    ],
    [
      'Create a blog with comments, tags, and an RSS feed in Go',
      [
        'Set up the project with Go',
        'Create a blog <- 1',
        'Add comments to the blog <- 2',
        'Add tags to the blog <- 2',
        'Add an RSS feed to the blog <- 2',
      ],
    ],
    ['Extend the API with search and export', ['Add search to the API', 'Add export to the API']],
    [
      'Build a Discord bot that plays music and moderates chat',
      [
        'Build a Discord bot',
        'Make sure that the Discord bot plays music <- 1',
        'Make sure that the Discord bot moderates chat <- 1',
      ],
    ],
    [
      'Create a VS Code extension which lets people rename files and sort imports',
      ['Create a VS Code extension', 'Let people rename files <- 1', 'Let people sort imports <- 1'],
    ],
    [
      'Build a chatbot. Users can ask about orders. It should be polite and must not give discounts.',
      [
        'Build a chatbot',
        'Let users ask about orders <- 1',
        'Make the chatbot polite <- 1',
        'Make sure that the chatbot does not give discounts <- 1',
      ],
    ],
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

function leavesOf(goal: string, most: number): readonly string[] {
  const { atomic, sub_goals: subGoals } = expandByRules(goal, methods, most);
  return atomic ? [goal] : subGoals.flatMap(({ description }) => leavesOf(description, most));
}
