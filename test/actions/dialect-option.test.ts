import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { temporaryFolder } from '../support/folders.js';

const OBSIDIAN = JSON.stringify({
  version: '1.0',
  goal: 'Note it',
  riskLevel: 'writes',
  steps: [{ id: 'a', tool: 'agent.note', args: { text: 'x' } }],
});

function workspaceWith(text: string) {
  const folder = temporaryFolder();
  const file = join(folder, 'plan.json');
  writeFileSync(file, text);
  return { file, workspace: openWorkspace({ environment: { workingFolder: folder, variables: {} } }) };
}

describe('the dialect of a file', () => {
  test('is named by the same member wherever an action plan is read, and by its first name still', async () => {
    const { file, workspace } = workspaceWith(OBSIDIAN);
    expect((await workspace.hash({ file, dialect: 'obsidian' })).dialect).toBe('obsidian');
    expect((await workspace.hash({ file, format: 'obsidian' })).dialect).toBe('obsidian');
    expect((await workspace.convert({ file, dialect: 'obsidian' })).from).toBe('obsidian');
    expect((await workspace.convert({ file, format: 'obsidian' })).from).toBe('obsidian');
    await expect(workspace.hash({ file, dialect: 'wa', format: 'obsidian' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('--dialect') as string,
    });
  });

  test('is asked for by the option that every command has', async () => {
    const { file, workspace } = workspaceWith('{"a":1}');
    const refusal = { code: 'INVALID_INPUT', hint: expect.stringContaining('with --dialect: ') as string };
    await expect(workspace.hash({ file })).rejects.toMatchObject(refusal);
    await expect(workspace.preview({ plan: file })).rejects.toMatchObject(refusal);
  });
});
