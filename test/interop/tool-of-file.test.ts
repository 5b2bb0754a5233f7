import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { toolOf } from '../../src/features/interop/tool-of.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

type Read = 'import' | 'folder' | null;

/** A file of each tool: its name, what it holds, the tool, and what reads it. */
const FILES: readonly (readonly [string, string, string, Read])[] = [
  ['tasks.json', '{"master":{"tasks":[{"id":1,"title":"Dig"}]}}', 'Task Master', 'import'],
  ['list.json', '{"tasks":[{"id":1,"title":"Dig"}]}', 'Task Master', 'import'],
  ['issues.jsonl', '{"id":"k-1","title":"Dig","status":"open"}\n', 'beads', 'import'],
  ['two.jsonl', '{"id":"k-1","title":"A","issue_type":"bug"}\n{"id":"k-2","title":"B"}\n', 'beads', 'import'],
  ['issues.json', '[{"number":1,"title":"Dig","body":"","state":"OPEN"}]', 'GitHub', 'import'],
  ['task-1 - Dig.md', '---\nid: task-1\ntitle: Dig\n---\n\nWords.\n', 'Backlog.md', 'folder'],
  ['tasks.md', '# Tasks: X\n\n## Phase 1\n\n- [ ] T001 [P] Dig a hole\n', 'Spec Kit', 'folder'],
  ['spec.md', '## ADDED Requirements\n\n### Requirement: Dig\nIt SHALL dig.\n', 'OpenSpec', 'folder'],
  ['board.json', '{"name":"B","cards":[{"name":"Dig"}],"lists":[{"name":"Todo"}]}', 'Trello', null],
  ['jira.json', '{"issues":[{"key":"A-1","fields":{"summary":"Dig"}}]}', 'Jira', null],
  ['jira.csv', 'Summary,Issue key,Status\nDig,A-1,Open\n', 'Jira', null],
  ['gitlab.json', '[{"iid":1,"title":"Dig"}]', 'GitLab', null],
  ['asana.json', '{"data":[{"gid":"1","name":"Dig"}]}', 'Asana', null],
  ['tw.json', '[{"uuid":"a","description":"Dig","entry":"20260101T000000Z"}]', 'Taskwarrior', null],
  ['linear.csv', 'ID,Team,Title,Status\nE-1,Eng,Dig,Todo\n', 'Linear', null],
  ['todo.txt', 'x 2026-01-02 Dig +garden @home\n', 'todo.txt', null],
];

function place(name: string, content: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), content);
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  return openWorkspace({ environment });
}

const refusal = async (deed: Promise<unknown>) =>
  deed.then(
    () => null,
    ({ message, hint }: Error & { hint?: unknown }) => `${message} ${JSON.stringify(hint)}`,
  );

test.each(FILES)('%s is told by what it holds', (_name, content, tool, read) => {
  expect(toolOf(content)).toEqual({ tool, read });
});

test.each(FILES)(
  '%s, given to what does not read it, is named with what does',
  async (name, content, tool, read) => {
    const workspace = place(name, content);
    const asked = {
      import: read === 'import' ? null : await refusal(workspace.import(name)),
      init:
        read === 'folder' || tool === 'Task Master'
          ? null
          : await refusal(workspace.init({ from: name }).result),
      sync: /\.(?:md|txt)$/.test(name) ? null : await refusal(workspace.sync(name, { plan: 'none' })),
      validate: (await workspace.validate(name)).problems[0]?.message ?? '',
    };
    const cure = { import: 'plan import', folder: 'plan import FOLDER', none: 'does not read' }[
      read ?? 'none'
    ];
    for (const said of Object.values(asked).filter((each) => each !== null)) {
      expect(said).toContain(`looks like a plan of ${tool}`);
      expect(said).toContain(cure);
    }
    expect(Object.values(asked).filter((each) => each !== null).length).toBeGreaterThanOrEqual(2);
  },
);

test('a plan file given to plan init is named, and what looks like no plan is read as it was', async () => {
  const plan = place('plan.json', '{"id":"a1b2c3d4","root_goal_id":"a1b2c3d4-r","goals":{}}');
  expect(await refusal(plan.init({ from: 'plan.json' }).result)).toContain('looks like a plan file of frctl');
  for (const text of ['{}', '[]', '[1]', '{"a":', '# Title\n\n- One\n', '', '{"id":1}', '(A) a point'])
    expect(toolOf(text)).toBeNull();
});

test('a file of beads whose only issue is deleted is not sent to the command that read it', async () => {
  const text = '{"id":"a","title":"b","issue_type":"task","status":"tombstone"}';
  const said = await refusal(place('of.jsonl', text).import('of.jsonl'));
  expect(said).toContain('of.jsonl looks like a plan of beads, and has no task that can be read');
  expect(said).not.toContain('plan import');
});

test.each(['## ADDED Requirements\n', '{"id":"a1b2c3d4","root_goal_id":"a1b2c3d4-r","goals":{}}'])(
  'no hint takes standard input for the name of a file: %s',
  async (text) => {
    const said = await refusal(place('other', '').import('-', { text }));
    expect(said).toMatch(/`plan (?:init --from|validate) FILE`/);
    expect(said).not.toContain("'standard input'");
  },
);
