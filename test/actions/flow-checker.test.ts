import { describe, expect, test } from 'vitest';

import type { ActionPlan, ActionStep } from '../../src/features/actions/model/action-plan.js';
import { createFlowChecker } from '../../src/features/actions/tools/flow-checker.js';
import { readTools } from '../../src/features/actions/tools/read-tools.js';

const TOOLS = readTools(
  `tools:
  - { name: load, run: { file: read, root: notes } }
  - { name: save, run: { file: write, root: notes } }
  - { name: run, run: { command: [run], output: json } }
  - { name: value, run: { command: [value], output: value } }
  - { name: names, run: { command: [names], output: lines } }
`,
  'tools.yaml',
);
const check = createFlowChecker(TOOLS, (root, path) => root === 'notes' && path === 'old.md');

const step = (
  id: string,
  tool: string,
  args: ActionStep['args'],
  more: Partial<ActionStep> = {},
): ActionStep => ({
  id,
  tool,
  args,
  ...more,
});
const found = (...steps: readonly ActionStep[]) => {
  const plan: ActionPlan = { steps };
  return check(plan).map(({ rule, pointer }) => `${rule} ${pointer}`);
};

describe('a reference', () => {
  test.each([
    ['$steps.f.text', []],
    ['{{f.result.json.rows[0].id}}', []],
    ['{{n.result.lines[2]}}', []],
    ['$steps.v.any.thing', []],
    ['$vars.x.y', []],
    ['$steps.f.body', ['UNREACHABLE_REFERENCE /steps/3/args/text']],
    ['See {{n.result.lines.first}}', ['UNREACHABLE_REFERENCE /steps/3/args/text']],
    ['$steps.f.text.length', ['UNREACHABLE_REFERENCE /steps/3/args/text']],
    ['$steps.f.__proto__', ['UNREACHABLE_REFERENCE /steps/3/args/text']],
    ['$steps.f.constructor', ['UNREACHABLE_REFERENCE /steps/3/args/text']],
  ])('%s: %j', (text, findings) => {
    const before = [step('f', 'run', {}), step('v', 'value', {}), step('n', 'names', {})];
    expect(found(...before, step('w', 'save', { path: 'new.md', text }))).toEqual(findings);
  });

  test('to a step with foreach is one to an item of its list', () => {
    const many = step('f', 'run', {}, { foreach: { from: '$vars.urls', item_name: 'url' } });
    expect(found(many, step('w', 'save', { path: 'n', text: '$steps.f.0.text' }))).toEqual([]);
    expect(found(many, step('w', 'save', { path: 'n', text: '$steps.f.0.body' }))).toHaveLength(1);
  });

  test('to a step with a fallback may be one to what that brings', () => {
    const steps = [step('other', 'value', {})];
    const first = step('f', 'run', {}, { on_error: { strategy: 'fallback', steps } });
    expect(found(first, step('w', 'save', { path: 'n', text: '$steps.f.body' }))).toEqual([]);
  });

  test('to a step that is skipped when it fails is told, also where the plan says so for all', () => {
    const skip = { strategy: 'skip' } as const;
    const use = step('w', 'save', { path: 'n', text: '$steps.f.text' });
    expect(found(step('f', 'run', {}, { on_error: skip }), use)).toEqual(['USES_SKIPPED /steps/1/args/text']);
    const plan: ActionPlan = { defaults: { on_error: skip }, steps: [step('f', 'run', {}), use] };
    expect(check(plan).map(({ rule }) => rule)).toEqual(['USES_SKIPPED']);
    expect(found(step('f', 'run', {}, { on_error: { strategy: 'retry' } }), use)).toEqual([]);
  });
});

describe('a file that is there', () => {
  const write = (path: string) => step('w', 'save', { path, text: 'x' });

  test('is not replaced before a step has read it', () => {
    expect(found(write('old.md'))).toEqual(['REPLACED_UNREAD /steps/0/args/path']);
    expect(found(step('r', 'load', { path: 'old.md' }), write('old.md'))).toEqual([]);
    expect(found(write('old.md'), step('v', 'save', { path: 'old.md', text: 'y' }))).toHaveLength(1);
    expect(found(write('new.md'))).toEqual([]);
    // Which file it is shows only in the run, which keeps what was there.
    expect(found(step('f', 'run', {}), write('$steps.f.text'))).toEqual([]);
  });
});
