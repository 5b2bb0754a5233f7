import { describe, expect, it } from 'vitest';

import { toAscii } from '../../src/exports/ascii.js';
import { treePlan } from '../support/plans.js';

describe('the tree as a text file', () => {
  it('draws lines only where there are more siblings to come', () => {
    expect(toAscii(treePlan(['root', 'a', 'b', 'aa', 'ab', 'ba'], 2))).toBe(
      [
        '◐ root  root',
        '├─ ◐ 1 a  g1',
        '│  ├─ ● 1.1 aa  g3',
        '│  └─ ● 1.2 ab (after 1.1)  g4',
        '└─ ◐ 2 b (after 1)  g2',
        '   └─ ● 2.1 ba  g5\n',
      ].join('\n'),
    );
  });

  it('keeps a goal on one line, whatever its description', () => {
    const text = toAscii(treePlan(['root', 'two\r\nlines\u001B[2J'], 1));
    expect(text.split('\n')[1]).toBe('└─ ● 1 two lines␛[2J  g1');
  });

  it('stops to indent at depth 64 and says the depth instead', () => {
    const lines = toAscii(
      treePlan(
        Array.from({ length: 70 }, () => 'goal'),
        1,
      ),
    ).split('\n');
    expect(lines[64]).toMatch(/^ {189}└─ ◐ 1(\.1){63} goal {2}g64$/);
    expect(lines[65]).toBe(`${' '.repeat(192)}… depth 65: ◐ goal  g65`);
    expect(lines[69]).toBe(`${' '.repeat(192)}… depth 69: ● goal  g69`);
  });
});
