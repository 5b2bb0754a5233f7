import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { splitClauses } from '../../src/features/rules/clauses/clauses.js';
import { scale } from '../faults/support/scale.js';

/** The parts of a goal, each with the numbers of the parts it waits for. */
function partsOf(goal: string): readonly string[] | null {
  return (
    splitClauses(goal)?.parts.map(({ description, dependsOn }) =>
      dependsOn.length === 0 ? description : `${description} <- ${dependsOn.join(' ')}`,
    ) ?? null
  );
}

describe('splitClauses splits', () => {
  test.each<[string, readonly string[]]>([
    [
      'Add authentication, rate limiting and logging',
      ['Add authentication', 'Add rate limiting', 'Add logging'],
    ],
    [
      'Add authentication, caching and rate limiting',
      ['Add authentication', 'Add caching', 'Add rate limiting'],
    ],
    [
      'Add authentication, caching, and logging to the API',
      ['Add authentication to the API', 'Add caching to the API', 'Add logging to the API'],
    ],
    [
      'Set up authentication, logging and monitoring',
      ['Set up authentication', 'Set up logging', 'Set up monitoring'],
    ],
    ['Buy milk, eggs and brown bread', ['Buy milk', 'Buy eggs', 'Buy brown bread']],
    ['Book flights, hotels and restaurants', ['Book flights', 'Book hotels', 'Book restaurants']],
    ['Write unit tests, docs and a changelog', ['Write unit tests', 'Write docs', 'Write a changelog']],
    ['Invite Ann, Bob and Carl', ['Invite Ann', 'Invite Bob', 'Invite Carl']],
    ['Build the app and deploy it', ['Build the app', 'Deploy the app <- 1']],
    [
      'Interview 12 managers about how they schedule staff, then write up the results',
      ['Interview 12 managers about how they schedule staff', 'Write up the results <- 1'],
    ],
    [
      'Do a stocktake of the whole shop and get rid of what is left',
      ['Do a stocktake of the whole shop', 'Get rid of what is left'],
    ],
    ['Hire two engineers and one designer', ['Hire two engineers', 'Hire one designer']],
    [
      'Renovate the bathroom, first find out whether the wall is damp, then get three quotes',
      ['Find out whether the wall is damp', 'Get three quotes <- 1', 'Renovate the bathroom <- 2'],
    ],
    [
      'Move the repos, first copy one of them, then copy the others',
      ['Copy one of them', 'Copy the others <- 1'],
    ],
    [
      'Containerise the ticket service, set up CI/CD for the ticket service, then add monitoring',
      ['Containerise the ticket service', 'Set up CI/CD for the ticket service', 'Add monitoring <- 1 2'],
    ],
    ['Write the tests and fix the parser', ['Write the tests', 'Fix the parser']],
    [
      'Clean the kitchen, do the laundry and mow the lawn',
      ['Clean the kitchen', 'Do the laundry', 'Mow the lawn'],
    ],
    ['Please build the image and deploy to production', ['Build the image', 'Deploy to production']],
    [
      'Carefully check the cables and replace the old ones',
      ['Carefully check the cables', 'Replace the old ones'],
    ],
    ['Install Node and npm and run the tests', ['Install Node and npm', 'Run the tests']],
    ['Move to Austin, Texas and find a job', ['Move to Austin, Texas', 'Find a job']],
    ['Run the build and deploy the app', ['Run the build', 'Deploy the app']],
    ['Fix the login bug; add a regression test', ['Fix the login bug', 'Add a regression test']],
    ['Frobnicate the widget; degauss the coil', ['Frobnicate the widget', 'degauss the coil']],
    ['Fix the crash and test it', ['Fix the crash', 'Test it <- 1']],
    ['Sort the books, then hand them over', ['Sort the books', 'Hand the books over <- 1']],
    ['Buy the tickets, then hand them over', ['Buy the tickets', 'Hand the tickets over <- 1']],
    ['Set up a cluster and move the jobs to it', ['Set up a cluster', 'Move the jobs to the cluster <- 1']],
    ['Clear the garage, then turn it into a gym', ['Clear the garage', 'Turn the garage into a gym <- 1']],
    [
      'Write tests for the parser, then refactor it',
      ['Write tests for the parser', 'Refactor the parser <- 1'],
    ],
    [
      'Write a tool that converts CSV to JSON and publish it to npm',
      ['Write a tool that converts CSV to JSON', 'Publish the tool to npm <- 1'],
    ],
    ['We need to draft the report. Then print it.', ['Draft the report', 'Print the report <- 1']],
    ['Add to the API: search; export to PDF', ['Add search to the API', 'Add export to PDF to the API']],
    [
      'Build an API that has search and logging, and deploy it',
      ['Build an API that has search and logging', 'Deploy the API <- 1'],
    ],
    ['Paint the fence; mow the lawn; feed the cat', ['Paint the fence', 'Mow the lawn', 'Feed the cat']],
    ['Write the code, then test it', ['Write the code', 'Test the code <- 1']],
    ['Write the code and then test it', ['Write the code', 'Test the code <- 1']],
    [
      'Write the code then test it then ship it',
      ['Write the code', 'Test the code <- 1', 'Ship the code <- 2'],
    ],
    [
      'Install the packages, run the tests, then deploy the app',
      ['Install the packages', 'Run the tests', 'Deploy the app <- 1 2'],
    ],
    ['First draft the report, then send it to Ann', ['Draft the report', 'Send the report to Ann <- 1']],
    [
      'Clean the data, train the model and finally publish the results',
      ['Clean the data', 'Train the model', 'Publish the results <- 1 2'],
    ],
    ['Collect the data; then analyse it', ['Collect the data', 'Analyse the data <- 1']],
    [
      'Apply for a visa, book flights and pack the suitcase',
      ['Apply for a visa', 'Book flights', 'Pack the suitcase'],
    ],
    [
      'Find a venue, send invitations, and order catering',
      ['Find a venue', 'Send invitations', 'Order catering'],
    ],
    [
      '1) Write the parser 2) Test it 3) Ship it',
      ['Write the parser', 'Test the parser <- 1', 'Ship the parser <- 2'],
    ],
    ['(1) write the parser, (2) test it', ['Write the parser', 'Test the parser <- 1']],
    ['1. Chop the onions. 2. Fry them.', ['Chop the onions', 'Fry the onions <- 1']],
    [
      'Migrate services: billing, accounts and search',
      ['Migrate services: billing', 'Migrate services: accounts', 'Migrate services: search'],
    ],
    ['Translate the pages: home and pricing', ['Translate the pages: home', 'Translate the pages: pricing']],
    [
      'Plan the trip: flights, hotels and museums',
      ['Plan the trip: flights', 'Plan the trip: hotels', 'Plan the trip: museums'],
    ],
    [
      'Prepare the release: update the changelog, tag the version and publish the package',
      ['Update the changelog', 'Tag the version', 'Publish the package'],
    ],
    [
      'Design, build and deploy a website',
      ['Design a website', 'Build the website <- 1', 'Deploy the website <- 2'],
    ],
    [
      'Upgrade to Node 20.19, remove `lodash, and friends` and update README.md',
      ['Upgrade to Node 20.19', 'Remove `lodash, and friends`', 'Update README.md'],
    ],
    [
      'Read https://example.org/a,b;c and write a summary',
      ['Read https://example.org/a,b;c', 'Write a summary'],
    ],
    [
      'Write a story called "Build it, then break it" and send it to Jo',
      ['Write a story called "Build it, then break it"', 'Send the story to Jo <- 1'],
    ],
    ['Version the public API. Also add zebra tags.', ['Version the public API', 'Add zebra tags <- 1']],
    [
      'Migrate the shop from PHP to Go, add zebra tags and send it to Ann',
      ['Migrate the shop from PHP to Go', 'Add zebra tags <- 1', 'Send the shop to Ann <- 2'],
    ],
    [
      'Migrate the shop from PHP to Go, then deploy it to Kubernetes',
      ['Migrate the shop from PHP to Go', 'Deploy the shop to Kubernetes <- 1'],
    ],
    [
      'Build an online shop, add search, and deploy it to AWS',
      ['Build an online shop', 'Add search <- 1', 'Deploy the online shop to AWS <- 2'],
    ],
    [
      'Write a book, add a prologue to the book, add an index and publish it',
      ['Write a book', 'Add a prologue to the book <- 1', 'Add an index <- 1', 'Publish the book <- 2 3'],
    ],
    ['Add search and deploy it', ['Add search', 'Deploy the search <- 1']],
    [
      'Build a bot. It should be polite and must not shout. Users can test it. Deploy it to Fly.io.',
      [
        'Build a bot. It should be polite and must not shout. Users can test it',
        'Deploy the bot to Fly.io <- 1',
      ],
    ],
    [
      'Renovate the bathroom, then repaint the hallway',
      ['Renovate the bathroom', 'Repaint the hallway <- 1'],
    ],
    [
      'Plant a garden: test the soil, build two beds, then transplant after the last frost',
      ['Test the soil', 'Build two beds', 'transplant after the last frost <- 1 2'],
    ],
    [
      'Office move in March: furniture, internet, access cards',
      [
        'Office move in March: furniture',
        'Office move in March: internet',
        'Office move in March: access cards',
      ],
    ],
    [
      'Mum’s birthday: invite everyone, book a restaurant, order the cake',
      ['Invite everyone', 'Book a restaurant', 'Order the cake'],
    ],
    [
      'Move the CI to GitLab and delete the old server',
      ['Move the CI to GitLab', 'Delete the old server <- 1'],
    ],
    ['Findings: fix A, rotate the keys, add limits to B', ['Fix A', 'Rotate the keys', 'Add limits to B']],
    ['Build the app.\nTest the app.', ['Build the app', 'Test the app']],
    [
      'Install the tools (git, node and make) and build the project',
      ['Install the tools (git, node and make)', 'Build the project'],
    ],
  ])('%s', (goal, parts) => {
    expect(partsOf(goal)).toEqual(parts);
  });
});

describe('splitClauses leaves whole', () => {
  test.each([
    'Explain how users log in, then reset the password',
    'Integrate a CRM and a shop',
    'Help the whole team plan and run it',
    'Compare an old and a new engine',
    '',
    'Build a REST API',
    'Build a REST API with authentication, rate limiting and logging',
    'Write a script to build the app and deploy it',
    'Build an app with follow requests, embed codes and logging',
    'Build an app that has follow requests, embed codes and logging',
    'Write a script to build, test, and deploy the app',
    'Write a script that fetches the page and stores it',
    'Use Docker to build and run the app',
    'Search and replace the old name',
    'Implement drag and drop',
    'Support copy and paste',
    'Write the terms and conditions',
    'Lead research and development',
    'Grant read and write access',
    'Synchronise between the primary and replica the schema',
    'Choose between Postgres and MySQL',
    'Support both Linux and Windows',
    'Add English, French and German translations',
    'Add unit, integration and end-to-end tests',
    'Add create, update and delete endpoints',
    'Create small, medium and large icons',
    'Build a fast, secure and scalable API',
    'Write fast, reliable and maintainable software',
    'Make the app fast, reliable and secure',
    'Paint the wall red, white and blue',
    'Compare Postgres, MySQL and SQLite',
    'Combine flour, butter and sugar',
    'Add search and filter controls',
    'Update build and release scripts',
    'Improve error messages and log output',
    'Document the setup and release process',
    'Add login and test coverage',
    'Design a login page and check box',
    'Ensure users log in and see the dashboard',
    'Ensure that pages load fast and look good',
    'Make sure users can sign in and update their profile',
    'Help the team plan and run the retro',
    'Learn how to cook and clean the house',
    'Teach users how to save before closing the editor',
    'If the tests fail, then fix the parser',
    'The build runs and deploys the app',
    'After lunch, write the report',
    'Write the report after lunch',
    'Show a banner after logging in',
    'Deploy after the tests pass',
    'Sell salt and pepper',
    'Set the timeout to 1,000 ms',
    'Add a linter, e.g. eslint, biome and oxlint',
    'Write a post titled "Plan, build and ship"',
    'Add fields (name, email and phone)',
    'Support file types such as PNG, JPG and WebP',
    'Schedule a call on Monday, Tuesday and Friday',
    'Travel to Paris, Rome and Berlin',
    'Write about cats, dogs and birds',
    'Fix bug: page crashes, hangs and burns',
    'Meet at 10:30 and 11:30',
    'Upgrade to version 2.0. The old one is unsafe.',
    'Write tests; the parser is untested',
    'Write tests. The parser is untested. It should be fast and can break.',
    'Upgrade the site to version 19 and page 2',
    'Cook dinner for Ann, Bob and Carl',
    'Do not build and deploy the app',
    'Move to Portland, Oregon',
    'Find what to do next week',
    'Read 1984, Brave New World, or Dune',
    'Interview Jane Doe, CEO, Acme',
    'Run tests, run tests and run tests',
    'Build and deploy',
    'Plan the wedding, budget 15k',
    'Organise a booth at the fair and collect at least 200 leads',
    'Find a flat, 3 rooms, balcony, and move in before August',
    'Error: cannot find module, exit code 1, line 5',
    'Plan a trip to Japan, avoid flights, and stay under 2000 euros',
    'Build a shop, use React and deploy it',
    'Paint the fence; white colour; two coats',
    'Make the checkout faster, cheaper and accessible',
    'Budget is 2000 euros. Do not store passwords.',
    'Find and fix the memory leak',
    'Wash and dry the dishes',
    'Pack the boxes before moving the furniture',
    'Before painting the wall, remove the old wallpaper',
    'Run the migrations before deploying',
    'Run the tests before deploying the app',
    'Deploy the app after running the migrations',
    'After writing the report, send it to the board and archive the draft',
    'After running the tests, deploy the app',
    'Stop and think about it',
    'Run the backup, restore and failover drills',
    'Buy a bottle of red, white and rosé wine',
  ])('%s', (goal) => {
    expect(partsOf(goal)).toBeNull();
  });

  test('a text that is too long for a sentence', () => {
    expect(splitClauses('Add tests and fix the bug, '.repeat(4000))).toBeNull();
  });
});

test('the parts wait for earlier parts only, are distinct and shorter than the goal', () => {
  const words = fc.constantFrom(
    'add',
    'tests',
    'and',
    'then',
    ',',
    ';',
    'the',
    'app',
    'deploy',
    'it',
    'after',
    'running',
    ':',
    '1)',
    '2)',
    'before',
    '(',
    '"',
    '.',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 25 }), (list) => {
      const goal = list.join(' ').replace(/ ([,;:.])/g, '$1');
      const parts = splitClauses(goal)?.parts ?? [];
      expect(parts.length).not.toBe(1);
      for (const [index, part] of parts.entries()) {
        expect(part.description).not.toBe('');
        expect(part.description.split(' ').length).toBeLessThan(goal.split(' ').length);
        expect(part.dependsOn.every((number) => number >= 1 && number <= index)).toBe(true);
      }
    }),
    { numRuns: scale(2000, 300) },
  );
});
