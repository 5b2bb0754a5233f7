import { describe, expect, it } from 'vitest';

import { toDot } from '../../src/exports/dot.js';
import { toHtml } from '../../src/exports/html.js';
import { toMermaid } from '../../src/exports/mermaid.js';
import { toSvg } from '../../src/exports/svg.js';
import type { Plan } from '../../src/plan/plan.js';
import { goal, planOf, PLAN_ID } from '../support/plans.js';

const AT = '2026-01-01T00:00:00.000Z';
const id = (suffix: string) => `${PLAN_ID}-${suffix}`;
const leaf = (suffix: string, fields: object) =>
  goal(suffix, { parent_id: id('root'), depth: 1, status: 'atomic', ...fields });

const plan = planOf(
  [
    goal('root', { status: 'decomposing', child_ids: ['a', 'b', 'c', 'd', 'e', 'f'].map(id) }),
    leaf('a', {}),
    leaf('b', { dependencies: [id('a')] }),
    leaf('c', { claim: { by: 'ana', since: AT, expires_at: '2999-01-02T00:00:00.000Z', token: 't' } }),
    leaf('d', { on_hold: { reason: 'no budget', since: AT, by: 'ana' } }),
    leaf('e', { status: 'complete' }),
    leaf('f', { status: 'failed', failure: { phase: 'work', reason: 'no time' } }),
  ],
  { updated_at: AT },
);

const STATES = ['divided', 'ready', 'waiting', 'claimed', 'on_hold', 'done', 'failed'];

/** The class of each goal in what a format writes, in any order. */
const CLASSES: readonly (readonly [string, (plan: Plan) => string, RegExp])[] = [
  ['HTML', toHtml, /class="status (\w+)"/g],
  ['SVG', toSvg, /<g id="[^"]+" class="(\w+)"/g],
  ['DOT', toDot, /class="(\w+)"/g],
  ['Mermaid', toMermaid, /:::(\w+)$/gm],
];

describe('states of goals in pictures', () => {
  it.each(CLASSES)('%s tells them apart', (_name, draw, pattern) => {
    const found = Array.from(draw(plan).matchAll(pattern), ([, state]) => state);
    expect(new Set(found)).toEqual(new Set(STATES));
  });

  it('HTML and SVG have a colour and a mark for each, and SVG a legend of those that are there', () => {
    const [html, svg] = [toHtml(plan), toSvg(plan)];
    for (const mark of ['◐ divided', '● ready', '· waiting', '◆ claimed', '‖ on hold', '✓ done', '✗ failed'])
      expect([mark, html.includes(`>${mark}<`), svg.includes(`>${mark}<`)]).toEqual([mark, true, true]);
    expect(svg).not.toContain('to plan');
    expect(
      new Set(Array.from(svg.matchAll(/<g id=.*? fill="(#\w+)" stroke/g), ([, fill]) => fill)).size,
    ).toBe(7);
  });

  it('HTML repeats no reason that several goals have', () => {
    const said = 'A single step of the method.';
    const repeated = planOf([
      goal('root', { status: 'decomposing', child_ids: [id('a'), id('b')], reasoning: 'Two halves.' }),
      leaf('a', { reasoning: said }),
      leaf('b', { reasoning: said }),
    ]);
    expect(toHtml(repeated)).toContain('Two halves.');
    expect(toHtml(repeated)).not.toContain(said);
  });

  it('SVG fills boxes that stand one below the other', () => {
    const words = 'Write the exports of every invoice with a heading and a sum for each month';
    const chain = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const long = planOf([
      goal('root', { status: 'decomposing', child_ids: chain.map(id) }),
      ...chain.map((suffix, index) =>
        leaf(suffix, { description: words, dependencies: chain.slice(0, index).map(id).slice(-1) }),
      ),
    ]);
    const [, x = 0, width = 0] = (
      /<g id="[^"]+-a".*?<rect x="(\d+)" y="[\d.]+" width="(\d+)"/.exec(toSvg(long)) ?? []
    ).map(Number);
    expect([x, width]).toEqual([52, 260]);
    // As many words as its width holds; the rest on the next line.
    expect(toSvg(long)).toContain('>● 1 Write the exports of every invoice<');
  });
});
