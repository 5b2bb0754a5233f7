import { expect, test } from 'vitest';

import type { ChatModel } from '../../../src/llm/chat-model.js';
import { loadPrompts } from '../../../src/llm/prompts.js';
import { NO_USAGE } from '../../../src/plan/plan.js';
import { askForLinks } from '../../../src/planning/link/ask-for-links.js';
import { listed } from '../../support/large-link.js';
import { goal, planOf } from '../../support/plans.js';

const MODULES = 60;

/** Three parts of 60 modules of two leaves each, so that two parts have 240 leaves and 120 modules. */
function largePlan() {
  const ids = (above: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${above}${above === '' ? '' : '-'}${at + 1}`);
  const node = (name: string, above: string, below: readonly string[]) =>
    goal(name, {
      description: `Goal ${name}`,
      status: below.length === 0 ? 'atomic' : 'decomposing',
      depth: name === 'root' ? 0 : name.split('-').length,
      ...(name === 'root' ? {} : { parent_id: goal(above).id }),
      child_ids: below.map((one) => goal(one).id),
    });
  const parts = ids('', 3);
  const modules = parts.flatMap((part) =>
    ids(part, MODULES).flatMap((module) => [
      node(module, part, ids(module, 2)),
      ...ids(module, 2).map((leaf) => node(leaf, module, [])),
    ]),
  );
  return planOf([
    node('root', '', parts),
    ...parts.map((part) => node(part, 'root', ids(part, MODULES))),
    ...modules,
  ]);
}

test('two parts with too many leaves for one question are compared one level further down first', async () => {
  const asked: (readonly string[])[] = [];
  const needs = { '2.7.1': '1.9.2' };
  const model: ChatModel = {
    concurrency: 1,
    async ask(question) {
      const lines = listed(question.user);
      asked.push(lines);
      const line = (leaf: string) =>
        lines.find((number) => leaf === number || leaf.startsWith(`${number}.`)) ?? '';
      const found = Object.entries(needs).map(([of, on]) => ({ goal: line(of), on: [line(on)] }));
      const value = question.schema.parse({ needs: found.filter(({ goal: of }) => of !== ''), missing: [] });
      return { kind: 'reply', value, usage: NO_USAGE, notes: [] };
    },
  };
  const { signal } = new AbortController();
  const { answer, goals } = await askForLinks(largePlan(), {
    model,
    prompts: await loadPrompts(),
    events: [],
    keep: async () => undefined,
    signal,
    stop: signal,
  });
  expect(asked.map(({ length }) => length)).toEqual([3, 2 * MODULES, 4]);
  expect(asked[2]).toEqual(['1.9.1', '1.9.2', '2.7.1', '2.7.2']);
  expect(answer).toMatchObject({ kind: 'reply', value: { needs: [{ goal: '2.7.1', on: ['1.9.2'] }] } });
  expect(goals.get('2.7.1')).toBe(goal('2-7-1').id);
});
