import { expect, test } from 'vitest';

import type { ActionPlan } from '../../src/features/actions/model/action-plan.js';
import { readToolsFile } from '../../src/features/actions/tools/read-tools-file.js';
import { definitionDigest, toolsDigest } from '../../src/features/runs/model/tools/definition-digest.js';
import { neededTools, toolWarnings, unboundNames } from '../../src/features/runs/model/tools/needed-tools.js';
import type { ToolDefinition } from '../../src/features/runs/model/tool.js';

const step = (id: string, tool: string) => ({ id, tool, args: {} });
const PLAN: ActionPlan = {
  preconditions: [{ type: 'wa:pane_exists', args: {} }],
  steps: [
    { ...step('a', 'git.log'), verifications: [{ type: 'soul:UrlMatches', args: {} }] },
    { ...step('b', 'deploy'), on_error: { strategy: 'fallback', steps: [step('c', 'undo')] } },
    {
      ...step('d', 'wa:nested_plan'),
      plan: { steps: [step('e', 'inner')], preconditions: [{ type: 'p', args: {} }] },
    },
  ],
};

test('every tool and condition of a plan is needed, those of fallbacks and nested plans too', () => {
  expect(neededTools(PLAN)).toEqual({
    tools: ['git.log', 'deploy', 'undo', 'inner'],
    panes: false,
    conditions: ['wa:pane_exists', 'soul:UrlMatches', 'p'],
  });
});

test('what a tools file does not bind is said, and what a shell runs is warned of', () => {
  const file = readToolsFile(
    `tools: [{name: git.log, run: {command: [git, log]}}, {name: undo, description: draft only}, {name: deploy, run: {shell: true, command: [make]}}]
checks: {p: {tool: git.log, expect: true}}`,
    'tools.yaml',
  );
  const needed = neededTools(PLAN);
  expect(unboundNames(needed, file)).toEqual({
    tools: ['undo', 'inner'],
    conditions: ['wa:pane_exists', 'soul:UrlMatches'],
  });
  expect(toolWarnings(needed, file).map(({ tool }) => tool)).toEqual(['deploy']);
});

test('the digest of a tool is another one as soon as anything of it is', () => {
  const tool: ToolDefinition = {
    name: 'a',
    description: 'b',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    effects: 'none',
    binding: { command: ['ls', '-l'] },
  };
  const others: readonly ToolDefinition[] = [
    { ...tool, name: 'c' },
    { ...tool, description: '' },
    { ...tool, inputSchema: true },
    { ...tool, annotations: {} },
    { ...tool, effects: 'once' },
    { ...tool, binding: { command: ['ls -l'] } },
  ];
  expect(new Set([tool, ...others].map(definitionDigest)).size).toBe(7);
  const reordered = { ...tool, inputSchema: { type: 'object' }, binding: { command: ['ls', '-l'] } };
  expect(definitionDigest(reordered)).toBe(definitionDigest(tool));
  const second = { ...tool, name: 'z' };
  expect(toolsDigest([tool, second])).toBe(toolsDigest([second, tool]));
  expect(toolsDigest([tool])).not.toBe(toolsDigest([tool, second]));
});
