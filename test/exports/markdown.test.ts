import * as fc from 'fast-check';
import { oneLine } from '../../src/kernel/text/safe-text.js';
import { makePlan } from '../../src/plan/make-plan.js';
import type { Goal } from '../../src/plan/schema.js';
import { depthFirst } from '../../src/plan/tree.js';
import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { outlineEvents } from '../../src/planning/outline-events.js';
import { readOwnExport } from '../../src/planning/documents/kinds/own-export.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { hostileText } from '../support/hostile-text.js';
import { describe, expect, it } from 'vitest';

import { toMarkdown } from '../../src/exports/markdown.js';
import { goal, PLAN_ID, planOf, treePlan } from '../support/plans.js';

/** Reads an export as `plan init --from` does. */
function readBack(text: string) {
  return readOwnExport(text, 'wiki.md', (part) => readDocument(part, 'wiki.md').outline);
}

function itemOf(description: string): string {
  return (
    toMarkdown(planOf([goal('root', { description })]))
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  );
}

describe('a Markdown item', () => {
  it('leaves ordinary prose as it is', () => {
    const prose = 'Phase 1: add (and test) a login-form, 2.5 s at most; e.g. "JWT"';
    expect(itemOf(prose)).toBe(`- [ ] ${prose} \`root\``);
  });

  it('escapes what Markdown would read', () => {
    expect(itemOf('- **bold** <b> [a](b) `c` http://d')).toBe(
      '- [ ] \\- \\*\\*bold\\*\\* \\<b\\> \\[a\\](b) \\`c\\` http\\://d `root`',
    );
  });

  it('says that a goal failed, and why', () => {
    const failure = { reason: 'no *time*', phase: 'work' as const, at: '2025-11-30T10:00:00Z' };
    const text = toMarkdown(planOf([goal('root', { status: 'failed', failure })]));
    expect(text).toContain('- [ ] Goal root `root` (**failed**: no \\*time\\*)\n');
  });
});

it('what is written is read back as the same goals, whatever their texts say', () => {
  const words = fc.tuple(hostileText, hostileText, hostileText);
  fc.assert(
    fc.property(fc.array(words, { minLength: 6, maxLength: 6 }), (all) => {
      const tree = treePlan(
        all.map(([description]) => description),
        2,
      );
      const plan = makePlan(
        tree.header,
        [...tree.goals.values()].map((each, index) => ({ ...each, acceptance: [`x${all[index]?.[1]}`] })),
      );
      const [title, ...below] = [...depthFirst(plan)].map(({ goal: each }) => each);
      const read = readBack(toMarkdown(plan));
      expect(read?.outline.title).toBe(oneLine(title?.description ?? '').trim() || PLAN_ID);
      const items = (list: readonly DocumentItem[]): readonly DocumentItem[] =>
        list.flatMap((item) => [item, ...items(item.children)]);
      expect(
        items(read?.outline.items ?? []).map(({ description, acceptance }) => [description, acceptance]),
      ).toEqual(
        below.map(({ description, acceptance = [] }) => [
          oneLine(description).trim(),
          acceptance.map((each) => oneLine(each).trim()),
        ]),
      );
    }),
  );
});

it('what stands behind a goal is read as what it is, and no paragraph below the list is work', () => {
  const child = (suffix: string, fields: Partial<Goal>) =>
    goal(suffix, { status: 'atomic', parent_id: goal('root').id, depth: 1, ...fields });
  const failure = { reason: 'Broke; badly (twice)', phase: 'work' as const, at: '2026-01-02T03:04:05Z' };
  const below = [
    child('a1', { status: 'failed', failure, size: 'M' }),
    child('b1', { dependencies: [goal('a1').id], priority: 1, on_hold: { reason: 'legal; tax' } }),
    child('c1', { status: 'decomposing', child_ids: [goal('d1').id] }),
    child('d1', { status: 'complete', parent_id: goal('c1').id, depth: 2, dependencies: [goal('b1').id] }),
  ];
  const decisions = [{ what: 'stone', choice: 'slate' }];
  const child_ids = below.slice(0, 3).map(({ id }) => id);
  const plan = planOf([goal('root', { status: 'decomposing', child_ids, decisions }), ...below]);
  const found = [{ goal: goal('a1').id, message: 'nothing says when it is done' }];
  const text = toMarkdown(plan, undefined, found);
  const read = readBack(text);
  expect(read?.outline).toMatchObject({
    title: 'Goal root',
    detail: expect.stringContaining('slate'),
    items: [
      {
        description: 'Goal a1',
        onHold: 'failed: Broke; badly (twice)',
        detail: expect.stringContaining('Size'),
      },
      { description: 'Goal b1', after: [0], priority: 1, onHold: 'legal; tax' },
      { description: 'Goal c1', children: [{ complete: true, detail: 'Waits for: Goal b1', after: [] }] },
    ],
  });
  expect(read?.outline.items).toHaveLength(3);
  expect(read?.account.left_out).toEqual([]);
  expect(readBack(text.replace('Plan `', 'The plan `'))?.outline.items).toHaveLength(3);
  expect(readBack(text.replace('Plan `', 'The plan `').replace('`root`', ''))).toBeNull();
});

it('reads an export that somebody has edited: words taken away, and goals that wait for each other or for themselves', () => {
  const lines = [
    '- [ ] B `root`',
    '  - [ ] one `a1` (after `a2`, `a1`)',
    '  - [ ] two `a2` (after `a1`)',
    '  - [ ] `a3` (after `a4`)',
    '  - [ ] four `a4`',
  ];
  const text = `# B\n\nPlan \`0398a958\` (planned): 0 of 4 atomic goals done.\n\n${lines.join('\n')}\n`;
  const outline = readBack(text)?.outline;
  const items = outline?.items ?? [];
  expect(items.map(({ after }) => after)).toEqual([[], [0], [3], []]);
  expect(items[0]?.detail).toContain('Waits for: two');
  const events = outline === undefined ? [] : outlineEvents(outline, 'root', () => 'a', 'ask');
  const names = events.flatMap(({ sub_goals: goals }) => goals.map(({ description }) => description));
  expect(names).toEqual(['one', 'two', '–', 'four']);
});

it('what somebody has added to an export is read as in any document, and no word of a line is lost', () => {
  const text = `---
owner: ana
---

# Shop

Plan \`0398a958\` (planned): 0 of 3 atomic goals done.

- [ ] Shop \`root\`
  - [ ] Alpha \`gtra2z\` — Ann says: call the bank first
  - [ ] Rename \`foo\` to \`bar\` everywhere
  - [ ] Use \`abc123\` as the key
  - [ ] Beta \`wcd09w\` (priority high, owner Ann)
    1. [ ] numbered box
    - plain sub of Beta
      - [x] deeper box
  - plain new goal
  - [ ] ~~Gamma~~ \`aaaaa1\`
  - [ ] Run \`build\`
  - [ ] Zeta \`aaaaa3\` (after \`wcd09w\`)\\
    done when: it is done
    and a remark below
- [ ] Buy milk

## Bugs

- Fix the crash
- Fix the leak
`;
  for (const each of [
    text,
    text.replace(/^Plan .*$/m, ''),
    text.replace(/^---[^]*?---\n/, 'We are late.\n'),
  ]) {
    const read = readBack(each);
    const told = (list: readonly DocumentItem[] = []): unknown =>
      list.map(({ description, complete, children }) => [
        `${complete ? 'x' : '-'} ${description}`,
        ...(children.length === 0 ? [] : [told(children)]),
      ]);
    expect(read?.outline.title).toBe('Shop');
    expect(told(read?.outline.items)).toEqual([
      ['- Alpha gtra2z — Ann says: call the bank first'],
      ['- Rename foo to bar everywhere'],
      ['- Use abc123 as the key'],
      [
        '- Beta wcd09w (priority high, owner Ann)',
        [['- numbered box'], ['- plain sub of Beta', [['x deeper box']]]],
      ],
      ['- plain new goal'],
      ['x Gamma'],
      ['- Run build'],
      ['- Zeta'],
      ['- Buy milk'],
      ['- Bugs', [['- Fix the crash'], ['- Fix the leak']]],
    ]);
    expect(read?.outline.items[7]).toMatchObject({
      after: [3],
      acceptance: ['it is done'],
      detail: 'and a remark below',
    });
    expect(read?.account.left_out).toEqual([]);
    expect(read?.outline.items.at(-1)?.source.start_line).toBe(each.split('\n').indexOf('## Bugs') + 1);
    expect(read?.outline.items[3]?.children[1]?.source.start_line).toBe(
      each.split('\n').indexOf('    - plain sub of Beta') + 1,
    );
  }
});
