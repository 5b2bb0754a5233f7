import { describe, expect, it } from 'vitest';

import { toMarkdown } from '../../src/exports/markdown.js';
import { goal, planOf } from '../support/plans.js';

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
