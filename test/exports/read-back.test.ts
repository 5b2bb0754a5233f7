import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fileFormatNames } from '../../src/exports/registry.js';
import type { RenderPlan } from '../../src/exports/registry.js';
import type { FoundInPlan } from '../../src/exports/found-in-plan.js';
import { allFormats } from '../../src/features.js';
import { goalSuffix } from '../../src/plan/ids.js';
import type { Plan } from '../../src/plan/plan.js';
import { oneLine, printable } from '../../src/kernel/text/safe-text.js';
import { depthFirst } from '../../src/plan/tree.js';
import {
  readBeads,
  readCsv,
  readDot,
  readGraphml,
  readHtml,
  readJson,
  readMarkdown,
  readMarkdownBehindBoxes,
  readMermaid,
  readSvg,
  readToon,
} from '../support/format-readers.js';
import type { ReadPlan } from '../support/format-readers.js';
import { allAttacks, hostileText } from '../support/hostile-text.js';
import { goal, PLAN_ID, planOf, treePlan } from '../support/plans.js';
import { scale } from '../faults/support/scale.js';

const FORMATS = await allFormats();
type ExportFormatName = keyof typeof FORMATS.files;
type ReadBackFormat = Exclude<ExportFormatName, (typeof HELD_ELSEWHERE)[number]>;

interface Law {
  readonly read: (text: string) => ReadPlan;
  /** What the format promises of a text. */
  readonly text: (description: string) => string;
  /** What it shows of an id. */
  readonly id?: (goalId: string) => string;
  /** The kinds of edges it shows. */
  readonly edges?: RegExp;
}

/**
 * Formats that no reader here reads back: the tree for terminals (`ascii.test.ts`), and the files of other tools that
 * `plan import` reads (`test/operations/other-tools-exports.test.ts`).
 */
const HELD_ELSEWHERE = ['ascii', 'taskmaster', 'github'] as const satisfies readonly ExportFormatName[];

const OUTLINE = { text: oneLine, id: goalSuffix, edges: / > / };

/** A format that is new has its laws here, or names above where they are. */
const LAWS: Readonly<Record<ReadBackFormat, readonly Law[]>> = {
  json: [{ read: readJson, text: (text) => text }],
  csv: [{ read: readCsv, text: (text) => printable(text).replace(/^(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/u, "'") }],
  toon: [{ read: readToon, text: printable }],
  beads: [{ read: readBeads, text: (text) => text }],
  graphml: [{ read: readGraphml, text: printable }],
  dot: [{ read: readDot, text: oneLine }],
  svg: [{ read: readSvg, text: oneLine }],
  html: [{ read: readHtml, text: oneLine }],
  mermaid: [{ read: readMermaid, text: oneLine, id: goalSuffix }],
  markdown: [
    { read: readMarkdown, ...OUTLINE },
    { read: readMarkdownBehindBoxes, ...OUTLINE },
  ],
};

const EACH_LAW = fileFormatNames(FORMATS)
  .filter(isReadBack)
  .flatMap((format) => LAWS[format].map((law) => ({ format, ...law })));

describe.each(EACH_LAW)('what the $format export writes, $read.name accepts', (law) => {
  it('for a plan with every attack in it', async () => {
    const plan = treePlan(allAttacks, 3);
    expect(await writeAndRead(law, plan)).toEqual(promised(law, plan));
  });

  it('with every goal of a chain deeper than it nests', async () => {
    const plan = treePlan(
      Array.from({ length: 200 }, (_, index) => `Goal ${index}`),
      1,
    );
    expect((await writeAndRead(law, plan)).goals).toEqual(promised(law, plan).goals);
  });

  it('for any hostile descriptions in any tree', async () => {
    const texts = fc.array(hostileText, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 4 }), async (descriptions, branching) => {
        const plan = treePlan(descriptions, branching);
        expect(await writeAndRead(law, plan)).toEqual(promised(law, plan));
      }),
      { numRuns: scale(150, 25) },
    );
  });

  it('for hostile digests, decisions, failures, files and findings', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const plan = planWithHostileFacts(text);
        const findings = [{ goal: plan.header.root_goal_id, message: text }];
        expect(await writeAndRead(law, plan, findings)).toEqual(promised(law, plan));
      }),
      { numRuns: scale(100, 20) },
    );
  });
});

function isReadBack(format: ExportFormatName): format is ReadBackFormat {
  return !HELD_ELSEWHERE.some((other) => other === format);
}

async function writeAndRead(
  { format, read }: (typeof EACH_LAW)[number],
  plan: Plan,
  findings?: readonly FoundInPlan[],
): Promise<ReadPlan> {
  const render: RenderPlan = await FORMATS.files[format].load();
  const { goals, edges } = read(render(plan, undefined, findings));
  return { goals, edges: edges.toSorted() };
}

/** What the format promises to hold: every goal in order, and every edge of the kinds it shows. */
function promised({ text, id = (goalId) => goalId, edges = /./ }: Law, plan: Plan): ReadPlan {
  const all = Array.from(depthFirst(plan)).flatMap(({ goal }) => [
    ...(goal.parent_id === null ? [] : [`${id(goal.parent_id)} > ${id(goal.id)}`]),
    ...goal.dependencies.map((dependency) => `${id(dependency)} before ${id(goal.id)}`),
  ]);
  return {
    goals: Array.from(depthFirst(plan), ({ goal }) => ({ id: id(goal.id), text: text(goal.description) })),
    edges: all.filter((edge) => edges.test(edge)).toSorted(),
  };
}

function planWithHostileFacts(text: string): Plan {
  const child = `${PLAN_ID}-child`;
  return planOf(
    [
      goal('root', {
        child_ids: [child],
        reasoning: text,
        status: 'decomposing',
        decisions: [{ what: text || 'what', choice: text }],
      }),
      goal('child', {
        parent_id: goal('root').id,
        depth: 1,
        status: 'failed',
        digest: { summary: text, key_decisions: [text], artifacts: [text] },
        failure: { reason: text, phase: 'work', at: '2025-11-30T10:00:00Z' },
        source: { file: text, start_line: 1, end_line: 2 },
      }),
    ],
    { description: text },
  );
}
