import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { toBacklog } from '../../src/features/interop/exports/backlog.js';
import { toBeads } from '../../src/features/interop/exports/beads.js';
import { toGitHub } from '../../src/features/interop/exports/github.js';
import { toTaskMaster } from '../../src/features/interop/exports/taskmaster.js';
import { writeFolder } from '../../src/host/files/write-folder.js';
import { oneLine } from '../../src/kernel/text/safe-text.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import type { Plan } from '../../src/plan/plan.js';
import type { Goal } from '../../src/plan/schema.js';
import { backlogPlan } from '../../src/features/interop/imports/backlog-plan.js';
import { beadsPlan } from '../../src/features/interop/imports/beads-plan.js';
import type { OtherToolPlan } from '../../src/features/interop/imports/other-tool-plan.js';
import { planFileOf } from '../../src/features/interop/imports/other-tool-plan.js';
import { gitHubPlan } from '../../src/features/interop/imports/github-plan.js';
import { taskMasterPlan } from '../../src/features/interop/imports/task-master-plan.js';
import { temporaryFolder } from '../support/folders.js';
import { hostileText } from '../support/hostile-text.js';
import { planOf, treePlan } from '../support/plans.js';

interface Peer {
  readonly trip: (plan: Plan, folder: string) => Promise<OtherToolPlan | null>;
  /** Whether a text that looks like another member of the format stays text. */
  readonly keepsDetail: boolean;
}

const PEERS: Readonly<Record<string, Peer>> = {
  beads: { trip: async (plan) => beadsPlan(toBeads(plan)), keepsDetail: true },
  taskmaster: { trip: async (plan) => taskMasterPlan(JSON.parse(toTaskMaster(plan))), keepsDetail: true },
  // GitHub reads lines with a box, and “Blocked by #1”, in any text.
  github: { trip: async (plan) => gitHubPlan(JSON.parse(toGitHub(plan))), keepsDetail: false },
  backlog: { trip: throughFiles, keepsDetail: true },
};

/** The files are written and looked at as the command does, and read from what it was given to write. */
async function throughFiles(plan: Plan, folder: string): Promise<OtherToolPlan | null> {
  const files = toBacklog(plan);
  await writeFolder(folder, files);
  const below = (name: string) =>
    files
      .filter(({ path }) => path.startsWith(`backlog/${name}/`))
      .map(({ path, text }) => ({ name: path, text }));
  return backlogPlan({
    tasks: below('tasks'),
    completed: below('completed'),
    milestones: below('milestones'),
    config: files[0]?.text ?? null,
  });
}

const hostileId = fc.oneof(
  hostileText,
  fc.constantFrom(
    '../../x',
    '/etc/x',
    'con',
    '__proto__',
    'constructor',
    '1',
    '2',
    'TASK-1',
    'm-0',
    'task-1.1',
  ),
);

/** Texts that mean something to one of the formats. */
const peerText = fc.oneof(
  hostileText,
  fc.constantFrom(
    '<!-- SECTION:DESCRIPTION:END -->',
    '<!-- AC:BEGIN -->',
    '&lt;!-- AC:END -->',
    '\n---\nid: TASK-9\n---\n',
    '\n## Description\n\nNo heading of theirs',
    '\n## Acceptance Criteria\n\n- [x] #1 none',
    '- [ ] #1 none',
    '#1',
    'T001 [P] none',
    'depends on T001',
    'Blocked by #2',
    '🜚'.repeat(80),
    'x'.repeat(2000),
  ),
);

interface Said {
  readonly description: string;
  readonly detail: string;
  readonly criterion: string;
  readonly id: string;
  readonly isDone: boolean;
}

const said: fc.Arbitrary<Said> = fc.record({
  description: peerText,
  detail: peerText,
  criterion: peerText,
  id: hostileId,
  isDone: fc.boolean(),
});

/** Three below each goal, with hostile texts in every member and ids that other tools are said to have given. */
function hostilePlan(all: readonly Said[], keepsDetail: boolean): Plan {
  const plan = treePlan(
    all.map(({ description }, index) => `${index} ${description}`),
    3,
  );
  const goals = [...plan.goals.values()].map((one, index): Goal => {
    const { detail = '', criterion = '', id = '', isDone = false } = all[index] ?? {};
    const isMilestone = index === 1 && one.child_ids.length > 0;
    return {
      ...one,
      ...(isDone && one.child_ids.length === 0 ? { status: 'complete' as const } : {}),
      ...(keepsDetail ? { detail: `About ${detail}` } : {}),
      // A milestone of Backlog.md has no criteria, and neither waits nor is waited for.
      ...(isMilestone ? {} : { acceptance: [`It ${oneLine(criterion)}`] }),
      dependencies: one.dependencies.filter((on) => !on.endsWith('-g1')),
      x_beads: { id },
      x_taskmaster: { id },
      x_github: { number: Number(id) },
      x_backlog: isMilestone ? { milestone_id: id } : { id, milestone: id, parent_task_id: id, title: id },
    };
  });
  return planOf(goals);
}

/** What has a place in every tool: the tree, what waits for what, and what is said of each goal. */
function shapeOf(goals: readonly Goal[], root: string) {
  const byId = new Map(goals.map((one) => [one.id, one]));
  const walk = (id: string, depth: number): readonly unknown[] => {
    const found = byId.get(id);
    if (found === undefined) return [`${id} is not there`];
    return [
      {
        depth,
        description: oneLine(found.description),
        isDone: found.child_ids.length === 0 && found.status === 'complete',
        detail: oneLine(found.detail ?? ''),
        acceptance: depth === 0 ? [] : (found.acceptance ?? []).map(oneLine),
        after: found.dependencies.map((on) => oneLine(byId.get(on)?.description ?? '')).toSorted(),
      },
      ...found.child_ids.flatMap((child) => walk(child, depth + 1)),
    ];
  };
  return walk(root, 0);
}

test.each(Object.entries(PEERS))(
  'what has a place in %s is there again when it is read, whatever the texts and the ids say',
  async (name, { trip, keepsDetail }) => {
    const folder = temporaryFolder();
    let trips = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 5, maxLength: 12 }), async (all) => {
        const plan = hostilePlan(all, keepsDetail);
        const read = await trip(plan, join(folder, String((trips += 1))));
        expect(read).not.toBeNull();
        if (read === null) return;
        let next = 0;
        const planId = 'abcdef01';
        const { file, notes } = planFileOf(read, {
          planId,
          newGoalId: () => `${planId}-n${(next += 1)}`,
          at: '2026-01-01T00:00:00.000Z',
        });
        // A parent of parts that are all done is done, and that is said.
        expect(notes.filter((note) => !note.includes('is done, though marked'))).toEqual([]);
        expect(checkInvariants(file)).toEqual([]);
        const rootless = (shape: readonly unknown[]) =>
          // The two files that have no task above all hold of the root its description only.
          name === 'backlog' || name === 'taskmaster' ? shape.slice(1) : shape;
        const before = shapeOf([...plan.goals.values()], plan.header.root_goal_id);
        expect(rootless(shapeOf(Object.values(file.goals), file.root_goal_id))).toEqual(rootless(before));
      }),
      { numRuns: 30 },
    );
  },
);
