import { expect, test } from 'vitest';

import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';

function accounted(text: string) {
  const { outline } = readDocument(text, 'PLAN.md');
  const { left_out } = accountForOutline(text, outline, 'PLAN.md');
  const all: DocumentItem[] = [];
  const look = (items: readonly DocumentItem[]): void => {
    for (const item of items) {
      all.push(item);
      look(item.children);
    }
  };
  look(outline.items);
  return { outline, all, leftOut: left_out.map(({ first_line }) => first_line) };
}

test('the address of a link is kept, also of one whose address ends with its text', () => {
  const { all, leftOut } = accounted(
    '# Plan\n\n## Tasks\n\n- Move [tool](https://example.org/a/tool) over\n- Read https://example.org/b\n- Read [2](https://example.org/c?page=2)\n',
  );
  expect(leftOut).toEqual([]);
  expect(all.map(({ detail }) => detail)).toEqual([
    undefined,
    'Move [tool](https://example.org/a/tool) over',
    undefined,
    'Read [2](https://example.org/c?page=2)',
  ]);
});

test('a line is read where only marks stand between its words', () => {
  const { all, leftOut } = accounted(
    '# 計画\n\n## Tasks\n\n- [ ] `Registry`クラスの実装\n- [ ] **型**の定義\n',
  );
  expect(all.at(-1)?.description).toBe('型の定義');
  expect(leftOut).toEqual([]);
});

test('a status other than done stays with its row, and what is optional is called so', () => {
  const { all, leftOut } = accounted(
    '# Plan\n\n| Task | Status |\n| --- | --- |\n| Port the parser | Ported, not published |\n| Port the printer | Open |\n| Port the tests | Done |\n| Port the docs | Done in v1.2 |\n\n## Tasks\n\n- Write a guide (optional)\n',
  );
  expect(leftOut).toEqual([]);
  expect(
    all.map(({ description, detail, tags = [], complete }) => [description, detail, tags, complete]),
  ).toEqual([
    ['Port the parser', 'Status: Ported, not published', [], false],
    ['Port the printer', 'Status: Open', [], false],
    ['Port the tests', undefined, [], true],
    ['Port the docs', 'Status: Done in v1.2', [], true],
    ['Tasks', undefined, [], false],
    ['Write a guide', undefined, ['optional'], false],
  ]);
});

test('what is said of something that is out of scope is not lost for a colon at its end', () => {
  const { outline, leftOut } = accounted(
    '# Plan\n\n## Tasks\n\n- Write it\n\n## Future considerations\n\n### Streaming\n\nSupport for streaming responses:\n\n```ts\nstream();\n```\n',
  );
  expect(outline.outOfScope).toContain('Support for streaming responses:');
  expect(leftOut).toEqual([]);
});

test('prose and headings among criteria stay with the goal that they are of', () => {
  const { all, leftOut } = accounted(
    '# Plan\n\n## Phase 1\n\n- Build it\n\n### Exit gate\n\n#### For the team\n\n- It works\n\n**Evidence (2026):** all of the\ntests pass.\n\n#### For others\n\n- It helps [us.example](https://us.example)\n\n## Tasks\n\n| Task | Status |\n| --- | --- |\n| Ship | TODO |\n',
  );
  expect(leftOut).toEqual([]);
  const [phase] = all;
  expect(phase?.acceptance).toEqual(expect.arrayContaining(['It works']));
  expect(phase?.detail).toContain('all of the\ntests pass.');
  expect(phase?.detail).toContain('For the team');
});

test('an address that a criterion does not say is kept', () => {
  const { all, leftOut } = accounted(
    '# Plan\n\n## Build it\n\n- Write it\n\n### Done when\n\n- It is [easy](./start.md)\n- It is at [us.example](https://us.example)\n',
  );
  expect(all[0]?.acceptance).toEqual(['It is easy', 'It is at us.example']);
  expect(all[0]?.detail).toBe('- It is [easy](./start.md)');
  expect(leftOut).toEqual([]);
});
