import { NO_USAGE } from '../../plan/plan.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';
import type { Answer } from '../../llm/chat-model.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { NumberedGoal } from '../../plan/tree.js';
import { questionFingerprint } from '../questions/question-fingerprint.js';
import { projectText } from './link-asking.js';
import type { LinkAsking, LinksAnswered } from './link-asking.js';
import { goalNamed } from '../goal-numbers.js';
import { readNeeds } from './link-needs.js';
import { linkQuestion, MOST_LEAVES } from './link-question.js';
import type { LinkReply } from './link-reply.js';
import { deepestParts, groupPairs, pairKey, pairsBehind, partsBelow } from './parts-to-compare.js';
import type { PartPair, Parts } from './parts-to-compare.js';
import { plannedWaits, waitKey } from './planned-waits.js';
import { wideWaits } from './wide-waits.js';
import type { WideWait } from './wide-waits.js';

/** There are no more questions than one for so many leaves. */
const LEAVES_EACH = 10;

/** Goals that were compared, and what was answered. */
interface Comparison {
  readonly reply: LinkReply;
  readonly goals: ReadonlyMap<string, string>;
}

type Failure = Exclude<Answer<LinkReply>, { kind: 'reply' }>;

/**
 * Asks which leaves of a large plan need each other, from coarse to fine: first which parts of the deepest level that one
 * question holds, then the leaves of parts between which a need was found or that a wide wait joins, several pairs at once.
 * A pair with too many leaves is compared one level further down first. Each answer is kept before the next is asked for;
 * those that the plan's history has are not asked for again.
 */
export async function compareParts(
  plan: Plan,
  leaves: readonly NumberedGoal[],
  asking: LinkAsking,
): Promise<LinksAnswered> {
  const top = deepestParts(plan, MOST_LEAVES);
  if (top === null || top.goals.length < 2) return failed(tooWide(leaves.length));
  const planned = plannedWaits(asking.events);
  const waits = wideWaits(plan).filter(({ goal, on }) => planned.has(waitKey(goal, on)));
  const ask = asker(plan, asking);
  const open: { readonly parts: Parts; readonly of?: PartPair }[] = [{ parts: top }];
  const met = new Set<string>();
  const compared: Comparison[] = [];
  let left = Math.ceil(leaves.length / LEAVES_EACH);
  let unasked = 0;
  for (const { parts, of } of open) {
    if (left <= 0 || parts.goals.length > MOST_LEAVES) {
      unasked += 1;
      continue;
    }
    const coarse = await ask(parts.goals);
    if ('kind' in coarse) return failed(coarse);
    left -= 1;
    const pairs = pairsToCompare(plan, parts, { coarse, waits, of }).filter(
      (pair) => !met.has(pairKey(pair)),
    );
    for (const pair of pairs) met.add(pairKey(pair));
    const { groups, tooLarge } = groupPairs(parts, pairs, MOST_LEAVES);
    for (const group of groups) {
      if (left <= 0) {
        unasked += 1;
        continue;
      }
      const found = await ask(
        parts.goals.flatMap(({ goal }) => (group.has(goal.id) ? (parts.leaves.get(goal.id) ?? []) : [])),
      );
      if ('kind' in found) return failed(found);
      left -= 1;
      compared.push(found);
    }
    for (const pair of tooLarge) open.push({ parts: partsBelow(plan, pair), of: pair });
  }
  return together(compared, unasked);
}

function failed(answer: Failure): LinksAnswered {
  return { answer, goals: new Map(), notices: [] };
}

function tooWide(leaves: number): Failure {
  const reason = `the plan has ${leaves} leaves, and no level of at most ${MOST_LEAVES} goals that could be compared first`;
  return { kind: 'rejected', code: 'refused', reason, usage: NO_USAGE };
}

/** Returns a function that asks about some goals, or finds what was answered before. */
function asker(plan: Plan, { model, prompts, events, keep, signal, stop }: LinkAsking) {
  const known = answersKept(events);
  return async (goals: readonly NumberedGoal[]): Promise<Comparison | Failure> => {
    const asked = linkQuestion(plan, goals, { prompts, project: projectText(plan) });
    const question = questionFingerprint(asked.question);
    const before = known.get(question);
    if (before !== undefined) return { reply: before, goals: asked.goals };
    const answer = await model.ask(asked.question, signal, stop);
    if (answer.kind !== 'reply') return answer;
    await keep({ question, ...answer.value }, answer.usage);
    return { reply: answer.value, goals: asked.goals };
  };
}

/** The answers of a comparison that has not come to its end, by question. */
function answersKept(events: readonly PlanEvent[]): ReadonlyMap<string, LinkReply> {
  const kept = new Map<string, LinkReply>();
  for (const event of events) {
    if (event.type === 'dependencies_linked') kept.clear();
    if (event.type === 'usage_added' && event.links !== undefined)
      kept.set(event.links.question, event.links);
  }
  return kept;
}

/** The pairs of parts between which a need was found, then those that a wait joins; none where no part needs another. */
function pairsToCompare(
  plan: Plan,
  parts: Parts,
  {
    coarse: { reply, goals },
    waits,
    of,
  }: {
    readonly coarse: Comparison;
    readonly waits: readonly WideWait[];
    /** The pair whose parts these are. */
    readonly of: PartPair | undefined;
  },
): readonly PartPair[] {
  const { needs } = readNeeds(reply, goals);
  const found = [...needs].flatMap(([goal, on]) => Array.from(on, (other): PartPair => [goal, other]));
  if (found.length === 0 && of === undefined) return [];
  const [one, other] = of ?? [];
  const isOf = (part: string, above: string | undefined) =>
    above === undefined || part === above || plan.goals.get(part)?.parent_id === above;
  return [
    ...new Map([...found, ...pairsBehind(parts, waits)].map((pair) => [pairKey(pair), pair])).values(),
  ].filter(([a, b]) => (isOf(a, one) && isOf(b, other)) || (isOf(a, other) && isOf(b, one)));
}

/** One answer of all, and which waits have all their leaves compared in it. */
function together(compared: readonly Comparison[], unasked: number): LinksAnswered {
  const answeredIn = new Map<string, number[]>();
  const members = compared.map(({ goals }) => new Set(goals.values()));
  for (const [index, { reply, goals }] of compared.entries())
    for (const { goal } of reply.needs) {
      const id = goalNamed(goal, goals);
      if (id !== undefined) answeredIn.set(id, [...(answeredIn.get(id) ?? []), index]);
    }
  const covers = ({ waiting, awaited }: WideWait) => {
    // Leaves of one part are mostly compared with the same others.
    const checked = new Map<string, boolean>();
    return waiting.every((leaf) => {
      const indexes = answeredIn.get(leaf) ?? [];
      const key = indexes.join(' ');
      const isCovered =
        checked.get(key) ?? awaited.every((id) => indexes.some((index) => members[index]?.has(id) === true));
      checked.set(key, isCovered);
      return isCovered;
    });
  };
  return {
    answer: {
      kind: 'reply',
      value: {
        needs: compared.flatMap(({ reply }) => reply.needs),
        missing: compared.flatMap(({ reply }) => reply.missing),
      },
      usage: NO_USAGE,
      notes: [],
    },
    goals: new Map(compared.flatMap(({ goals }) => [...goals])),
    covers,
    notices:
      unasked === 0
        ? []
        : [
            `${quantityOf(unasked, 'group')} of parts had too many leaves to compare; waits between them stay`,
          ],
  };
}
