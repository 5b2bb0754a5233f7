import { describe, expect, it } from 'vitest';
import stringWidth from 'string-width';

import { drawTree } from '../../src/exports/drawn-tree.js';
import type { Goal } from '../../src/plan/schema.js';
import { goal, planOf, PLAN_ID, treePlan } from '../support/plans.js';

const AT = '2026-01-01T00:00:00Z';
const id = (suffix: string) => `${PLAN_ID}-${suffix}`;
const WORDS = 'Write the exports of every invoice, one row a line, and test them with a thousand of them';

describe('the tree for people', () => {
  it('wraps words under the guides, never through them', () => {
    expect(drawTree(treePlan([WORDS, WORDS, 'b', WORDS], 2), { at: AT }, { columns: 40 })).toBe(
      [
        '◐ Write the exports of every invoice,',
        '│ one row a line, and test them with a',
        '│ thousand of them',
        '├─ ◐ 1 Write the exports of every',
        '│  │ invoice, one row a line, and test',
        '│  │ them with a thousand of them',
        '│  └─ ● 1.1 Write the exports of every',
        '│       invoice, one row a line, and',
        '│       test them with a thousand of',
        '│       them',
        '└─ · 2 b (after 1)\n',
      ].join('\n'),
    );
  });

  const texts = [
    WORDS,
    '為發票撰寫匯出功能並以一千張發票進行測試，然後把結果寫進報告裡，每一行都要有說明',
    'Ship 👩‍👩‍👧‍👦 🚀🚀🚀 to 🇩🇪🇫🇷🇯🇵 with ❤️ and naïve façades e\u0301e\u0301e\u0301',
    `https://example.org/${'a/'.repeat(80)}`,
  ];
  it.each([40, 80, 160])('is nowhere wider than %i columns, and loses nothing', (columns) => {
    const plan = treePlan(
      Array.from({ length: 40 }, (_, index) => texts[index % texts.length] ?? ''),
      2,
    );
    const text = drawTree(plan, { at: AT }, { columns });
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    const words = text.replaceAll(/^[│├└─ ]+/gm, '').replaceAll(/\s/g, '');
    for (const one of texts) expect(words).toContain(one.replaceAll(/\s/g, ''));
  });

  it('stays within the width however deep it goes', () => {
    const deep = treePlan(
      Array.from({ length: 100 }, () => WORDS),
      1,
    );
    for (const line of drawTree(deep, { at: AT }, { columns: 40 }).split('\n'))
      expect(stringWidth(line)).toBeLessThanOrEqual(40);
  });

  const claim = { by: 'ana', since: AT, expires_at: '2026-01-02T00:00:00Z', token: 't' };
  const leaf = (suffix: string, fields: object) =>
    goal(suffix, { parent_id: id('root'), depth: 1, status: 'atomic', ...fields });
  const plan = planOf([
    goal('root', { status: 'decomposing', child_ids: ['a', 'b', 'c', 'd', 'e', 'f'].map(id) }),
    leaf('a', {}),
    leaf('b', { dependencies: [id('a')] }),
    leaf('c', { claim }),
    leaf('d', { status: 'complete' }),
    leaf('e', { status: 'failed', failure: { reason: 'no sandbox', phase: 'work', at: AT } }),
    leaf('f', { status: 'pending' }),
  ]);

  it('marks what is ready, waiting, claimed, done, failed and still to plan; no id is shown', () => {
    expect(drawTree(plan, { at: AT })).toBe(
      [
        '◐ Goal root',
        '├─ ● 1 Goal a',
        '├─ · 2 Goal b (after 1)',
        '├─ ◆ 3 Goal c (claimed by ana)',
        '├─ ✓ 4 Goal d',
        '├─ ✗ 5 Goal e (failed: no sandbox)',
        '└─ ○ 6 Goal f\n',
      ].join('\n'),
    );
    expect(drawTree(plan, { at: claim.expires_at })).toContain('● 3 Goal c\n');
  });

  it('stops at a depth, and says how many goals are below', () => {
    expect(drawTree(plan, { at: AT, depth: 0 })).toBe('◐ Goal root (6 goals below)\n');
  });

  it('draws the goals that are asked for with those above them, the last with the last guide', () => {
    expect(drawTree(plan, { at: AT, goals: new Set([id('b')]) })).toBe(
      '◐ Goal root\n└─ · 2 Goal b (after 1)\n',
    );
  });

  it('says for what a goal waits that waits for nothing by itself: what one above it waits for', () => {
    const below = (suffix: string, parent: string, fields: Partial<Goal> = {}) =>
      leaf(suffix, { parent_id: id(parent), depth: 2, ...fields });
    const nested = (first: Partial<Goal>) =>
      planOf([
        goal('root', { status: 'decomposing', child_ids: [id('a'), id('b')] }),
        leaf('a', first),
        leaf('b', { status: 'decomposing', dependencies: [id('a')], child_ids: [id('c'), id('d')] }),
        below('c', 'b'),
        below('d', 'b', { dependencies: [id('c')] }),
      ]);
    expect(drawTree(nested({}), { at: AT })).toBe(
      [
        '◐ Goal root',
        '├─ ● 1 Goal a',
        '└─ ◐ 2 Goal b (after 1)',
        '   ├─ · 2.1 Goal c (after 1 via 2)',
        '   └─ · 2.2 Goal d (after 2.1)\n',
      ].join('\n'),
    );
    expect(drawTree(nested({ status: 'complete' }), { at: AT })).toContain('● 2.1 Goal c\n');
  });

  it('lets a terminal style marks and nothing else', () => {
    const style = { mark: (mark: string, state: string) => `<${state} ${mark}>` };
    expect(drawTree(plan, { at: AT, depth: 0 }, { style })).toBe('<divided ◐> Goal root (6 goals below)\n');
  });
});
