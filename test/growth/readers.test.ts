import { expect, test } from 'vitest';
import * as z from 'zod';

import { convertActionPlan } from '../../src/features/actions/convert/convert-action-plan.js';
import { judgePlan } from '../../src/features/actions/lint/judge-plan.js';
import { DIALECT_NAMES } from '../../src/features/actions/model/dialect.js';
import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { noPolicy } from '../../src/features/actions/policy/prepared-policy.js';
import { parsePolicy } from '../../src/features/actions/policy/read-policy.js';
import { readToolsFile } from '../../src/features/actions/tools/read-tools-file.js';
import { parseBaseline } from '../../src/features/interop/checklists/baseline.js';
import { readChecklist } from '../../src/features/interop/checklists/read-checklist.js';
import { backlogPlan } from '../../src/features/interop/imports/backlog-plan.js';
import { beadsPlan } from '../../src/features/interop/imports/beads-plan.js';
import { gitHubPlan } from '../../src/features/interop/imports/github-plan.js';
import { openSpecPlan } from '../../src/features/interop/imports/open-spec-plan.js';
import { specKitPlan } from '../../src/features/interop/imports/spec-kit-plan.js';
import { readTaskMaster } from '../../src/features/interop/imports/task-master.js';
import { expandByRules } from '../../src/features/rules/expand-by-rules.js';
import { browserMethods, builtInMethods, parseMethod } from '../../src/features/rules/methods.js';
import { readRequest } from '../../src/features/rules/requests/read-request.js';
import { PlanError } from '../../src/kernel/errors.js';
import { parseOrNull } from '../../src/kernel/json/parse-or-null.js';
import { readReply } from '../../src/llm/reply/read-reply.js';
import { projectConfigSchema, parseConfig, storedConfig } from '../../src/operations/settings/config.js';
import { parseJsonText } from '../../src/plan/snapshot/parse-plan.js';
import { documentLines } from '../../src/planning/documents/document-lines.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { mentionsOf } from '../../src/work/digests/names.js';
import { scale } from '../faults/support/scale.js';
import { tooMuchGrowth } from '../support/patterns/growth.js';
import { ENGLISH_TEXTS, JSON_TEXTS, MARKDOWN_TEXTS, YAML_TEXTS } from './texts.js';
import type { Texts } from './texts.js';

const methods = [...builtInMethods(), ...browserMethods()];
/** Characters of the shorter text: many where the faults are tried in full. */
const LENGTHS = scale({ from: 5_000, to: 320_000, sure: 150 }, { from: 5_000, to: 80_000, sure: 150 });
const reply = { schema: z.object({ atomic: z.boolean(), sub_goals: z.array(z.string()) }) };
const steps: Texts = {
  'many steps': (length) => planOf(length, (index) => ({ id: `s${index}`, tool: 't', args: {} })),
  'steps of one id': (length) => planOf(length, () => ({ id: 's', tool: 't', args: {} })),
  'steps that refer to the first': (length) =>
    planOf(length, (index) => ({ id: `s${index}`, tool: 't', args: { a: '${steps.s0.output}' } })),
  'steps that wait for the one before': (length) =>
    planOf(length, (index) => ({
      id: `s${index}`,
      tool: 't',
      depends_on: index === 0 ? [] : [`s${index - 1}`],
    })),
};
/** Names in every form, as many as fit. */
const namesOfKinds: Texts = Object.fromEntries(
  [
    'Ada ',
    'Ada, ',
    'Ada-',
    "A'",
    'A&',
    'src/a.ts ',
    '`a1` ',
    '`',
    'a_',
    'a/',
    'a.',
    'a()',
    'aA',
    'http://',
    '1.2.3-',
  ].map((name) => [`names like ${name}`, (length: number) => name.repeat(length / name.length)]),
);
const planOf = (length: number, step: (index: number) => object) =>
  JSON.stringify({ goal: 'g', steps: Array.from({ length: length / 80 }, (_, index) => step(index)) });

/** Every reader of what a stranger wrote, with the texts that are of its kind. */
const READERS: readonly (readonly [name: string, read: (text: string) => unknown, texts: Texts])[] = [
  ['action plans to lint', (text) => judgePlan(text, noPolicy()), { ...JSON_TEXTS, ...steps }],
  ['policies', (text) => parsePolicy(text, 'p.yaml'), YAML_TEXTS],
  ['tools files', (text) => readToolsFile(text, 't.yaml'), YAML_TEXTS],
  ['tools of tools files', (text) => readToolsFile(`tools: ${text}`, 't.yaml'), JSON_TEXTS],
  ['method files', (text) => parseMethod(text, 'm.yaml'), YAML_TEXTS],
  ['configs', (text) => parseConfig(storedConfig(text, 'c'), projectConfigSchema, 'c'), JSON_TEXTS],
  ['plan files', parseJsonText, JSON_TEXTS],
  ['replies of a model', (text) => readReply(text, reply), { ...JSON_TEXTS, ...MARKDOWN_TEXTS }],
  ['baselines of checklists', parseBaseline, JSON_TEXTS],
  ['documents', (text) => readDocument(text, 'd.md'), MARKDOWN_TEXTS],
  ['lines of documents', (text) => documentLines(text, 'd.md'), MARKDOWN_TEXTS],
  [
    'front matter of documents',
    (text) => readDocument(`---\n${text.slice(0, 60_000)}\n---\n- a`, 'd.md'),
    YAML_TEXTS,
  ],
  ['checklists', readChecklist, MARKDOWN_TEXTS],
  ['tasks of Task Master', (text) => readTaskMaster(`{"tasks":${text}}`, 't.json'), JSON_TEXTS],
  ['issues of beads', beadsPlan, JSON_TEXTS],
  ['issues of GitHub', (text) => gitHubPlan(parseOrNull(text)), JSON_TEXTS],
  ['tasks of Backlog.md', (text) => backlogOf(`---\n${text}\n---\n`), YAML_TEXTS],
  ['texts of Backlog.md', (text) => backlogOf(`---\nid: task-1\ntitle: a\n---\n${text}`), MARKDOWN_TEXTS],
  [
    'specifications of Spec Kit',
    (text) => specKitPlan([{ name: 'f', tasks: text, spec: text, plan: text }]),
    MARKDOWN_TEXTS,
  ],
  ['changes of OpenSpec', openSpecOf, MARKDOWN_TEXTS],
  ['goals that rules divide', (text) => expandByRules(text, [...methods]), ENGLISH_TEXTS],
  ['names in results', mentionsOf, { ...ENGLISH_TEXTS, ...namesOfKinds }],
  ['requests to a browser', (text) => readRequest(text, methods), ENGLISH_TEXTS],
];

function backlogOf(text: string): unknown {
  return backlogPlan({ tasks: [{ name: 't.md', text }], completed: [], milestones: [], config: null });
}

function openSpecOf(text: string): unknown {
  const specs = [{ capability: 'c', text: `## ADDED Requirements\n### Requirement: a\n${text}` }];
  return openSpecPlan([{ name: 'c', proposal: text, tasks: `- [ ] a\n${text}`, specs }]);
}

const READ = READERS.flatMap(([name, read, texts]) =>
  Object.entries(texts).map(([what, textOf]) => [name, what, read, textOf] as const),
);

test.each(READ)('%s take no longer than the text grows: %s', (_name, _what, read, textOf) => {
  expect(tooMuchGrowth((length) => readOrRefuse(read, textOf(length)), LENGTHS)).toBeUndefined();
});

test.each(DIALECT_NAMES)('nor do action plans that are written as %s', (to) => {
  for (const textOf of Object.values(steps))
    expect(
      tooMuchGrowth(
        (length) => readOrRefuse((text) => convertActionPlan(readActionPlan(text), to), textOf(length)),
        LENGTHS,
      ),
    ).toBeUndefined();
});

test.each([
  ['changes of OpenSpec', openSpecOf],
  [
    'specifications of Spec Kit',
    (text: string) => specKitPlan([{ name: 'f', tasks: text, spec: text, plan: text }]),
  ],
  ['issues of GitHub', (text: string) => gitHubPlan([{ number: 1, title: 'a', body: text }])],
  ['texts of Backlog.md', (text: string) => backlogOf(`---\nid: task-1\ntitle: a\n---\n${text}`)],
  ['checklists', readChecklist],
])('%s of 150,000 lines need no more stack than others', (_name, read: (text: string) => unknown) => {
  for (const line of ['- [ ] a\n', 'a\n'])
    expect(() => readOrRefuse(read, line.repeat(150_000))).not.toThrow();
});

/** What is no text of its kind is refused with an error of ours, whatever it is. */
function readOrRefuse(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
  }
}
