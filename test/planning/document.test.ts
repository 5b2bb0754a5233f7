import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import { parseDocument } from '../../src/planning/documents/document.js';
import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import type { DocumentItem } from '../../src/planning/documents/document-item.js';

interface Shape {
  readonly description: string;
  readonly lines: string;
  readonly children: readonly Shape[];
}

function shapeOf(items: readonly DocumentItem[]): readonly Shape[] {
  return items.map(({ description, source, children }) => ({
    description,
    lines: `${source.start_line}-${source.end_line}`,
    children: shapeOf(children),
  }));
}

function namesOf(items: readonly DocumentItem[]): readonly unknown[] {
  return items.map(({ description, children }) =>
    children.length === 0 ? description : [description, ...namesOf(children)],
  );
}

function read(...lines: string[]) {
  return parseDocument(lines.join('\n'), 'PLAN.md');
}

describe('parseDocument', () => {
  test('the only first-level heading names the document and its text is the outline’s detail', () => {
    const outline = read('# Launch', '', 'Before *June*.', '', '## Build', '', '- site');
    expect(outline).toMatchObject({
      title: 'Launch',
      detail: 'Before *June*.',
      source: { start_line: 1, end_line: 7 },
    });
    expect(namesOf(outline.items)).toEqual([['Build', 'site']]);
  });

  test('two first-level headings, or one with text before it, are goals', () => {
    expect(read('# A', '# B')).toMatchObject({
      title: null,
      items: [{ description: 'A' }, { description: 'B' }],
    });
    const outline = read('Intro.', '', '# A', '- x');
    expect(outline).toMatchObject({ title: null, detail: 'Intro.' });
    expect(namesOf(outline.items)).toEqual([['A', 'x']]);
  });

  test('tags of HTML that only format are no part of a goal’s words; where they say more, they are detail; others stay', () => {
    const outline = read(
      '## <a name="buy"></a>Buy <b>now</b>',
      '- <sub>Pay with H<sub>2</sub>O<br>and more</sub>',
      '- Keep Map<String> apart',
    );
    expect(namesOf(outline.items)).toEqual([['Buy now', 'Pay with H2O and more', 'Keep Map<String> apart']]);
    expect(outline.items[0]?.detail).toContain('<a name="buy"></a>');
    expect(outline.items[0]?.children[0]?.detail).toBeUndefined();
    const text = '- <sub>Pay with H<sub>2</sub>O<br>and more</sub>\n- <b>Fix</b> Map<String>\n';
    expect(accountForOutline(text, parseDocument(text, 'p.md'), 'p.md').left_out).toEqual([]);
  });

  test('headings nest by level, and skipped levels do not matter', () => {
    const outline = read('# A', '#### B', '## C', '### D', '# E');
    expect(namesOf(outline.items)).toEqual([['A', 'B', ['C', 'D']], 'E']);
  });

  test('setext headings, tabs, carriage returns and a byte order mark are read', () => {
    const outline = parseDocument(
      '\uFEFFPlan\r\n====\r\n\r\nSteps\r\n-----\r\n-\tone\r\n\t- two\r\n',
      'p.md',
    );
    expect(outline.title).toBe('Plan');
    expect(shapeOf(outline.items)).toEqual([
      {
        description: 'Steps',
        lines: '4-7',
        children: [
          {
            description: 'one',
            lines: '6-7',
            children: [{ description: 'two', lines: '7-7', children: [] }],
          },
        ],
      },
    ]);
  });

  test('in an ordered list each item follows the one before; a bullet list has no order', () => {
    const outline = read('1. a', '2. b', '', '- c', '- d');
    expect(outline.items.map(({ afterPrevious }) => afterPrevious)).toEqual([false, true, false, false]);
  });

  test('a ticked item is complete only if everything below it is', () => {
    const outline = read('- [x] a', '- [X] b', '  - [ ] c', '- [x] d', '  - [x] e', '- [ ] f');
    expect(outline.items.map(({ complete }) => complete)).toEqual([true, false, true, false]);
    expect(outline.items[1]?.detail).toContain('Ticked off');
  });

  test('paragraphs, code, tables, quotes and HTML are the detail of the goal above, word for word', () => {
    const body = [
      'Text  with `code`.',
      '',
      '```js',
      '# not a heading',
      '- not an item',
      '```',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '',
      '> - quoted',
      '',
      '<div>',
      'html',
      '</div>',
    ];
    const outline = read('# A', '# B', ...body, '', '[link]: /url', '', '[^1]: A note.', '- x');
    expect(outline.items[1]?.detail).toBe([...body, '', '[link]: /url', '', '[^1]: A note.'].join('\n'));
    expect(namesOf(outline.items)).toEqual(['A', ['B', 'x']]);
  });

  test('what follows the first paragraph of an item is its detail', () => {
    const [item] = read(
      '- First',
      '  line',
      '',
      '  Second.',
      '',
      '  ```',
      '  code',
      '  ```',
      '  - sub',
    ).items;
    expect(item).toMatchObject({
      description: 'First line',
      detail: 'Second.\n\n```\n  code\n  ```',
      source: { start_line: 1, end_line: 9 },
      children: [{ description: 'sub' }],
    });
  });

  test('an item of code, image or quote is named after its text, and loses nothing', () => {
    const outline = read(
      '- ```sh',
      '  npm test',
      '  ```',
      '- ![A chart](c.png)',
      '- > quoted',
      '- [docs](http://x.y)',
    );
    expect(outline.items).toMatchObject([
      { description: 'npm test', detail: '```sh\n  npm test\n  ```' },
      { description: 'A chart', detail: '![A chart](c.png)' },
      { description: 'quoted', detail: '> quoted' },
      { description: 'docs', detail: '[docs](http://x.y)' },
    ]);
  });

  test('an empty item is skipped, and items nested in it take its place', () => {
    expect(namesOf(read('- ', '- a', '- - b', '  - c').items)).toEqual(['a', 'b', 'c']);
    expect(read('- [ ] ', '- [x]', '- a').items).toMatchObject([{ description: 'a' }]);
  });

  test('a fence that is never closed ends with the document', () => {
    expect(read('# A', '', '```', '# b', '').source.end_line).toBe(4);
    expect(read('- a', '  ```', '  b', '').items[0]?.source.end_line).toBe(3);
  });

  test('front matter is detail; two rules around goals are not front matter', () => {
    const outline = read('---', 'title: x', '---', '# A', '- b');
    expect(outline).toMatchObject({ title: 'A', detail: '---\ntitle: x\n---' });
    expect(outline.items[0]?.source.start_line).toBe(5);
    expect(namesOf(read('---', '- a', '', '---', '- b').items)).toEqual(['a', 'b']);
  });

  test.each([
    ['title: Login: the plan', 'status: draft'],
    ['title: "Login: the plan"', 'title: again'],
    ['title: Login: the plan', 'tags:', '\t- a', '# a comment', 'author: @x'],
    ['title: Login: the plan', 'tags: [a, b', '', 'about: |', '  - more'],
  ])('front matter that YAML refuses is front matter: %j', (...head) => {
    const outline = read('---', ...head, '---', '', '- [ ] x');
    expect(outline).toMatchObject({ title: 'Login: the plan', detail: ['---', ...head, '---'].join('\n') });
    expect(namesOf(outline.items)).toEqual(['x']);
  });

  test('what is no front matter stays work, and none of it warns', () => {
    for (const lines of [
      ['Note: a: b', '- [ ] x'],
      ['Note: a: b', '', '# Login', 'All: of: it'],
      ['Words first', 'and: a: key'],
    ]) {
      const { detail = '' } = read('---', ...lines, '---', '- b');
      expect(detail).not.toContain(lines.at(-1));
    }
    const warned: unknown[] = [];
    const listener = (warning: unknown) => warned.push(warning);
    process.on('warning', listener);
    read('---', 'title: {{ page.title }}', '---', '# A', '- b');
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      process.off('warning', listener);
      expect(warned).toEqual([]);
    });
  });

  test.each(['', '\n\n', '\u0000', '---', '#', '-', '```', '[', '\uD800', '<!--'])(
    '%j is a document',
    (text) => {
      expect(parseDocument(text, 'p.md').source.start_line).toBe(1);
    },
  );

  test.each([
    ['lists on one line, 5,000 deep,', '- '.repeat(5000) + 'a'],
    ['quotes, 5,000 deep,', '>'.repeat(5000) + ' a'],
    [
      'lists by indentation, 5,000 deep,',
      Array.from({ length: 5000 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
    ],
    // Emphasis takes the square of its depth.
    ['emphasis, 1,000 deep,', '*a '.repeat(1000) + 'b*'.repeat(1000)],
  ])('%s end in a clear error or a result', (_, text) => {
    expect(outcomeOf(text)).toMatch(/^(?:read|INVALID_INPUT deep\.md:\d+: .*)$/);
  });

  test('a long document is read in parts as if in one', () => {
    const count = 3000;
    const lines = Array.from({ length: count }, (_, index) => `${index + 1}. step ${index} [see][ref]`);
    const fence = ['```', ...Array.from({ length: 4000 }, () => '# not a heading'), '```'];
    const outline = read('# Long', ...lines, ...fence, '## End', '- last', '', '[ref]: /url');
    expect(outline.items).toHaveLength(count + 1);
    expect(outline.items[2999]).toMatchObject({
      description: 'step 2999 see',
      afterPrevious: true,
      source: { start_line: 3001, end_line: 3001 },
    });
    expect(outline.items.filter(({ afterPrevious }) => afterPrevious)).toHaveLength(count - 1);
    expect(outline.items.at(-1)?.source.start_line).toBe(count + fence.length + 2);
  });

  test('no item is left out, none invented, and each keeps its lines', () => {
    fc.assert(
      fc.property(
        fc.array(sectionArbitrary, { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        (sections, end) => {
          const { lines, expected } = render(sections);
          expect(shapeOf(parseDocument(lines.join(end), 'p.md').items)).toEqual(expected);
        },
      ),
    );
  });
});

/** Reads a document that may be refused. */
function outcomeOf(text: string): string {
  try {
    parseDocument(text, 'deep.md');
    return 'read';
  } catch (thrown) {
    return thrown instanceof PlanError ? `${thrown.code} ${thrown.message}` : String(thrown);
  }
}

interface Item {
  readonly marker: string;
  readonly children: readonly Item[];
}

const { item: itemArbitrary } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.record({
    marker: fc.constantFrom('-', '- [ ]', '- [x]', '1.'),
    children: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('item'), { maxLength: 3 })),
  }),
}));
const sectionArbitrary = fc.record({
  paragraph: fc.boolean(),
  items: fc.array(itemArbitrary, { maxLength: 4 }),
});

/** Writes sections as Markdown, naming every goal by a number of its own, and says what must be read. */
function render(sections: readonly { readonly paragraph: boolean; readonly items: readonly Item[] }[]) {
  const lines: string[] = [];
  let number = 0;
  const add = (item: Item, indent: string): Shape => {
    number += 1;
    const description = `goal ${number}`;
    lines.push(`${indent}${item.marker} ${description}`);
    const start = lines.length;
    const children = item.children.map((child) => add(child, indent + (item.marker === '1.' ? '   ' : '  ')));
    return { description, lines: `${start}-${lines.length}`, children };
  };
  const expected = sections.map(({ paragraph, items }) => {
    number += 1;
    const description = `section ${number}`;
    lines.push(`## ${description}`);
    const start = lines.length;
    if (paragraph) lines.push('', 'Some text.', '');
    const end = paragraph ? lines.length - 1 : lines.length;
    const children = items.map((item) => add(item, ''));
    return { description, lines: `${start}-${children.length === 0 ? end : lines.length}`, children };
  });
  return { lines, expected };
}
