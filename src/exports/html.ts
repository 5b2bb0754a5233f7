import { decisionLine } from '../plan/decisions.js';
import { missingResults } from '../plan/readiness/missing-results.js';
import type { Plan } from '../plan/plan.js';
import { summarize } from '../plan/plan.js';
import { sizeInWords } from '../plan/goal-in-words.js';
import { stateInWords } from '../plan/readiness/goal-state.js';
import type { GoalState } from '../plan/readiness/goal-state.js';
import { STATE_SYMBOLS } from '../plan/readiness/state-symbols.js';
import { oneLine, printable } from '../kernel/text/safe-text.js';
import type { Digest, Goal } from '../plan/schema.js';
import { goalSuffix } from '../plan/ids.js';
import { depthFirst } from '../plan/tree.js';
import { escapeMarkup } from './escape-markup.js';
import { goalCriteria } from './goal-criteria.js';
import { DEEPEST_SHOWN, goalLabels } from './goal-labels.js';
import type { GoalLabels } from './goal-labels.js';
import type { Picture } from './picture.js';
import type { FoundInPlan } from './found-in-plan.js';
import { statesInExport } from './state-colors.js';
import { HTML_STYLE } from './html-style.js';
import { quantityOf } from '../kernel/text/quantity-of.js';
import { planInWords, summaryAt } from '../plan/readiness/plan-progress.js';

/** Goals this deep are folded when the page opens; those above are not. */
const OPEN_DEPTH = 3;

/**
 * One self-contained page: no script, nothing fetched, and a policy that forbids both. The tree folds with
 * `<details>`, each goal is an anchor named by its id, and dependencies are links to such anchors. Goals
 * below the deepest level shown are at that level.
 */
export function toHtml(plan: Plan, _picture?: Picture, findings: readonly FoundInPlan[] = []): string {
  const title = textOf(summarize(plan).description);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
${headOf(plan, title)}
<main>
<ul aria-label="Goals">
${treeOf(plan)}</ul>
${decidedIn(plan)}${missingOf(plan)}${foundIn(findings)}</main>
</body>
</html>
`;
}

/** What was decided, a line each with the goal that it is kept with. */
function decidedIn(plan: Plan): string {
  const lines = Array.from(depthFirst(plan), ({ goal, number }) =>
    (goal.decisions ?? []).map(
      (decision) =>
        `<li dir="auto"><a href="#${goal.id}">${number === '' ? 'root' : number}</a> ${escapeMarkup(decisionLine(plan, decision))}</li>\n`,
    ),
  ).flat();
  return lines.length === 0 ? '' : `<h2>Decisions</h2>\n<ul>\n${lines.join('')}</ul>\n`;
}

/** What goals use and no goal makes, a paragraph each. */
function missingOf(plan: Plan): string {
  return missingResults(plan)
    .map(({ what }) => `<p class="soft" dir="auto">No goal makes: ${textOf(what)}</p>\n`)
    .join('');
}

/** What looks wrong, a line each that leads to its goal. */
function foundIn(findings: readonly FoundInPlan[]): string {
  const lines = findings.map(
    ({ goal, message }) => `<li dir="auto"><a href="#${goal}">${textOf(message)}</a></li>\n`,
  );
  return lines.length === 0 ? '' : `<h2>Looks wrong</h2>\n<ul>\n${lines.join('')}</ul>\n`;
}

function headOf(plan: Plan, title: string): string {
  const summary = summarize(plan);
  const { id, updated_at, atomic_goals, complete_goals, ...rest } = summary;
  const progress = `${complete_goals} of ${atomic_goals} atomic goals done`;
  const counts = {
    Goals: rest.total_goals,
    Atomic: atomic_goals,
    Done: complete_goals,
    'To plan': rest.pending_goals,
    Failed: rest.failed_goals,
    Tokens: rest.total_tokens,
  };
  const cells = Object.entries(counts).map(([name, count]) => `<div><dt>${name}</dt><dd>${count}</dd></div>`);
  return `<header>
<h1 dir="auto">${title}</h1>
<p class="soft">Plan <code>${id}</code> · ${planInWords(summaryAt(plan, plan.header.updated_at))} · updated <time>${updated_at}</time></p>
<progress value="${complete_goals}" max="${Math.max(atomic_goals, 1)}" aria-label="${progress}"></progress>
<div class="soft">${progress}</div>
<dl class="counts">${cells.join('')}</dl>
</header>`;
}

function treeOf(plan: Plan): string {
  const shown = {
    labels: goalLabels(plan),
    stateOf: statesInExport(plan),
    repeated: repeatedReasonings(plan),
  };
  let html = '';
  let level = 0;
  for (const { goal } of depthFirst(plan)) {
    const goalLevel = Math.min(goal.depth, DEEPEST_SHOWN);
    html += '</ul></details></li>\n'.repeat(level - goalLevel);
    const holdsItsChildren = goal.child_ids.length > 0 && goalLevel < DEEPEST_SHOWN;
    html += holdsItsChildren ? openGoal(goal, shown) : leafGoal(goal, shown);
    level = holdsItsChildren ? goalLevel + 1 : goalLevel;
  }
  return html + '</ul></details></li>\n'.repeat(level);
}

/** What of the whole plan the lines of its goals show. */
interface Shown {
  readonly labels: GoalLabels;
  readonly stateOf: (goal: Goal) => GoalState;
  readonly repeated: ReadonlySet<string>;
}

/** Returns the reasons that several goals have: such a one says nothing of the single goal. */
function repeatedReasonings({ goals }: Plan): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { reasoning } of goals.values()) {
    if (reasoning === null) continue;
    if (seen.has(reasoning)) repeated.add(reasoning);
    seen.add(reasoning);
  }
  return repeated;
}

function openGoal(goal: Goal, shown: Shown): string {
  const open = goal.depth < OPEN_DEPTH ? ' open' : '';
  return `<li id="${goal.id}"><details${open}><summary>${lineOf(goal, shown)}</summary>${factsOf(goal, shown)}<ul>\n`;
}

function leafGoal(goal: Goal, shown: Shown): string {
  return `<li id="${goal.id}"><div class="goal leaf">${lineOf(goal, shown)}</div>${factsOf(goal, shown)}</li>\n`;
}

function lineOf(goal: Goal, { labels, stateOf }: Shown): string {
  const state = stateOf(goal);
  const number = goal.depth === 0 ? '' : `<span class="number">${labels.get(goal.id)}</span> `;
  const description = `<span class="description" dir="auto">${textOf(goal.description)}</span>`;
  return `${number}${description} <span class="status ${state}">${STATE_SYMBOLS[state]} ${stateInWords(state)}</span>`;
}

function factsOf(goal: Goal, { labels, repeated }: Shown): string {
  const after = goal.dependencies.map((id) => `<a href="#${id}">${labels.get(id) ?? id}</a>`);
  const depth = goal.depth > DEEPEST_SHOWN ? ` · depth ${goal.depth}` : '';
  const tokens = goal.tokens_used === 0 ? '' : ` · ${quantityOf(goal.tokens_used, 'token')}`;
  const size = sizeInWords(goal);
  return [
    `<div class="facts"><code>${goalSuffix(goal.id)}</code>${depth}${tokens}`,
    size === null ? '' : ` · size ${escapeMarkup(size)}`,
    after.length === 0 ? '' : ` · after ${after.join(', ')}`,
    goal.failure === undefined ? '' : `<p class="failed">Failed: ${linesOf(goal.failure.reason)}</p>`,
    goal.reasoning === null || repeated.has(goal.reasoning)
      ? ''
      : `<p dir="auto">${linesOf(goal.reasoning)}</p>`,
    doneWhen(goalCriteria(goal)),
    goal.digest === null ? '' : digestOf(goal.digest),
    '</div>',
  ].join('');
}

function doneWhen(criteria: readonly string[]): string {
  if (criteria.length === 0) return '';
  return `<p>Done when:</p><ul>${criteria.map((one) => `<li dir="auto">${escapeMarkup(one)}</li>`).join('')}</ul>`;
}

function digestOf(digest: Digest): string {
  const decisions = digest.key_decisions.map((decision) => `<li dir="auto">${textOf(decision)}</li>`);
  const artifacts = digest.artifacts.map((artifact) => `<code>${textOf(artifact)}</code>`);
  return [
    `<p class="done" dir="auto">Done: ${linesOf(digest.summary)}</p>`,
    decisions.length === 0 ? '' : `<ul>${decisions.join('')}</ul>`,
    artifacts.length === 0 ? '' : `<p>Made: ${artifacts.join(', ')}</p>`,
  ].join('');
}

function textOf(text: string): string {
  return escapeMarkup(oneLine(text));
}

function linesOf(text: string): string {
  return escapeMarkup(printable(text));
}
