import { decisionSaid } from '../plan/decisions.js';
import { goalSuffix } from '../plan/ids.js';
import { missingResults } from '../plan/readiness/missing-results.js';
import { priorityInWords } from '../plan/readiness/priorities.js';
import type { Plan } from '../plan/plan.js';
import { summarize } from '../plan/plan.js';
import { sizeInWords } from '../plan/goal-in-words.js';
import { escapeMarkdown } from '../kernel/text/escape-markdown.js';
import type { Goal } from '../plan/schema.js';
import { depthFirst } from '../plan/tree.js';
import type { Picture } from './picture.js';
import type { FoundInPlan } from './found-in-plan.js';
import { goalCriteria } from './goal-criteria.js';
import { DEEPEST_SHOWN } from './goal-labels.js';
import { planInWords, summaryAt } from '../plan/readiness/plan-progress.js';

/**
 * A heading, the counts, and a nested task list with one item a goal: checked when complete, its description
 * as plain text, the suffix of its id as code, then what it waits for, its size and whether it failed; below it a line for
 * each criterion. Nothing in a description is read as Markdown or HTML. Goals below the deepest level shown are at that level.
 */
export function toMarkdown(plan: Plan, _picture?: Picture, findings: readonly FoundInPlan[] = []): string {
  const summary = summarize(plan);
  const { id, description, atomic_goals, complete_goals } = summary;
  const title = escapeMarkdown(description) || id;
  let text = `# ${title}\n\n`;
  text += `Plan \`${id}\` (${planInWords(summaryAt(plan, plan.header.updated_at))}): ${complete_goals} of ${atomic_goals} atomic goals done.\n\n`;
  for (const { goal } of depthFirst(plan)) text += `${itemOf(goal)}\n`;
  return text + decidedIn(plan) + missingOf(plan) + findings.map(foundAt).join('');
}

function foundAt({ goal, message }: FoundInPlan): string {
  return `\n**Looks wrong** at \`${goalSuffix(goal)}\`: ${escapeMarkdown(message)}\n`;
}

/** What was decided, a paragraph each. */
function decidedIn(plan: Plan): string {
  return Array.from(depthFirst(plan), ({ goal }) => goal)
    .flatMap((goal) =>
      (goal.decisions ?? []).map((decision) => {
        const { is, text } = decisionSaid(plan, decision);
        return `\n**${is}** for \`${goalSuffix(goal.id)}\`: ${escapeMarkdown(text)}\n`;
      }),
    )
    .join('');
}

/** What goals use and no goal makes, a paragraph each. */
function missingOf(plan: Plan): string {
  return missingResults(plan)
    .map(({ what, used_by }) => {
      const users = used_by.map((id) => `\`${goalSuffix(id)}\``).join(', ');
      return `\n**No goal makes:** ${escapeMarkdown(what)} (used by ${users})\n`;
    })
    .join('');
}

function itemOf(goal: Goal): string {
  const indent = '  '.repeat(Math.min(goal.depth, DEEPEST_SHOWN));
  const box = goal.status === 'complete' ? '[x]' : '[ ]';
  const notes = notesOf(goal);
  const tail = notes.length === 0 ? '' : `(${notes.join('; ')})`;
  const words = [`${indent}-`, box, escapeMarkdown(goal.description), `\`${goalSuffix(goal.id)}\``, tail];
  const criteria = goalCriteria(goal).map((each) => `${indent}  done when: ${escapeMarkdown(each)}`);
  return [words.filter((word) => word !== '').join(' '), ...criteria].join('\\\n');
}

function notesOf(goal: Goal): readonly string[] {
  const after = goal.dependencies.map((id) => `\`${goalSuffix(id)}\``);
  const size = sizeInWords(goal);
  const reason = goal.failure === undefined ? '' : `: ${escapeMarkdown(goal.failure.reason)}`;
  return [
    ...(goal.depth > DEEPEST_SHOWN ? [`depth ${goal.depth}`] : []),
    ...(after.length === 0 ? [] : [`after ${after.join(', ')}`]),
    ...(size === null ? [] : [`size ${escapeMarkdown(size)}`]),
    ...(goal.priority === undefined ? [] : [`priority ${priorityInWords(goal.priority)}`]),
    ...(goal.on_hold === undefined ? [] : [`on hold: ${escapeMarkdown(goal.on_hold.reason)}`]),
    ...(goal.status === 'failed' ? [`**failed**${reason}`] : []),
  ];
}
