import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { readGoal } from '../../src/features/rules/clauses/goal-words.js';
import { wordingsOf } from '../../src/features/rules/clauses/wordings.js';
import { expandByRules } from '../../src/features/rules/expand-by-rules.js';
import { builtInMethods, matchMethod } from '../../src/features/rules/methods.js';
import { readYaml } from '../../src/kernel/yaml.js';

const methods = builtInMethods();

describe('a goal of software is none of life, work or a whole trade', () => {
  test.each([
    ['start-business', 'Build a tab bar'],
    ['start-business', 'Create a status bar'],
    ['start-business', 'Nearby restaurants'],
    ['start-business', 'Create a company'],
    ['start-business', 'Create an agency'],
    ['start-business', 'Nearby coffee shops'],
    ['tool-switch', 'Change the Tailwind colours from blue to green'],
    ['tool-switch', 'Move the Terraform state from local disk to S3'],
    ['tool-switch', 'Convert a pandas DataFrame from wide to long'],
    ['tool-switch', 'Change the Redux action names from past to present tense'],
    ['furniture-build', 'Create a table for house prices'],
    ['furniture-build', 'Build a table view'],
    ['handmade-build', 'Build a dining table'],
    ['monorepo', 'Move our monorepo from Lerna to Nx'],
    ['code-style-checks', 'Add a date formatter'],
    ['code-style-checks', 'Add a snow biome'],
    ['code-style-checks', 'Write a currency formatter'],
    ['gradual-typing', 'Add a TypeScript type for orders'],
    ['gradual-typing', 'Create a new TypeScript type'],
    ['adoption', 'Implement a migration tool'],
    ['adoption', 'Implement teams'],
    ['adoption', 'Implement time tracking'],
    ['adoption', 'Introduce teams'],
    ['adoption', 'Implement a wiki'],
    ['machine-learning', 'Detect the default browser language'],
    ['machine-learning', 'Detect duplicate images'],
    ['machine-learning', 'Estimate the price of the kitchen'],
    ['machine-learning', 'Detect a price change'],
    ['machine-learning', 'Detect the traffic source'],
    ['audience', 'Get the followers of a user'],
    ['audience', 'Get all subscribers'],
    ['pay-raise', 'Get the salary of an employee'],
    ['pay-raise', 'Get active promotions for a customer'],
    ['pay-raise', 'Get the promotion of a product'],
    ['loan', 'Get a loan by id'],
    ['loan', 'Get the loan of a user'],
    ['grant', 'Submit a bid'],
    ['grant', 'Get the grants of a user'],
    ['visa', 'Get the passport of a user'],
    ['pet', 'Get a pet by id'],
    ['pet', 'Get the pets of an owner'],
    ['job-search', 'Get a job by id'],
    ['home-search', 'Find an apartment by id'],
    ['hiring', 'Find an employee by id'],
    ['hiring', 'Find the manager of an employee'],
    ['vehicle-purchase', 'Find bikes near the user'],
    ['vehicle-purchase', 'Find cars'],
    ['vehicle-purchase', 'Find a car by plate'],
    ['archive', 'Sort recipes by rating'],
    ['archive', 'Sort bookmarks'],
    ['archive', 'Sort the inbox'],
    ['exam', 'Pass the client certificate to nginx'],
    ['exam', 'Take the final'],
    ['community', 'Create user groups'],
    ['community', 'Create a club'],
    ['community', 'Create a community'],
    ['meal-plan', 'Create a meal'],
    ['habit', 'Read more'],
    ['habit', 'Implement habits'],
    ['household-money', 'Save the route for a trip'],
    ['household-money', 'Save the photo for the wedding'],
    ['scaling', 'Make the website scale on small screens'],
    ['scaling', 'Make the app scale with the window'],
    ['notifications', 'Write a welcome email for new staff'],
    ['moving-house', 'Move out shared state to the parent component'],
    ['moving-house', 'Move out the state to a parent'],
    ['person-search', 'Doctor search'],
    ['home-search', 'Room search'],
    ['person-search', 'Venue search'],
    ['hiring', 'Employee search'],
    ['device', 'Build a website for our Raspberry Pi club'],
    ['device', 'Create a trading robot'],
    ['device', 'Build a forum for Arduino users'],
    ['channel', 'Start a food blog'],
    ['garden', 'Implement a garden'],
    ['home-search', 'Search rooms'],
    ['home-search', 'Search for a house by postcode'],
    ['job-search', 'Find open jobs'],
    ['job-search', 'Get jobs'],
    ['pet', 'Get the dogs'],
    ['person-search', 'Find tutors'],
    ['person-search', 'Find a venue by city'],
    ['hiring', 'Find candidates'],
    ['hiring', 'Find a candidate by skill'],
    ['fitness', 'Increase the flexibility of the config'],
    ['room-setup', 'Implement a recording studio'],
    ['campaign', 'Implement campaigns'],
    ['course', 'Implement courses'],
    ['talk', 'Implement presentations'],
  ])('not %s: %s', (name, goal) => {
    expect(matchMethod(goal, methods)?.method.name).not.toBe(name);
  });
});

describe('a neighbour is not taken for what is meant', () => {
  test.each([
    ['language-move', 'Migrate our monolith from Python 2.7 to Python 3'],
    ['language-upgrade', 'Move from JavaScript to TypeScript 5'],
    ['database-migration', 'Move our Postgres database to AWS RDS'],
    ['database-hosting-move', 'Migrate from Oracle to Postgres on RDS'],
    ['payments', 'Add Stripe subscriptions'],
    ['product-launch', 'Launch an MVP of a habit tracker'],
    ['deployment', 'Launch our new app on Product Hunt'],
    ['deployment', 'Host the bot on a Raspberry Pi'],
    ['start-business', 'Open a small coffee shop'],
    ['start-business', 'Start a charity'],
    ['event', 'Plan a wedding'],
    ['event', 'Organise a birthday party'],
    ['event', 'Run events'],
    ['event', 'Plan a webinar'],
    ['habit', 'Quit smoking'],
    ['habit', 'Create a habit'],
    ['skill', 'Learn to swim'],
    ['skill', 'Learn to play the piano'],
    ['skill', 'Learn to say no'],
    ['skill', 'Learn to trust people again'],
    ['exam', 'Pass the driving test'],
    ['exam', 'Prepare my son for his entrance exam'],
    ['search-feature', 'Add search to our docs site'],
    ['campaign', 'Create a campaign'],
    ['course', 'Create a course'],
    ['talk', 'Create a talk'],
    ['talk', 'Write a best man speech'],
    ['brand', 'Create a brand'],
    ['selection', 'Choose a database'],
    ['selection', 'Choose a school'],
    ['home-search', 'House search'],
    ['sale', 'Sell our house'],
    ['visa', 'Renew my passport'],
    ['renovation', 'Turn the garage into a home gym'],
    ['career-change', 'Become a doctor'],
    ['employee-onboarding', 'Train the staff'],
    ['monitoring', 'Set up error tracking with Sentry'],
    ['monitoring', 'Set up alerting for failed cron jobs'],
    ['port-platform', 'Port our iOS app to Android'],
    ['test-suite', 'Add unit tests to our service before we refactor it'],
    ['secrets-management', 'Rotate all secrets'],
    ['test-suite', 'Write characterization tests for the parser'],
    ['animal-training', 'Train a dog classifier'],
    ['relocation', 'Move to the US region'],
    ['used-things', 'Sell our app'],
    ['bad-habit', 'Limit the image size'],
    ['health-value', 'Improve the blood pressure chart'],
    ['swimming', 'Teach the robot to swim'],
    ['passport', 'Replace Passport.js with Auth.js'],
    ['subscription-billing', 'Create a GraphQL subscription'],
    ['strength-target', 'Lift state up'],
    ['market-stall', 'Open the market page'],
    ['records-digitising', 'Move the DNS records'],
    ['speech', 'Write a text to speech service'],
  ])('not %s: %s', (name, goal) => {
    expect(matchMethod(goal, methods)?.method.name).not.toBe(name);
  });
});

describe('no method knows a neighbour of what it is about', () => {
  test.each([
    'Move our company email from Exchange to Microsoft 365',
    'Move our phone system to Teams',
    'Move our repository from Azure to GitHub',
    'Move the shop to a new building',
    'Move the archive to S3',
    'Move our warehouse to Leeds',
    'Move the dining table to the garden',
    'Move 5 React components to a shared package',
    'Move 3 Python scripts to a new repository',
    'Move the helper into a Python module',
    'Move our Postgres backups to S3',
    'Move the conference from Leeds to London',
    'Change our electricity provider',
    'Switch our password manager',
    'Convert our heating system to gas',
    'Set up authentication for the office Wi-Fi',
    'Set up permissions for the shared drive',
    'Set up backups for my photos',
    'Set up a virtual machine for testing',
    'Set up a CRM for our sales team',
    'Set up a workshop for 20 teachers',
    'Set up a bar for the wedding',
    'Set up a smart home',
    'Set up a password manager',
    'Set up file storage for the office',
    'Set up the infrastructure for the festival',
    'Set up collaboration with the university',
    'Set up email reminders for our patients',
    'Build a gaming PC',
    'Build a library in our street',
    'Add voice chat to the app',
    'Handle incoming webhooks from Stripe',
    'Design a board game',
    'Design a package for our cosmetics',
    'Design a theme for the prom',
    'Make the building accessible',
    'Make our PDF invoices accessible',
    'Improve the security of our school building',
    'Improve the performance of the team',
    'Improve my memory',
    'Write a test for my biology class',
    'Fix the error in my tax return',
    'Reduce the performance of the choir',
    'Sell handmade toys',
    'Redesign our shop on the corner',
    'Clean up the site before the builders come',
    'Clear out the garage before we move',
    'Sort out my inbox',
    'Hire a chef for my birthday',
    'Get funding for the school garden',
    'Cook a meal for my wife',
    'Digitise contracts',
  ])('%s', (goal) => {
    expect(expandByRules(goal, methods).reasoning).not.toMatch(/^Method /);
  });
});

describe('what is meant stays', () => {
  test.each([
    ['Start a company', 'start-business'],
    ['Move our build from Webpack to Vite', 'tool-switch'],
    ['Migrate from Terraform to OpenTofu', 'tool-switch'],
    ['Build a dining table', 'furniture-build'],
    ['Add Biome', 'code-style-checks'],
    ['Implement Scrum', 'adoption'],
    ['Detect fraud in card payments', 'machine-learning'],
    ['Get a loan', 'loan'],
    ['Find a used car', 'vehicle-purchase'],
    ['Sort my recipes', 'archive'],
    ['Start a running club', 'community'],
    ['Found a community of practice', 'community'],
    ['Read more books', 'habit'],
    ['Save 5000 euros for a holiday', 'household-money'],
    ['Move out of my parents’ house', 'moving-house'],
    ['Job search', 'job-search'],
    ['Start a Python user group', 'community'],
    ['Create an online community for gardeners', 'community'],
    ['Introduce time tracking for the team', 'adoption'],
    ['Find wedding venues in Kent', 'person-search'],
    ['Write a bid for the council contract', 'grant'],
    ['House hunting in Leeds', 'home-search'],
    ['Find a designer', 'hiring'],
    ['Start a print-on-demand shop', 'online-store'],
    ['Improve the time to first byte', 'performance'],
    ['Write a code of conduct', 'handbook'],
    ['Get our finances in order', 'household-money'],
    ['Build a ticket selling website', 'website'],
    ['Start a side business selling prints', 'start-business'],
    ['CI takes 45 m', 'ci-speed'],
    ['Prepare a talk about schema design', 'talk'],
  ])('%s: %s', (goal, name) => {
    expect(matchMethod(goal, methods)?.method.name).toBe(name);
  });
});

test('megabytes are no minutes', () => {
  const said = ['The API server needs 512 M of memory', 'The worker takes 64 M of memory'];
  expect(said.flatMap(wordingsOf).filter((wording) => wording.startsWith('Speed up'))).toEqual([]);
});

test.each([
  ['Write a business plan for small, quiet bakeries', /small/],
  ['Write a business plan for cheap, healthy lunches', /cheap/],
  ['Build a mobile app for iOS, Android', /iOS/],
  ['Write a marketing plan for cats, dogs', /cats/],
])('no slot is cut inside a list: %s', (goal, cut) => {
  const { sub_goals: subGoals } = expandByRules(goal, methods);
  expect(subGoals.length).toBeGreaterThan(2);
  // The whole of it, or nothing: "for iOS" is wrong where Android is meant as well.
  const whole = goal.slice(goal.indexOf(' for ') + ' for '.length);
  for (const { description } of subGoals.filter((one) => cut.test(one.description)))
    expect(description).toContain(whole);
});

test('every phrase of an object stands before the word at which an object ends', () => {
  const folder = new URL('../../src/features/rules/methods/', import.meta.url);
  const unreachable = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => {
      const read = readYaml(readFileSync(new URL(file, folder), 'utf8'));
      const { fits } = ('value' in read ? read.value : {}) as { fits: { object?: string[][] }[] };
      return fits
        .flatMap(({ object = [] }) => object.flat())
        .filter((phrase) => readGoal(`Do ${phrase}`).words.some(({ ends }) => ends))
        .map((phrase) => `${file}: ${phrase}`);
    });
  expect(unreachable).toEqual([]);
});
