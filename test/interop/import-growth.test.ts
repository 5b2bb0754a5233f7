import { expect, test } from 'vitest';

import { openSpecPlan } from '../../src/features/interop/imports/open-spec-plan.js';
import { specKitPlan } from '../../src/features/interop/imports/spec-kit-plan.js';
import { tooMuchGrowth } from '../support/patterns/growth.js';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at));

/** Readers of strangers' documents, with a document of any length. */
const READERS: Readonly<Record<string, (count: number) => () => unknown>> = {
  'requirements of OpenSpec'(count) {
    const text = ['## ADDED Requirements', ...lines(count, (at) => `### Requirement: R${at}\ntext`)].join(
      '\n',
    );
    const change = { name: 'c', proposal: null, tasks: null, specs: [{ capability: 'x', text }] };
    return () => openSpecPlan([change]);
  },
  'stories of Spec Kit, each with its phase'(count) {
    const spec = lines(count, (at) => `### User Story ${at}\n1. **Given** a, then b`).join('\n');
    const tasks = lines(count, (at) => `## Phase ${at}: User Story ${at}\n- [ ] T${at} do it`).join('\n');
    return () => specKitPlan([{ name: 'f', tasks, spec, plan: null }]);
  },
  'one story of Spec Kit with many phases'(count) {
    const spec = `### User Story 1\n${lines(count, (at) => `${at}. **Given** a`).join('\n')}`;
    const tasks = lines(count, (at) => `## Phase ${at}: User Story 1\n- [ ] T${at} do it`).join('\n');
    return () => specKitPlan([{ name: 'f', tasks, spec, plan: null }]);
  },
};

test('requirements of OpenSpec wait for the last group and for few tasks, however many there are', () => {
  const spec = lines(300, (at) => `### Requirement: R${at}\ntext`).join('\n');
  const specs = [{ capability: 'x', text: `## ADDED Requirements\n${spec}` }];
  const waits = (tasks: readonly string[]) => {
    const plan = openSpecPlan([{ name: 'c', proposal: null, tasks: tasks.join('\n'), specs }]);
    return plan?.goals.map(({ dependsOn }) => dependsOn.length) ?? [];
  };
  const inGroups = waits(lines(300, (at) => `## G${at}\n## Empty\n- [ ] T${at}`));
  expect(inGroups).toHaveLength(901);
  expect(inGroups.reduce((a, b) => a + b)).toBe(299 + 300);
  expect(waits(lines(300, (at) => `- [ ] T${at}`)).reduce((a, b) => a + b)).toBe(300);
});

// What grows too much does so each time.
test.each(Object.entries(READERS))(
  '%s take no longer than the document grows',
  { retry: 2 },
  (_what, documentOf) => {
    expect(tooMuchGrowth((count) => documentOf(count)(), { from: 1000, to: 4000 })).toBeUndefined();
  },
);
