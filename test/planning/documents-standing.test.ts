import { expect, test } from 'vitest';

import { readDocument } from '../../src/planning/documents/read-document.js';
import type { DocumentItem } from '../../src/planning/documents/document-item.js';

/** What is planned, a line each: "[x]" before what is done, behind what is on hold why. */
function planned(markdown: string): readonly string[] {
  const lines = (items: readonly DocumentItem[], held = ''): readonly string[] =>
    items.flatMap(({ description, complete, onHold, children }) => {
      const hold = onHold === undefined ? held : ` | ${onHold}`;
      return children.length > 0
        ? lines(children, hold)
        : [`${complete ? '[x] ' : ''}${description}${complete ? '' : hold}`];
    });
  return lines(readDocument(markdown, 'plan.md').outline.items);
}

const leftFor = (markdown: string) => {
  const { outline } = readDocument(markdown, 'plan.md');
  return [outline, ...outline.items].flatMap(({ outOfScope = [] }) => outOfScope);
};

const list = (...items: readonly string[]) => `# Farm\n\n${items.map((item) => `- ${item}`).join('\n')}\n`;

test.each([
  ['[-] Shear', 'Shear | [-] cancelled'],
  ['[>] Shear', 'Shear | [>] moved'],
  ['[x] Shear (deferred)', '[x] Shear (deferred)'],
  ['[ ] Shear (cancelled)', 'Shear (cancelled) | cancelled'],
  ['[ ] Shear (done)', 'Shear (done)'],
])('a box is a box, whatever stands in it or behind it: - %s', (item, said) => {
  expect(planned(list('[ ] Feed', item))).toEqual(['Feed', said]);
});

test.each(['~', '/'])('what is begun is open, and the mark [%s] is kept', (mark) => {
  const { outline } = readDocument(list('[ ] Feed', `[${mark}] Shear`), 'plan.md');
  expect(outline.items[1]).toMatchObject({ description: 'Shear', complete: false, detail: `[${mark}]` });
});

const HELD = [
  'deferred',
  'on hold',
  'zurückgestellt',
  'en attente',
  'aplazado',
  'adiado',
  'отложено',
  '已推迟',
  '暫緩',
  '保留',
  '보류',
];
const DROPPED = [
  'cancelled',
  'gestrichen',
  'annulé',
  'descartado',
  'cancelado',
  'отменено',
  '已取消',
  '中止',
  '취소',
];
const DONE = ['finished', 'erledigt', 'terminé', 'hecho', 'concluído', 'готово', '已完成', '完了', '완료'];

test.each(HELD)('what says “%s” is on hold with that word, as an item, a section and a cell', (word) => {
  expect(planned(list('Feed', `Shear (${word})`, `[${word}] Trim`))).toEqual([
    'Feed',
    `Shear (${word}) | ${word}`,
    `[${word}] Trim | ${word}`,
  ]);
  expect(planned(`# Farm\n\n## Shed (${word})\n\n- Shear\n\n## Field\n\n- Mow\n`)).toEqual([
    `Shear | ${word}`,
    'Mow',
  ]);
  const table = `# Farm\n\n| Task | Status |\n|-|-|\n| Shear | ${word} |\n| Mow | open |\n`;
  expect(planned(table)).toEqual([`Shear | ${word}`, 'Mow']);
});

test.each(DROPPED)('what says “%s” is not planned, as an item, a section and a cell', (word) => {
  const documents = [
    list('Feed', `Shear (${word})`),
    list('Feed', `（${word}）Shear`),
    `# Farm\n\n## Field\n\n- Feed\n\n## ${word}\n\n- Shear\n`,
    `# Farm\n\n## Field\n\n- Feed\n\n## Shed (${word})\n\n- Shear\n`,
    `# Farm\n\n| Task | Status |\n|-|-|\n| Shear | ${word} |\n| Feed | open |\n`,
  ];
  for (const markdown of documents) {
    expect(planned(markdown)).toEqual(['Feed']);
    expect(leftFor(markdown).join('\n')).toContain('Shear');
  }
});

test.each(DONE)('what says “%s” is done, as an item, a section, a label and a cell', (word) => {
  const documents = [
    list('Feed', `Shear (${word})`),
    list('Feed', `[${word}] Shear`),
    `# Farm\n\n## Field\n\n- Feed\n\n## ${word}\n\n- Shear\n`,
    `# Farm\n\n- Feed\n\n${word}:\n\n- Shear\n`,
    `# Farm\n\n| Task | Status |\n|-|-|\n| Feed | open |\n| Shear | ${word} |\n`,
  ];
  for (const markdown of documents)
    expect(planned(markdown).map((line) => line.startsWith('[x]'))).toEqual([false, true]);
});

test('signs, capitals before a colon, and a name that is struck through in a table', () => {
  expect(planned(list('Feed', 'Shear ❌', '⏸ Trim', 'CANCELLED: dip', 'ON HOLD: mow'))).toEqual([
    'Feed',
    'Shear ❌ | ❌',
    '⏸ Trim | ⏸',
    'ON HOLD: mow | ON HOLD',
  ]);
  expect(
    planned('# Farm\n\n| Task | Status |\n|-|-|\n| Shear | ❌ |\n| ~~Trim~~ | open |\n| Mow | done |\n'),
  ).toEqual(['Shear | ❌', '[x] Trim', '[x] Mow']);
});

test.each(['Deferred (v1.2)', 'Blocked by the vendor', 'On hold: no parts'])(
  'a status “%s” keeps its words',
  (status) => {
    const { items } = readDocument(
      `# Farm\n\n| Task | Status |\n|-|-|\n| Shear | ${status} |\n`,
      'plan.md',
    ).outline;
    expect(items[0]).toMatchObject({ description: 'Shear', onHold: status, detail: `Status: ${status}` });
  },
);

test('a cross beside ticks says what is not done yet, and words in brackets that explain marks say nothing', () => {
  expect(planned('# Farm\n\n| Task | Status |\n|-|-|\n| Shear | ❌ |\n| Mow | ✅ |\n')).toEqual([
    'Shear',
    '[x] Mow',
  ]);
  expect(planned(list('Feed', 'Lamps: green (done), red (blocked)'))).toEqual([
    'Feed',
    'Lamps: green (done), red (blocked)',
  ]);
  expect(planned(list('Feed', 'Shear (blocked by #12)'))).toEqual(['Feed', 'Shear (blocked by #12)']);
});

test.each([
  'Status: @',
  '**Status**: @',
  '**Priority**: P0\n**Status:** @\n**Owner**: Ann',
  'Priority: high | Status: @',
  '- Priority: high\n- **Status**: @',
  '**Details:**\n\n- Status: @',
  '> Status: @',
  '| Status | @ |\n|-|-|\n| Owner | Ann |',
  'Estado: @',
])('a status below a heading says how far it is, whatever it is written in: %s', (line) => {
  const section = (status: string) =>
    `# Farm\n\n## Shed\n\n${line.replace('@', status)}\n\nMend the roof.\n\n## Field\n\n- Mow\n`;
  const of = (status: string) => readDocument(section(status), 'plan.md').outline.items;
  expect(of('Done')[0]).toMatchObject({ description: 'Shed', complete: true });
  expect(of('On hold')[0]).toMatchObject({ description: 'Shed', complete: false, onHold: 'On hold' });
  expect(of('In progress')[0]).not.toHaveProperty('onHold');
  expect(of('cancelled').map(({ description }) => description)).toEqual(['Field']);
});

test('a status below an item says how far it is; a box is a box', () => {
  expect(planned(list('Feed', 'Shear\n  - Status: done', 'Trim\n  Status: blocked'))).toEqual([
    'Feed',
    '[x] Shear',
    'Trim Status: blocked | blocked',
  ]);
  expect(planned(list('[ ] Feed\n  - Status: done', '[ ] Dip\n  - Status: cancelled'))).toEqual([
    'Feed',
    'Dip | cancelled',
  ]);
});

test('a status in brackets or behind a dash is one', () => {
  expect(planned(list('Feed', 'Shear (status: done)', 'Trim - deferred until May', 'Mow – closed'))).toEqual([
    'Feed',
    '[x] Shear (status: done)',
    'Trim - deferred until May | deferred until May',
    'Mow – closed',
  ]);
});

test('a box in the cell of a status is one', () => {
  const rows = ['[-]', '[>]', '[x]', '[~]'].map((box, at) => `| ${'ABCD'[at]} | ${box} |\n`).join('');
  expect(planned(`# Farm\n\n| Task | Status |\n|-|-|\n${rows}`)).toEqual([
    'A | [-] cancelled',
    'B | [>] moved',
    '[x] C',
    'D',
  ]);
});

const WITH_BOXES = ['Later', 'Out of scope', 'Future work', 'Cancelled', "Won't do", 'Someday'];

test.each(WITH_BOXES)('a box below “%s” is a goal that is on hold', (heading) => {
  expect(planned(`# Farm\n\n## Now\n- [ ] Feed\n\n## ${heading}\n- [ ] Shear\n- [x] Fence\n`)).toEqual([
    'Feed',
    `Shear | ${heading}`,
    '[x] Fence',
  ]);
});

test.each(['Later / maybe', 'Maybe, later', 'Someday or one day'])(
  '“%s” holds up what it lists',
  (heading) => {
    expect(planned(`# Farm\n\n## Now\n- Feed\n\n## ${heading}\n- Shear the sheep\n`)).toEqual([
      'Feed',
      `Shear the sheep | ${heading}`,
    ]);
  },
);

test.each(['Later', 'Out of scope', 'Someday'])(
  'whoever asks for “%s” alone gets it, on hold for nothing',
  (name) => {
    for (const box of ['', '[ ] ']) {
      const text = `# Farm\n\n## Now\n- Feed\n\n## ${name}\n- ${box}Shear the sheep\n- ${box}Mend the fence\n`;
      const { items } = readDocument(text, 'plan.md', { only: [name] }).outline;
      expect(items).toMatchObject([{ description: name, children: [{}, {}] }]);
      expect(JSON.stringify(items)).not.toContain('onHold');
    }
  },
);

test.each([
  'Things to avoid',
  'Rejected ideas',
  'Do not do this',
  'We won’t do',
  'Removed from scope',
  'Forbidden',
])('nothing below “%s” is planned', (heading) => {
  expect(planned(`# Farm\n\n## Now\n- Feed the hens\n\n## ${heading}\n- Sell the farm\n`)).toEqual([
    'Feed the hens',
  ]);
});

test.each(['Icebox', 'Someday / maybe'])('what stands below “%s” is on hold', (heading) => {
  expect(planned(`# Farm\n\n## Now\n- Feed the hens\n\n## ${heading}\n- Build a barn\n`)).toEqual([
    'Feed the hens',
    `Build a barn | ${heading}`,
  ]);
});
