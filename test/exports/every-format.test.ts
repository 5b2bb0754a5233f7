import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatNames } from '../../src/exports/registry.js';
import { allFormats } from '../../src/features.js';
import { scale } from '../faults/support/scale.js';
import { hostileText } from '../support/hostile-text.js';
import { examplePlan, readFixture, treePlan } from '../support/plans.js';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/formats.md'), 'utf8');
const FORMATS = await allFormats();
const FILES = Object.entries(FORMATS.files).map(([name, format]) => ({ name, ...format }));
const MANY = scale(10_000, 3_000);
const LONG_PLAN = Array.from({ length: MANY }, (_, index) => `Goal ${index} & more`);

/** Control characters but the line feed, and characters that reorder text. */
const DANGEROUS = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

it.each(formatNames(FORMATS))('docs/formats.md has a chapter on %s', (name) => {
  expect(PAGE).toMatch(new RegExp(`^## ${name}$`, 'm'));
});

describe.each(FILES)('the $name format', ({ name, extension, load }) => {
  it('writes the example exactly as it was checked by hand', async () => {
    const render = await load();
    expect(render(examplePlan())).toBe(readFixture(`formats/${name}-example.${extension}`));
  });

  it('writes no control or reordering character, whatever a goal says', async () => {
    const render = await load();
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 8 }), (descriptions) => {
        const text = render(treePlan(descriptions, 2));
        expect(DANGEROUS.exec(text)).toBeNull();
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(text.endsWith('\n')).toBe(true);
      }),
      { numRuns: scale(100, 30) },
    );
  });

  it('writes the same bytes for the same plan', async () => {
    const render = await load();
    expect(render(treePlan(['a', 'b', 'c', 'd'], 2))).toBe(render(treePlan(['a', 'b', 'c', 'd'], 2)));
  });

  it(`writes ${MANY} goals`, async () => {
    const render = await load();
    const plan = treePlan(LONG_PLAN, 7);
    expect(render(plan).length).toBeLessThan(MANY * 1000);
  });

  it(`writes a chain ${MANY} deep without growing out of proportion`, async () => {
    const render = await load();
    const plan = treePlan(LONG_PLAN, 1);
    expect(render(plan).length).toBeLessThan(MANY * 1000);
  });
});
