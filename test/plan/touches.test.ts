import { describe, expect, it } from 'vitest';

import { coversFile, createTouchIndex, overlap, splitByTouches } from '../../src/plan/readiness/touches.js';

describe('what goals touch', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['src', 'src/a.ts'],
    ['src/auth/**', 'src/auth/session.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['src/a*.ts', 'src/*b.ts'],
    ['**/index.ts', 'src/deep/index.ts'],
    ['**/*.md', 'docs/**'],
    ['src/[ab].ts', 'src/a.ts'],
    ['{src,lib}/a.ts', 'lib/a.ts'],
    ['src/{a/b,c}/x.ts', 'src/a/b/x.ts'],
    ['src/?.ts', 'src/*'],
    ['area:billing', 'area:billing'],
  ])('%s and %s may name one file', (one, other) => {
    expect([overlap(one, other), overlap(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['src/a.ts', 'src/b.ts'],
    ['src/a', 'src/ab'],
    ['src/*.ts', 'src/a.md'],
    ['src/a*.ts', 'src/b*.ts'],
    ['src/*/x.ts', 'src/x.ts/y.ts'],
    ['docs/**', 'src/docs'],
    ['**/*.md', 'src/a.ts'],
    ['**/AGENTS.md', 'a.txt'],
    ['area:billing', 'area:auth'],
    ['area:src', 'src'],
  ])('%s and %s name no file in common', (one, other) => {
    expect([overlap(one, other), overlap(other, one)]).toEqual([false, false]);
  });

  it('knows which files a glob covers, however deep they are', () => {
    for (const [glob, file] of [
      ['.github', '.github/a/b.yml'],
      ['**/AGENTS.md', `${'a/'.repeat(60)}AGENTS.md`],
      ['**/AGENTS.md', 'AGENTS.md'],
      ['conf.d', 'conf.d/a'],
    ] as const)
      expect(coversFile(glob, file)).toBe(true);
    expect(coversFile('**/AGENTS.md', 'a/AGENTS.mdx')).toBe(false);
    expect(coversFile('.github', 'a.github')).toBe(false);
  });

  it('finds by an index what comparing one by one finds', () => {
    const all = ['src/a.ts', 'src/**', '**/a.ts', 'docs', '*.md', 'area:x', 'lib/*/b', '{src,lib}/q'];
    const index = createTouchIndex<string>();
    for (const touch of all) index.add([touch], touch);
    for (const touch of all)
      expect([...index.overlapping([touch])].toSorted()).toEqual(
        all.filter((other) => overlap(touch, other)).toSorted(),
      );
  });

  it('splits a wave so that no part holds two goals that overlap', () => {
    const goals = [['src/a'], ['src'], undefined, ['src/b'], ['docs'], ['src/a/x']].map((touches, id) => ({
      goal: { graph_node_id: null, ...(touches === undefined ? {} : { touches }) },
      id,
    }));
    const parts = splitByTouches(goals).map((part) => part.map(({ id }) => id));
    expect(parts).toEqual([[0, 2, 4], [1], [3, 5]]);
  });

  it('keeps goals of one node of an architectural graph apart', () => {
    const goals = ['billing', 'auth', 'billing', null].map((graph_node_id) => ({ goal: { graph_node_id } }));
    expect(splitByTouches(goals)).toEqual([[goals[0], goals[1], goals[3]], [goals[2]]]);
    const said = { graph_node_id: null, touches: ['area:auth'] };
    expect(splitByTouches([...goals.slice(1, 2), { goal: said }])).toHaveLength(2);
  });

  it('takes no longer than patterns are long', () => {
    const long = `${'*a'.repeat(400)}/${'**/'.repeat(400)}x`;
    expect(overlap(long, `${'a*'.repeat(400)}/${'b/'.repeat(400)}y`)).toBe(true);
  });
});
