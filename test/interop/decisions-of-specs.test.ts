import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

async function imported(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.import('.');
  const [root] = (await workspace.status({ verbose: true })).goals ?? [];
  const { goals } = await workspace.next();
  return {
    decisions: root?.decisions?.map(({ what, choice }) => [what, choice]),
    detail: root?.detail,
    next: goals.map(({ description }) => description),
  };
}

test('Spec Kit: its technical context is decided for the feature, what needs clarification is open, and no task that asks is ready', async () => {
  const { decisions, detail, next } = await imported({
    'specs/001-x/plan.md':
      '# Implementation Plan: X\n\n## Technical Context\n\n**Language/Version**: Python 3.11\n**Storage**: NEEDS CLARIFICATION\n**Testing**: N/A\n\n## Structure\n\n**Bold**: no field\n',
    'specs/001-x/spec.md':
      '# Feature Specification: X\n\n## Requirements\n\n- **FR-1**: Sign in [NEEDS CLARIFICATION: by mail or SSO?]\n',
    'specs/001-x/tasks.md':
      '# Tasks: X\n\n- [ ] T001 [P] Write it\n- [ ] T002 [P] Keep it for [NEEDS CLARIFICATION: how many] days\n- [x] T003 [P] Name it TBD\n',
  });
  expect(decisions).toEqual([
    ['Language/Version', 'Python 3.11'],
    ['Storage', null],
    ['by mail or SSO?', null],
  ]);
  expect(detail).toContain('**Testing**: N/A');
  expect(next).toEqual(['Write it']);
});

test('OpenSpec: open questions of its design are open decisions of the change', async () => {
  const { decisions, detail, next } = await imported({
    'openspec/changes/x/design.md':
      '## Context\n\nDark.\n\n## Open Questions\n\n- Which blue?\n- Who signs?\n',
    'openspec/changes/x/tasks.md': '## 1. Theme\n\n- [ ] 1.1 Colours\n- [ ] 1.2 Contrast of TBD\n',
  });
  expect(decisions).toEqual([
    ['Which blue?', null],
    ['Who signs?', null],
  ]);
  expect(detail).toContain('- Which blue?');
  expect(next).toEqual(['Colours']);
});
