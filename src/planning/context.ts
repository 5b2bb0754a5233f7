import { tagged } from '../llm/quote.js';
import { decisionLine, decisionsInForce } from '../plan/decisions.js';
import { ancestors, numberOf } from '../plan/tree.js';
import { rootOf } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Settings } from '../plan/schema.js';
import { cutToTokens, estimateTokens } from '../llm/text/cut-to-tokens.js';
import { missingFor } from '../plan/readiness/missing-results.js';
import { finishedGoals } from '../work/context/finished-goals.js';
import { runsOf } from '../work/context/number-runs.js';
import type { ExpansionRequest } from './expander.js';
import { fitLines } from '../llm/text/fit-lines.js';
import type { RankedLine } from '../llm/text/fit-lines.js';
import {
  otherBranchLines,
  listLines,
  outOfScopeLines,
  partLines,
  siblingLines,
} from './model/prompt-lines.js';

/** The parts of a prompt besides the goal, each with the tags around it. */
export interface PromptContext {
  readonly slots: Readonly<Record<string, string>>;
  /** Names of the parts that were shortened to fit. */
  readonly cut: readonly string[];
}

export interface ContextOptions {
  /** Tokens that all parts together may have. */
  readonly limit: number;
  /** The slots that the prompt has; what it has no slot for is not made, and takes no room. */
  readonly slots: ReadonlySet<string>;
}

/** What the lines of a list are shortened to where it does not fit as a whole, in tokens. */
const LIST_LINE = 48;
const SAMPLE_LINE = 20;
/** What the numbers of goals for which there is no room may have of it. */
const NAMED_SHARE = 0.1;
/** With more levels than this, and room for more than so many full divisions, the limits of a plan are not told. */
const FAR_LEVELS = 2;
const FAR_ROOM = 10;

/** What a prompt is about; without limits it says nothing of the room that is left. */
export interface PromptSubject extends Pick<ExpansionRequest, 'plan' | 'goal' | 'revision'> {
  readonly limits?: {
    readonly settings: Pick<Settings, 'max_depth' | 'max_children' | 'max_goals'>;
    /** The most sub-goals that will be kept. */
    readonly maxChildren: number;
  };
}

interface Part {
  readonly name: string;
  /** A text is cut at its end, a list where it matters least. */
  readonly content: string | readonly RankedLine[];
  /** The most tokens of this part, whatever room there is; it keeps prompts flat as plans grow. */
  readonly most: number;
  /** The numbers of the goals that the lines are about; of those for which there is no room they are named. */
  readonly numbers?: readonly string[];
  /** Whether that much was never meant to be there, so that a part of it is no loss to be told. */
  readonly sample?: boolean;
}

/**
 * What a prompt about a goal holds: only what this goal needs, so that the prompt for goal 10,000 is no
 * longer than the one for goal 10. When it does not fit, the least important part gives way first. The same
 * goal has the same prompt whichever replies came before it.
 */
export async function promptContext(
  subject: PromptSubject,
  { limit, slots: known }: ContextOptions,
): Promise<PromptContext> {
  const { goal } = subject;
  const limits = limitsText(subject);
  const slots: Record<string, string> = {
    ...Object.fromEntries(Array.from(known, (name) => [name, ''])),
    limits: tagged('limits', limits),
    goal: tagged('goal', goal.description),
  };
  const cut: string[] = [];
  let room = limit - estimateTokens(goal.description) - estimateTokens(limits);
  for (const part of partsByImportance(subject, known)) {
    const { name, content, most, sample } = part;
    if (!known.has(name)) continue;
    const line = sample === true ? SAMPLE_LINE : LIST_LINE;
    const fitting = await fitted(part, Math.min(most, Math.max(0, room)), line);
    if (fitting.cut && sample !== true) cut.push(name);
    room -= estimateTokens(fitting.text);
    slots[name] = tagged(name, typeof content === 'string' ? fitting.text : onLinesOfItsOwn(fitting.text));
  }
  return { slots, cut };
}

/** Most important first. */
function partsByImportance(
  { plan, goal, revision }: PromptSubject,
  known: ReadonlySet<string>,
): readonly Part[] {
  const above = ancestors(plan, goal);
  const { staying = [], failures = [] } = revision ?? {};
  const done = staying.filter(({ status }) => status === 'complete');
  // A prompt that does not show the parts names those that stay beside the goal's siblings.
  const open = known.has('parts') ? [] : staying.filter(({ status }) => status !== 'complete');
  // A goal that is to be divided may get a part for what is missing.
  const missing = known.has('parts') ? [] : missingFor(plan, [...above, goal]);
  const chain = known.has('root') ? above.slice(1) : above;
  const failed = [goal.failure?.reason ?? [], ...failures].flat().join('\n');
  return [
    { name: 'root', content: goal.parent_id === null ? '' : rootOf(plan).description, most: 500 },
    { name: 'ancestors', content: listLines(descriptionsOf(chain), 'last'), most: 600 },
    { name: 'failure', content: failed, most: 400 },
    { name: 'acceptance', content: listLines(goal.acceptance ?? []), most: 300 },
    { name: 'parts', content: revision ? partLines(plan, goal, revision) : [], most: 800 },
    { name: 'section', content: sectionOf(goal, above), most: 3000 },
    { name: 'decisions', content: decisionLines(plan, goal), most: 300 },
    { name: 'finished', ...finishedLines(plan, goal, { missing, parts: done }), most: 1200 },
    {
      name: 'siblings',
      content: [...siblingLines(plan, goal), ...listLines(descriptionsOf(open))],
      most: 500,
    },
    { name: 'out_of_scope', content: outOfScopeLines([...above, goal]), most: 300 },
    { name: 'elsewhere', content: otherBranchLines(plan, above), most: 200, sample: true },
    { name: 'project', content: projectText(plan), most: 4000 },
  ];
}

/**
 * The room that is left, as far as it is known for certain: goals are expanded at the same time, so only what is on the
 * way from the root to this goal has been counted, and the last few when no other call is under way.
 */
function limitsText({ plan, goal, revision, limits }: PromptSubject): string {
  if (limits === undefined) return '';
  const { settings, maxChildren } = limits;
  const levels = settings.max_depth - goal.depth;
  const family = ancestors(plan, goal).reduce((sum, { child_ids }) => sum + child_ids.length, 1);
  const room = settings.max_goals - family - (revision?.staying.length ?? 0);
  const goals = maxChildren < settings.max_children ? maxChildren : Math.max(maxChildren, room);
  const last = levels <= 1 || goals <= settings.max_children;
  // What is far away is no limit to think of.
  if (!last && levels > FAR_LEVELS && goals > FAR_ROOM * settings.max_children) return '';
  return [
    `Room left: ${levels === 1 ? '1 level' : `${levels} levels`} of goals below this one`,
    `at most ${goals === 1 ? '1 more goal' : `${goals} more goals`} in the whole plan`,
    ...(last ? ['so each sub-goal must be atomic'] : []),
  ]
    .join(', ')
    .concat('.');
}

function onLinesOfItsOwn(list: string): string {
  return list === '' ? '' : `\n${list}\n`;
}

async function fitted(
  { content, numbers }: Part,
  most: number,
  longestLine: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  if (typeof content !== 'string') {
    const whole = await fitLines(content, most, longestLine);
    if (!whole.cut || numbers === undefined) return whole;
    const { text, missing } = await fitLines(content, most - Math.floor(most * NAMED_SHARE), longestLine);
    const runs = runsOf(missing.flatMap((place) => numbers[place] || []));
    const named = `Left out: ${runs.map((run) => run.text).join(', ')}`;
    return {
      text: runs.length === 0 ? text : `${text}\n${await cutToTokens(named, most * NAMED_SHARE - 1)}`,
      cut: true,
    };
  }
  const text = await cutToTokens(content, most);
  return { text, cut: text.length < content.length };
}

/** The text of the document that the goal, or else the nearest goal above it, stands for. */
function sectionOf(goal: Goal, above: readonly Goal[]): string {
  return goal.detail ?? above.findLast(({ detail }) => detail !== undefined)?.detail ?? '';
}

/** What was decided for the goal, from the root down; the nearest matters most. */
function decisionLines(plan: Plan, goal: Goal): readonly RankedLine[] {
  return listLines(
    decisionsInForce(plan, goal).map(({ decision }) => decisionLine(plan, decision)),
    'last',
  );
}

/** What the goal builds on: what no goal makes, its finished parts, and the digests of others. */
function finishedLines(
  plan: Plan,
  goal: Goal,
  { missing, parts }: { readonly missing: readonly string[]; readonly parts: readonly Goal[] },
): Pick<Part, 'content' | 'numbers'> {
  const needed = finishedGoals(plan, goal).flatMap((one) => (one.goal.digest === null ? [] : [one.goal]));
  const told = [...new Set([...parts, ...needed])];
  const content = listLines([
    ...missing.map((what) => `not there, and made by no goal: ${what}`),
    ...told.map(finishedLine),
  ]);
  return { content, numbers: [...missing.map(() => ''), ...told.map((each) => numberOf(plan, each))] };
}

function finishedLine({ description, digest }: Goal): string {
  if (digest === null) return `${description}: done`;
  const { summary, key_decisions, artifacts } = digest;
  return [
    `${description}: ${sentence(summary)}`,
    ...(key_decisions.length === 0 ? [] : [sentence(`Decided: ${key_decisions.join('; ')}`)]),
    ...(artifacts.length === 0 ? [] : [`Made: ${artifacts.join(', ')}`]),
  ].join(' ');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function projectText(plan: Plan): string {
  const files = plan.header.settings?.context ?? [];
  return files.map(({ file, text }) => `${file}:\n${text}`).join('\n\n');
}

function descriptionsOf(goals: readonly Goal[]): readonly string[] {
  return goals.map(({ description }) => description);
}
