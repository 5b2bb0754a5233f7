import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { toHtml } from '../../src/exports/html.js';
import { STATE_COLORS } from '../../src/exports/state-colors.js';
import { goal, planOf } from '../support/plans.js';

const STYLES = readFileSync(new URL('../../src/features/page/web/page.css', import.meta.url), 'utf8');

test.each(Object.entries(STATE_COLORS))('exports draw %s in the colours of the page', (state, colors) => {
  const name = state.replaceAll('_', '-');
  const valuesOf = (part: string) =>
    [...STYLES.matchAll(new RegExp(`--${part}-${name}: (#[0-9a-f]{6});`, 'g'))].map(([, value]) => value);
  expect(valuesOf('ink')).toEqual([colors.ink, colors.inkInDark]);
  expect([valuesOf('fill')[0], valuesOf('edge')[0]]).toEqual([colors.fill, colors.line]);
});

test('the HTML export has the page’s text, lines and surfaces, light and dark', () => {
  const html = toHtml(planOf([goal('root')]));
  for (const name of ['surface', 'raised', 'text', 'muted', 'line', 'accent'])
    for (const [, value] of STYLES.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g')))
      expect(html).toContain(`: ${value};`);
});
