import { renumberDecisions } from '../../plan/expansion.js';
import type { Expansion, SubGoal } from '../../plan/expansion.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { Warning } from '../../plan/schema.js';

/** Filler is short; what is longer says something. */
const LONGEST = 160;
/** How much of a description a warning quotes. */
const QUOTED = 60;

const SUB_GOALS = String.raw`sub-?(?:goal|task|step)s?`;
const WHOLE =
  'whole |entire |overall |actual |main |given |current |other |remaining |outstanding |rest of the ';
/** The work as such, in words that would fit any goal; a noun among them may also be what the plan is about. */
const WORK = String.raw`(?<work>${[
  'everything(?: else)?',
  'it all',
  'all of (?:it|this|that|the above)',
  '(?:all )?the (?:above|rest)',
  String.raw`(?:all )?(?:of )?(?:the |this |that |your |our )?(?:${WHOLE})*(?:work|${SUB_GOALS})`,
  String.raw`(?:all )?(?:of )?(?:the |this |that |your |our )(?:${WHOLE})*(?:project|plan|goal|task|undertaking)`,
  '(?:all )?(?:the )?(?:other |remaining |outstanding )(?:tasks|steps|goals)',
].join('|')})`;
const VERBS = (
  'plan|plan out|break down|break up|decompose|subdivide|divide|divide up|split|split up|organi[sz]e|outline|' +
  'review|re-?review|check|re-?check|double-?check|go over|evaluate|finali[sz]e|' +
  'do|execute|perform|carry out|complete|finish|finish up|wrap up|accomplish|achieve|implement|' +
  'work on|coordinate|oversee|supervise|manage'
)
  .split('|')
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const ALL_VERBS = String.raw`(?:${VERBS})(?:(?:,| and|, and| then|, then| &| or) (?:${VERBS}))*`;
const SMALL =
  'smaller|small|manageable|atomic|individual|single|clear|concrete|actionable|simple|logical|several';
const PIECES = String.raw`(?:(?:${SMALL}|and|more),? )*(?:tasks|steps|pieces|parts|chunks|units|phases|stages|goals|items|milestones|work packages|${SUB_GOALS})`;
const TAIL = [
  String.raw`into ${PIECES}`,
  '(?:that |which )?(?:is|are|has|have)? ?(?:left|to be done|to do|needed|required|involved|remaining)',
  'that remains?',
  'above',
  'for (?:quality|correctness|completeness|errors|mistakes)(?: (?:and|or) (?:quality|correctness|completeness|errors|mistakes))?',
  'in (?:full|order|sequence|detail|time)',
  'at the end',
  'step by step',
].join('|');
const DONE = '(?:done|complete|completed|finished|in order|ok|okay|fine|good|correct)';
const FILLER: readonly RegExp[] = [
  String.raw`${ALL_VERBS} ${WORK}(?: (?:${TAIL}))*`,
  String.raw`(?:break|split|divide) ${WORK}(?: (?:down|up))?(?: (?:${TAIL}))*`,
  String.raw`(?:make|create|draft|write|write down|develop|prepare|define|devise|formulate|produce|come up with|set up) (?:a |an |the )?(?:(?:detailed|overall|high-level|general|initial|clear|comprehensive|step-by-step|project|work|action|execution|implementation|task) )*(?<plan>plan)(?: (?:for|of) ${WORK})?`,
  String.raw`(?:identify|define|list|determine|enumerate|specify|create|write down) (?:all )?(?:the )?(?:(?:required|necessary|needed|individual|main|various) )*${SUB_GOALS}(?: (?:${TAIL}))*(?: (?:for|of) ${WORK})?`,
  String.raw`(?:make sure|ensure|verify|check|confirm)(?: that)? ${WORK} (?:is|are|was|were|has been|have been) ${DONE}`,
  String.raw`(?:understand|analy[sz]e|think about|think through) (?:the|this) (?<task>goal|task)`,
].map((pattern) => new RegExp(`^(?:${pattern})$`));
/** What may be in any of them and changes nothing. */
const ASIDE =
  /\b(?:please|carefully|thoroughly|properly|fully|completely|again|once more|first|then|finally|now|together|as needed|if necessary|as a whole)\b/g;
/** Words for the work that may as well be the subject of a plan: a planner of weddings, a tracker of tasks. */
const SUBJECT = /work|project|plan|goal|task|undertaking|step/g;

/**
 * Whether a sub-goal manages the work instead of doing a part of it: a verb such as `plan`, `review` or `complete`, with
 * nothing but the work itself for its object ("Plan the work", "Break the task down into smaller steps", "Review
 * everything"). Whatever names more is none ("Review pull request 12"), nor is what speaks of a thing that a goal above
 * or beside it is about ("Review the plan" after "Write a business plan"). English only; in doubt it is none.
 * @param others descriptions of goals above and beside it
 */
export function isFiller(description: string, others: readonly string[]): boolean {
  const text = oneLine(description.slice(0, 2 * LONGEST))
    .normalize('NFKC')
    .toLowerCase();
  if (text.length > LONGEST) return false;
  const plain = text
    .replaceAll(/["'“”‘’«»*_`]/g, '')
    .replace(/^(?:\d+[.)]|[-•]) /, '')
    .replaceAll(ASIDE, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ,/g, ',')
    .replace(/^[\s,]+/, '')
    .replace(/(?<![\s,.!:;…])[\s,.!:;…]+$/, '');
  return FILLER.some((pattern) => {
    const groups = pattern.exec(plain)?.groups;
    if (groups === undefined) return false;
    const { work = '', plan = '', task = '' } = groups;
    const subjects = `${work} ${plan} ${task}`.match(SUBJECT) ?? [];
    return !subjects.some((noun) => others.some((goal) => isAbout(goal, noun)));
  });
}

/** Whether a goal is about such a thing; `work` is a verb more often than not. */
function isAbout(goal: string, noun: string): boolean {
  const before = noun === 'work' ? '(?:the|of|their|its|his|her|paid) ' : '';
  return new RegExp(String.raw`\b${before}${noun}(?:s|ner|ning)?\b`, 'i').test(goal);
}

/** An expansion of which sub-goals were left out. */
export interface ReducedExpansion extends Expansion {
  /** Their numbers in the reply, from 1 and in order. */
  readonly dropped?: readonly number[];
}

/** The number in the reply that a sub-goal had before others were left out; so too of one that there is not. */
export function numberBefore(dropped: readonly number[], number: number): number {
  return dropped.reduce((before, one) => (one <= before ? before + 1 : before), number);
}

/**
 * The expansion without the sub-goals that manage the work instead of doing it. What depended on one of them depends
 * on what that depended on. Only for what a model proposes: the words of a person are not judged.
 * @param above descriptions of the goal and of those above it
 */
export function withoutFillerGoals(
  expansion: Expansion,
  above: readonly string[],
): { readonly expansion: ReducedExpansion; readonly warnings: readonly Pick<Warning, 'code' | 'message'>[] } {
  const { sub_goals } = expansion;
  const suspects = sub_goals.filter(({ description }) => isFiller(description, above));
  // Of those beside it what comes after the verb: “Plan the party” is about no plan.
  const beside = sub_goals
    .filter((subGoal) => !suspects.includes(subGoal))
    .map(({ description }) => description.trim().replace(/^\S+/, ''));
  const dropped = new Set(
    suspects
      .filter(({ description }) => isFiller(description, beside))
      .map((subGoal) => sub_goals.indexOf(subGoal) + 1),
  );
  if (dropped.size === 0) return { expansion, warnings: [] };
  return {
    expansion: {
      ...expansion,
      ...renumberDecisions(expansion.decisions, (number) =>
        dropped.has(number) ? null : numberWithout(dropped, number),
      ),
      sub_goals: withoutNumbers(sub_goals, dropped),
      dropped: [...dropped].toSorted((a, b) => a - b),
    },
    warnings: [...dropped].map((number) => ({
      code: 'filler',
      message: `sub-goal ${number} (“${wordsOf(sub_goals[number - 1])}”) says nothing of the work and was dropped`,
    })),
  };
}

function withoutNumbers(subGoals: readonly SubGoal[], dropped: ReadonlySet<number>): readonly SubGoal[] {
  return subGoals.flatMap((subGoal, index) => {
    if (dropped.has(index + 1)) return [];
    const kept = subGoal.depends_on.filter((number) => !dropped.has(number));
    const behind = numbersBehind(subGoals, subGoal.depends_on, dropped).filter(
      (number) => number !== index + 1,
    );
    return {
      ...subGoal,
      depends_on: [...new Set([...kept, ...behind])].map((number) => numberWithout(dropped, number)),
    };
  });
}

function numberWithout(dropped: ReadonlySet<number>, number: number): number {
  return number - [...dropped].filter((one) => one < number).length;
}

/** What the dropped ones among some numbers depended on, through any number of dropped ones. */
function numbersBehind(
  subGoals: readonly SubGoal[],
  numbers: readonly number[],
  dropped: ReadonlySet<number>,
): readonly number[] {
  const gone = new Set(numbers.filter((number) => dropped.has(number)));
  // The set grows while it is walked.
  for (const number of gone)
    for (const each of subGoals[number - 1]?.depends_on ?? []) if (dropped.has(each)) gone.add(each);
  const behind = [...gone].flatMap((number) => subGoals[number - 1]?.depends_on ?? []);
  return behind.filter((number) => !dropped.has(number));
}

function wordsOf(subGoal: SubGoal | undefined): string {
  return truncate(oneLine(subGoal?.description ?? ''), QUOTED);
}
