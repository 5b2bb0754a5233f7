import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { backlogPlan } from '../imports/backlog-plan.js';
import { beadsPlan } from '../imports/beads-plan.js';
import { gitHubPlan } from '../imports/github-plan.js';
import { taskMasterPlan } from '../imports/task-master-plan.js';
import { toBacklog } from './backlog.js';
import { toBeads } from './beads.js';
import { lostParts } from './compare-read.js';
import { toGitHub } from './github.js';
import { isCollection } from './original-fields.js';
import { toTaskMaster } from './taskmaster.js';

/** Tells what of a plan beads has no place for. */
export function lostInBeads(plan: Plan): readonly string[] {
  return lostParts(plan, beadsPlan(toBeads(plan)), !isCollection(rootOf(plan), 'beads'));
}

/** Tells what of a plan Task Master has no place for. */
export function lostInTaskMaster(plan: Plan): readonly string[] {
  return lostParts(plan, taskMasterPlan(parseOrNull(toTaskMaster(plan))), plan.goals.size === 1);
}

/** Tells what of a plan GitHub has no place for. */
export function lostInGitHub(plan: Plan): readonly string[] {
  return lostParts(plan, gitHubPlan(parseOrNull(toGitHub(plan))), !isCollection(rootOf(plan), 'github'));
}

/** Tells what of a plan Backlog.md has no place for. */
export function lostInBacklog(plan: Plan): readonly string[] {
  const files = toBacklog(plan);
  const below = (folder: string) =>
    files.flatMap(({ path, text }) =>
      path.startsWith(`${folder}/`) ? { name: path.slice(folder.length + 1), text } : [],
    );
  const read = backlogPlan({
    tasks: below('backlog/tasks'),
    completed: below('backlog/completed'),
    milestones: below('backlog/milestones'),
    config: files.find(({ path }) => path === 'backlog/config.yml')?.text ?? null,
  });
  return lostParts(plan, read, plan.goals.size === 1);
}
