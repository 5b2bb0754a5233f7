import { describe, expect, it } from 'vitest';

import { toHtml } from '../../src/exports/html.js';
import { toMarkdown } from '../../src/exports/markdown.js';
import { goal, PLAN_ID, planOf, treePlan } from '../support/plans.js';

describe('the HTML page', () => {
  it('forbids everything but its own styles', () => {
    expect(toHtml(planOf([goal('root')]))).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
  });

  it('opens the first three levels and folds the rest', () => {
    const html = toHtml(treePlan(['0', '1', '2', '3', '4'], 1));
    expect(html.match(/<details open>/g)).toHaveLength(3);
    expect(html.match(/<details>/g)).toHaveLength(1);
  });

  it('nests no deeper than 64 levels, however deep the plan is', () => {
    const html = toHtml(
      treePlan(
        Array.from({ length: 200 }, () => 'goal'),
        1,
      ),
    );
    expect(html.match(/<details/g)).toHaveLength(64);
    expect(html).toContain('<code>g199</code> · depth 199');
  });

  it('never calls a plan complete of which nothing is done, and has the words of the screen', () => {
    const plan = planOf(
      [goal('root', { status: 'decomposing', child_ids: [`${PLAN_ID}-a`] }), goal('a', { status: 'atomic' })],
      { status: 'complete' },
    );
    const html = toHtml(plan);
    expect(html).toContain(' · planned · ');
    expect(html).toContain('0 of 1 atomic goals done');
    expect(html).toContain('<span class="status divided">◐ divided</span>');
    expect(html).toContain('<span class="status ready">● ready</span>');
    expect(html).not.toMatch(/>(?:atomic|decomposing|complete)<|goals complete/);
    expect(toMarkdown(plan)).toContain('(planned): 0 of 1 atomic goals done.');
  });

  it('says why a goal failed', () => {
    const failure = { reason: 'no <time>\nleft', phase: 'work' as const, at: '2025-11-30T10:00:00Z' };
    const html = toHtml(planOf([goal('root', { status: 'failed', failure })]));
    expect(html).toContain('<p class="failed">Failed: no &lt;time&gt;\nleft</p>');
  });
});
