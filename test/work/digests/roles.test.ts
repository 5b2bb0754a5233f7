import { expect, test } from 'vitest';

import { turnedNegations } from '../../../src/work/digests/fidelity.js';
import { swappedRoles } from '../../../src/work/digests/roles.js';
import { sentencesOf } from '../../../src/work/digests/sentences.js';

const sentences = (text: string) => sentencesOf(text).map((each) => each.text);
const swapped = (source: string, digest: string) => swappedRoles(sentences(source), sentences(digest));

test.each([
  ['The gateway calls the billing service.', 'The billing service calls the gateway.'],
  ['OrderQueue wakes MailSender once a minute.', 'MailSender wakes OrderQueue once a minute.'],
  ['The importer depends on the parser.', 'The parser depends on the importer.'],
  ['We lowered the timeout from 30 to 20 seconds.', 'The timeout was changed from 20 to 30 seconds.'],
  ['We chose PostgreSQL over MySQL for its row locks.', 'We chose MySQL over PostgreSQL for its row locks.'],
  ['Redis was replaced by Valkey in March.', 'Valkey was replaced by Redis in March.'],
  ['Editors approve drafts.', 'Drafts approve editors.'],
  ['The worker calls the scheduler every second.', 'The worker is called by the scheduler every second.'],
  ['The scanner runs before the uploader.', 'The uploader runs before the scanner.'],
  ['Sessions outlive tokens.', 'Tokens outlive sessions.'],
  ['The mirror is copied into the archive at night.', 'The archive is copied into the mirror at night.'],
  ['Photos move from the outbox to the vault.', 'Photos move from the vault to the outbox.'],
])('what "%s" says is not said by "%s"', (source, digest) => {
  expect(swapped(source, digest)).toHaveLength(1);
  expect(swapped(source, source)).toEqual([]);
});

test.each([
  ['The gateway calls the billing service.', 'The billing service is called by the gateway.'],
  ['OrderQueue wakes MailSender once a minute.', 'Once a minute MailSender is woken by OrderQueue.'],
  [
    'The importer depends on the parser.',
    'Without the parser, which it depends on, the importer does nothing.',
  ],
  ['We lowered the timeout from 30 to 20 seconds.', 'The timeout is 20 seconds (30 before).'],
  [
    'We chose PostgreSQL over MySQL for its row locks.',
    'PostgreSQL, not MySQL, was chosen for its row locks.',
  ],
  ['Redis was replaced by Valkey in March.', 'Valkey replaced Redis in March.'],
  ['Editors approve drafts.', 'Drafts are approved by editors; drafts need it.'],
  ['The scanner runs before the uploader.', 'The uploader runs after the scanner.'],
  ['The worker calls the scheduler. The scheduler calls the worker.', 'The scheduler calls the worker.'],
  ['Photos move from the outbox to the vault.', 'The vault gets photos that the outbox had.'],
  ['We prefer SQLite rather than DuckDB.', 'Instead of DuckDB, SQLite is used.'],
  ['Rows of a tenant reference customers.', 'Customers have rows that reference them.'],
  ['Invoices store totals in cents.', 'Totals in cents are stored with invoices.'],
  [
    'The API returns errors as JSON, and the console shows errors.',
    'Errors are JSON; the console shows those of the API.',
  ],
])('what "%s" says is said by "%s"', (source, digest) => {
  expect(swapped(source, digest)).toEqual([]);
});

test.each([
  [
    '37 attachment pages are linked; the other attachment pages have none and were marked as droppable in the column keep.',
    '37 attachment pages are linked; the others are marked as droppable in the column keep.',
  ],
  [
    'We had asked for the upper gallery too, but it has only one staircase and was refused.',
    'The upper gallery was refused, since it has only one staircase.',
  ],
])('a digest that shortens "%s" turns nothing', (text, summary) => {
  const source = { text, decisions: [], artifacts: [] };
  expect(turnedNegations(source, { summary, key_decisions: [], artifacts: [] })).toEqual([]);
});
