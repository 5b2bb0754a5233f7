import { tagged } from '../model/quote.js';
import { ancestors, siblings } from '../plan/tree.js';
import { rootOf } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';
import type { Revision } from './expander.js';
import { cutToTokens } from './cut-to-tokens.js';

/** The parts of a prompt besides the goal, each with the tags around it. */
export interface PromptContext {
  readonly slots: Readonly<Record<string, string>>;
  /** Names of the parts that were shortened to fit. */
  readonly cut: readonly string[];
}

interface Part {
  readonly name: string;
  readonly text: string;
  /** The most tokens of this part, whatever room there is; it keeps prompts flat as plans grow. */
  readonly most: number;
}

/**
 * What a prompt about a goal holds: only what this goal needs, so that the prompt for goal 10,000 is no
 * longer than the one for goal 10. When it does not fit, the least important part gives way first.
 *
 * @param limit tokens that all parts together may have
 * @param revision why the goal is asked about again, and what of it stays
 */
export async function promptContext(
  plan: Plan,
  goal: Goal,
  limit: number,
  revision?: Revision,
): Promise<PromptContext> {
  const slots: Record<string, string> = { goal: tagged('goal', goal.description) };
  const cut: string[] = [];
  let room = limit - estimateTokens(goal.description);
  for (const { name, text, most } of partsByImportance(plan, goal, revision)) {
    const fitting = await cutToTokens(text, Math.min(most, Math.max(0, room)));
    if (fitting.length < text.length) cut.push(name);
    room -= estimateTokens(fitting);
    slots[name] = tagged(name, fitting);
  }
  return { slots, cut };
}

/** Most important first. */
function partsByImportance(
  plan: Plan,
  goal: Goal,
  { staying = [], failures = [] }: Partial<Revision> = {},
): readonly Part[] {
  const above = ancestors(plan, goal);
  const done = staying.filter(({ status }) => status === 'complete');
  const open = staying.filter(({ status }) => status !== 'complete');
  const beside = [...siblings(plan, goal), ...open];
  return [
    { name: 'root', text: goal.parent_id === null ? '' : rootOf(plan).description, most: 500 },
    { name: 'ancestors', text: lines(above.map(({ description }) => description)), most: 600 },
    { name: 'failure', text: [goal.failure?.reason ?? [], ...failures].flat().join('\n'), most: 400 },
    { name: 'section', text: sectionOf(goal, above), most: 3000 },
    { name: 'finished', text: finishedText(plan, goal, above, done), most: 1200 },
    { name: 'siblings', text: lines(beside.map(({ description }) => description)), most: 500 },
    { name: 'project', text: projectText(plan), most: 4000 },
  ];
}

/** The text of the document that the goal, or else the nearest goal above it, stands for. */
function sectionOf(goal: Goal, above: readonly Goal[]): string {
  return goal.detail ?? above.findLast(({ detail }) => detail !== undefined)?.detail ?? '';
}

/** The finished parts of the goal, and the digests of the finished goals that it, or a goal above it, depends on. */
function finishedText(plan: Plan, goal: Goal, above: readonly Goal[], parts: readonly Goal[]): string {
  const ids = new Set([goal, ...above].flatMap(({ dependencies }) => dependencies));
  const needed = [...ids].flatMap((id) => plan.goals.get(id) ?? []).filter(({ digest }) => digest !== null);
  return lines([...new Set([...parts, ...needed])].map(finishedLine));
}

function finishedLine({ description, digest }: Goal): string {
  if (digest === null) return `${description}: done`;
  const { summary, key_decisions, artifacts } = digest;
  return [`${description}: ${summary}`, ...key_decisions, ...artifacts].join('; ');
}

function projectText(plan: Plan): string {
  const files = plan.header.settings?.context ?? [];
  return files.map(({ file, text }) => `${file}:\n${text}`).join('\n\n');
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join('\n');
}

// For the room that is left a rough figure will do: about four characters are one token.
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3);
}
