import { expect, test } from 'vitest';

import { readDocument } from '../../src/planning/documents/read-document.js';
import { outlineEvents } from '../../src/planning/outline-events.js';

test('a requirement that leaves something open becomes a goal that is on hold with the question, and no other does', () => {
  const text = [
    '# Shop',
    '## Requirements',
    '- Sign in with [NEEDS CLARIFICATION: which provider?]',
    '- Pay by card',
    '- Store invoices for TBD years',
    '- [x] Choose a name TBD',
    '- Print labels\n\n  Open question: which printer',
  ].join('\n');
  let next = 0;
  const { outline } = readDocument(text, 'spec.md');
  const events = outlineEvents(outline, '0398a958-root', () => `0398a958-n${(next += 1)}`, 'atomic');
  const holds = events.flatMap(({ sub_goals }) =>
    sub_goals.map((goal) => [goal.description.split(' ')[0], goal['on_hold'] ?? null]),
  );
  expect(holds.filter(([word]) => word !== 'Requirements')).toEqual([
    ['Sign', { reason: 'to be decided: which provider?' }],
    ['Pay', null],
    ['Store', { reason: 'to be decided' }],
    ['Choose', null],
    ['Print', { reason: 'to be decided: which printer' }],
  ]);
});
