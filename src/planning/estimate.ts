import { questionTokens } from '../llm/spend/question-tokens.js';
import { isWaiting } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Settings, Usage } from '../plan/schema.js';
import { childLimit } from './child-quota.js';
import { asksForLinks } from './link/link-due.js';
import { estimateLinking } from './link/link-estimate.js';
import { asksForTriage } from './triage/triage-due.js';
import { estimateTriage } from './triage/triage-estimate.js';
import { growthOf } from './growth.js';
import type { Growth, OtherPlans, QuestionEstimate, Range, Scenario } from './growth.js';
import { expansionQuestion } from './model/model-expander.js';
import type { QuestionOptions } from './model/model-expander.js';
import { groupedNumber, quantityOf } from '../kernel/text/quantity-of.js';

/** What planning a plan to its end is expected to take from here on. */
export interface PlanningEstimate {
  readonly calls: Range;
  readonly input_tokens: Range;
  readonly output_tokens: Range;
  /** US dollars; null when the price is not known. */
  readonly cost_usd: Range | null;
  /** Goals that wait to be asked about. */
  readonly waiting_goals: number;
  readonly assumptions: readonly string[];
}

export interface EstimateOptions extends Omit<QuestionOptions, 'settings'> {
  readonly settings: Settings;
  readonly maxOutputTokens: number;
  readonly costOf: (inputTokens: number, outputTokens: number) => number | null;
  /** Other plans of the store that a model has planned to the end; null when there are none. */
  readonly others: OtherPlans | null;
}

/** Goals whose prompts are made to be measured. */
const SAMPLED = 12;
/** What siblings and ancestors may add to a prompt further down, in tokens. */
const DEEPER = 200;
/** Repairs and retries on top of the highest figure. */
const REPAIRS = 1.1;
/** Calls of this plan from which their tokens are taken as an example. */
const ENOUGH_CALLS = 3;
const SCENARIOS: readonly Scenario[] = ['low', 'likely', 'high'];

/** The goals that planning would ask about next. */
export function goalsToPlan(
  plan: Plan,
  { max_depth }: Pick<EstimateOptions['settings'], 'max_depth'>,
): readonly Goal[] {
  return [...plan.goals.values()].filter((goal) => isWaiting(goal) && goal.depth < max_depth);
}

/**
 * Calls, tokens and cost of planning from where a plan is, as ranges, with what they assume. Nothing is asked: prompts are
 * made as they would be sent, and counted; the number of calls follows from how the plan, or others, have grown.
 */
export async function estimatePlanning(plan: Plan, options: EstimateOptions): Promise<PlanningEstimate> {
  const { settings } = options;
  const waiting = goalsToPlan(plan, settings);
  if (waiting.length === 0) return { ...NOTHING, assumptions: ['nothing is left to plan'] };
  const { scenarios, assumptions } = growthOf(plan, settings, options.others);
  const dividing = callsOf(plan, waiting, scenarios, options);
  const prompt = await promptRange(plan, waiting, options);
  const output = outputRange(plan, scenarios, options.maxOutputTokens);
  const leaves = leavesAfter(plan, dividing.range, scenarios, settings);
  const linking = asksForLinks(settings) ? await estimateLinking(plan, leaves, options.prompts) : NO_LINKING;
  const triage =
    asksForTriage(settings) && (plan.header.usage?.calls ?? 0) === 0
      ? await estimateTriage(plan, options)
      : NO_LINKING;
  const asked = (dividing: Range, name: keyof QuestionEstimate) =>
    plus(plus(dividing, linking[name]), triage[name]);
  const calls = asked(dividing.range, 'calls');
  const input_tokens = asked(times(dividing.range, prompt.range), 'input_tokens');
  const output_tokens = asked(times(dividing.range, output.range), 'output_tokens');
  const costs = SCENARIOS.map((scenario) => options.costOf(input_tokens[scenario], output_tokens[scenario]));
  const [low, likely, high] = costs;
  const known = typeof low === 'number' && typeof likely === 'number' && typeof high === 'number';
  return {
    calls,
    input_tokens,
    output_tokens,
    cost_usd: known ? { low, likely, high } : null,
    waiting_goals: waiting.length,
    assumptions: [
      ...dividing.assumptions,
      ...firstQuestion(triage),
      ...lastQuestion(linking),
      ...assumptions,
      ...prompt.assumptions,
      ...output.assumptions,
      ...(known ? [] : ['the price of the model is not known; "prices" in the config sets it']),
    ],
  };
}

const NO_RANGE: Range = { low: 0, likely: 0, high: 0 };
const NO_LINKING: QuestionEstimate = { calls: NO_RANGE, input_tokens: NO_RANGE, output_tokens: NO_RANGE };
const NOTHING = {
  calls: NO_RANGE,
  input_tokens: NO_RANGE,
  output_tokens: NO_RANGE,
  cost_usd: NO_RANGE,
  waiting_goals: 0,
};

interface Ranged {
  readonly range: Range;
  readonly assumptions: readonly string[];
}

function callsOf(
  plan: Plan,
  waiting: readonly Goal[],
  scenarios: Readonly<Record<Scenario, Growth>>,
  { settings, others }: EstimateOptions,
): Ranged {
  const cutBy = new Set<string>();
  const count = (scenario: Scenario): number => {
    const whole = waiting.map((goal) => growFrom(goal, scenarios[scenario], settings));
    const calls = whole.reduce((sum, each) => sum + each.calls, 0);
    const goals = whole.reduce((sum, each) => sum + each.goals, 0);
    const room = Math.max(0, settings.max_goals - plan.counts.total);
    if (goals <= room) return calls;
    cutBy.add(`the limit of ${quantityOf(settings.max_goals, 'goal')} is reached`);
    return waiting.length + (calls - waiting.length) * (room / goals);
  };
  const range = { low: count('low'), likely: count('likely'), high: count('high') * REPAIRS };
  const seen = others !== null && plan.counts.total === 1 && settings.assess === 'inline' ? others : null;
  return {
    range: whole(seen === null ? range : asOthers(seen, range)),
    assumptions: [
      seen === null
        ? `${waiting.length === 1 ? '1 goal waits' : `${waiting.length} goals wait`}; goals are divided down to level ${settings.max_depth} at most`
        : `as many calls as ${seen.plans} other plans of this store had goals to divide`,
      ...cutBy,
      `${Math.round((REPAIRS - 1) * 100)} % more for repairs and retries at the high end`,
    ],
  };
}

/** The leaves that a plan will have: each goal that is divided adds its parts and is a leaf no more. */
function leavesAfter(
  plan: Plan,
  calls: Range,
  scenarios: Readonly<Record<Scenario, Growth>>,
  { assess, max_goals }: Settings,
): Range {
  const leavesIn = (scenario: Scenario) => {
    const added =
      assess === 'each' ? calls[scenario] : calls[scenario] * (scenarios[scenario].children - 1) + 1;
    return Math.min(max_goals, plan.counts.atomic + added);
  };
  // A goal that is found atomic has no leaves to compare.
  const low = plan.counts.total === 1 ? 1 : leavesIn('low');
  return whole({ low, likely: leavesIn('likely'), high: leavesIn('high') });
}

function firstQuestion({ calls, input_tokens }: QuestionEstimate): readonly string[] {
  if (calls.high === 0) return [];
  const more = calls.high === 1 ? 'one call' : quantityOf(calls.high, 'call');
  return [
    `${more} before to ask which goals of the document are work, of ${groupedNumber(input_tokens.likely)} tokens; those that are not are not divided`,
  ];
}

function lastQuestion({ calls, input_tokens }: QuestionEstimate): readonly string[] {
  if (calls.high === 0) return [];
  const more = calls.high === 1 ? 'one call more' : `up to ${quantityOf(calls.high, 'call')} more`;
  return [
    `${more} at the end to ask which leaves need each other, of ${groupedNumber(input_tokens.likely)} tokens or so`,
  ];
}

/** Calls, and goals that are new, of planning one goal to the end. */
function growFrom(
  goal: Goal,
  growth: Growth,
  settings: Settings,
): { readonly calls: number; readonly goals: number } {
  const { children, divided } = growth;
  // What is below a goal that is divided, from the deepest level up.
  let below = { calls: 0, goals: 0 };
  for (let depth = settings.max_depth - 1; depth >= goal.depth; depth -= 1) {
    const share = depth + 1 >= settings.max_depth ? 0 : divided(depth + 1);
    const asked = settings.assess === 'each' && depth + 1 < settings.max_depth ? 1 : 0;
    const each = asked + share * (asked === 1 ? below.calls - 1 : below.calls);
    below = { calls: 1 + children * each, goals: children * (1 + share * below.goals) };
  }
  const judged = goal.status === 'decomposing' || goal.depth === 0 ? 1 : divided(goal.depth);
  return { calls: 1 + judged * (below.calls - 1), goals: judged * below.goals };
}

function asOthers({ divided, plans }: OtherPlans, range: Range): Range {
  const [first = range.low, last = range.high] = [divided[0], divided.at(-1)];
  const likely = divided[Math.floor(divided.length / 2)] ?? range.likely;
  // Few plans say little of how far others may be from them.
  const spread = plans >= 5 ? 1 : 2;
  return { low: Math.max(1, first / spread), likely, high: last * spread * REPAIRS };
}

async function promptRange(plan: Plan, waiting: readonly Goal[], options: EstimateOptions): Promise<Ranged> {
  const step = Math.max(1, Math.floor(waiting.length / SAMPLED));
  const sample = waiting.filter((_goal, index) => index % step === 0).slice(0, SAMPLED);
  const tokens = await Promise.all(
    sample.map(async (goal) =>
      questionTokens(
        (
          await expansionQuestion(
            { plan, goal, maxChildren: childLimit(goal.depth, options.settings) },
            options,
          )
        ).question,
      ),
    ),
  );
  const before = meanOf(plan.header.usage, ({ input_tokens }) => input_tokens);
  const measured = tokens.reduce((sum, each) => sum + each, 0) / Math.max(1, tokens.length);
  return {
    range: {
      low: Math.min(...tokens, before ?? Infinity),
      likely: before ?? measured + DEEPER / 2,
      high: Math.max(...tokens, before ?? 0) + DEEPER,
    },
    assumptions: [
      `a prompt has ${groupedNumber(Math.round(measured))} tokens (${groupedNumber(tokens.length)} made and counted), up to ${groupedNumber(DEEPER)} more further down` +
        (before === null ? '' : `; those of this plan had ${groupedNumber(Math.round(before))}`),
    ],
  };
}

function outputRange(
  plan: Plan,
  { low, likely, high }: Readonly<Record<Scenario, Growth>>,
  most: number,
): Ranged {
  const before = meanOf(plan.header.usage, ({ output_tokens }) => output_tokens);
  if (before !== null) {
    return {
      range: { low: before * 0.7, likely: before, high: Math.min(most, before * 1.4) },
      assumptions: [
        `a reply has ${groupedNumber(Math.round(before))} tokens as those of this plan, 30 % less to 40 % more`,
      ],
    };
  }
  const range = {
    low: 40 + 30 * low.children,
    likely: Math.min(most, 60 + 50 * likely.children),
    high: Math.min(most, 80 + 90 * high.children),
  };
  const text = `${groupedNumber(Math.round(range.low))} to ${groupedNumber(Math.round(range.high))}`;
  return { range, assumptions: [`a reply has ${text} tokens; a model that thinks aloud has more`] };
}

function meanOf(usage: Usage | undefined, tokens: (usage: Usage) => number): number | null {
  if (usage === undefined || usage.calls < ENOUGH_CALLS || tokens(usage) === 0) return null;
  return tokens(usage) / usage.calls;
}

function plus(a: Range, b: Range): Range {
  return whole({ low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high });
}

function times(a: Range, b: Range): Range {
  return whole({ low: a.low * b.low, likely: a.likely * b.likely, high: a.high * b.high });
}

function whole({ low, likely, high }: Range): Range {
  const [least, most] = [Math.floor(low), Math.ceil(high)];
  return {
    low: least,
    likely: Math.min(most, Math.max(least, Math.round(likely))),
    high: Math.max(least, most),
  };
}
