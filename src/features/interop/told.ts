import { isSameJson } from '../../kernel/json/same-json.js';
import { legibleJson, printable } from '../../kernel/text/safe-text.js';
import { matterKey } from '../../plan/decisions.js';
import { rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { missingResults } from '../../plan/readiness/missing-results.js';
import type { Decision, Goal } from '../../plan/schema.js';

/** A decision that holds for a task; who makes one that is open, by the name that the tool has for it. */
export interface ToldDecision {
  readonly what: string;
  readonly choice: string | null;
  readonly decidedBy?: string;
  readonly confirmed?: true;
}

/** What whoever works on a task is told beside its text: what was decided, and what it uses and no task makes. */
export interface Told {
  readonly decisions: readonly ToldDecision[];
  /** Those for the whole plan, where no task stands for it: the first task tells them. */
  readonly whole: readonly ToldDecision[];
  readonly missing: readonly string[];
}

/** A text, and what it tells between the marks of frctl. */
export interface ToldText {
  readonly text: string;
  readonly told: Told;
  /** The places of the lines that were read as that, from 0. */
  readonly lines: ReadonlySet<number>;
}

const NOTHING: Told = { decisions: [], whole: [], missing: [] };

const [BEGIN, END] = ['<!-- frctl: decided -->', '<!-- frctl: end -->'];
/** The headings of the lists, by what they tell. */
const HEADINGS = new Map<string, keyof Told>([
  ['**Decided:**', 'decisions'],
  ['**Decided for the whole plan:**', 'whole'],
  ['**Used, and made by nobody yet:**', 'missing'],
]);
const CHOSEN = ' [chosen while planning]';

/**
 * Returns what tells for each goal of a plan what is to be told of it.
 * @param tasks the goals that are tasks of the tool, in order
 * @param nameOf what the tool calls a goal, if anything, where another names it
 */
export function tellerOf(
  plan: Plan,
  tasks: readonly Goal[],
  nameOf: (id: string, from: Goal) => string | undefined,
): (goal: Goal) => Told {
  const results = missingResults(plan);
  const root = rootOf(plan);
  const first = tasks.includes(root) ? undefined : tasks[0];
  const toldFrom = (goal: Goal, decisions: readonly Decision[] = []) =>
    decisions.map(({ what, choice, decided_by, confirmed }): ToldDecision => {
      const decidedBy = choice === null && decided_by !== undefined ? nameOf(decided_by, goal) : undefined;
      return {
        what,
        choice,
        ...(decidedBy === undefined ? {} : { decidedBy }),
        ...(confirmed === true ? { confirmed } : {}),
      };
    });
  return (goal) => ({
    decisions: toldFrom(goal, goal.decisions),
    whole: goal === first ? toldFrom(goal, root.decisions) : [],
    missing: results.flatMap(({ what, used_by }) => (used_by.includes(goal.id) ? what : [])),
  });
}

/** Whether something is to be told of a goal. */
export function isTold({ decisions, whole, missing }: Told): boolean {
  return decisions.length + whole.length + missing.length > 0;
}

/** Puts what is to be told below a text, between marks by which it is known again. */
export function withTold(text: string, told: Told): string {
  // A text that looks like it already would be read so.
  if (!isTold(told) && readTold(text).lines.size === 0) return text;
  const lists = Array.from(HEADINGS, ([heading, name]) => {
    const items = told[name].map((each) => `- ${typeof each === 'string' ? word(each) : inLine(each)}`);
    return items.length === 0 ? '' : `${heading}\n\n${items.join('\n')}`;
  });
  const block = [BEGIN, lists.filter((list) => list !== '').join('\n\n'), END].filter((part) => part !== '');
  return [...(text === '' ? [] : [text, '']), ...block].join('\n');
}

function inLine({ what, choice, decidedBy, confirmed }: ToldDecision): string {
  const by = decidedBy === undefined ? '' : `, decided in ${word(decidedBy)}`;
  const said = choice === null ? `(open${by})` : word(choice);
  return `${word(what)}: ${said}${confirmed === true ? '' : CHOSEN}`;
}

/** Returns a text that tells something else than it did, and is otherwise as it was. */
export function retold(text: string, told: Told): string {
  const was = readTold(text);
  return isSameJson(was.told, told) ? text : withTold(was.text, told);
}

/** Takes what is told out of a text; a line between the marks that tells nothing stays text, as does all that is outside. */
export function readTold(text: string): ToldText {
  const all = text.split('\n');
  const said = all.map((line) => line.trimEnd());
  const begin = said.lastIndexOf(BEGIN);
  const end = said.indexOf(END, begin);
  if (begin < 0 || end < 0) return { text, told: NOTHING, lines: new Set() };
  const found = { decisions: new Map<string, ToldDecision>(), whole: new Map<string, ToldDecision>() };
  const missing = new Set<string>();
  const lines = new Set([begin, end]);
  let list: keyof Told = 'decisions';
  for (const [index, line] of said.slice(0, end).entries()) {
    if (index <= begin) continue;
    const item = line.startsWith('- ') ? line.slice(2) : null;
    const heading = HEADINGS.get(line);
    if (heading !== undefined) list = heading;
    else if (item === null) {
      if (line !== '') continue;
    } else if (list === 'missing') {
      const result = readWord(item);
      if (result === null) continue;
      missing.add(result);
    } else {
      const decision = readDecision(item);
      if (decision === null || found[list].has(matterKey(decision.what))) continue;
      found[list].set(matterKey(decision.what), decision);
    }
    lines.add(index);
  }
  const above = all.slice(0, begin).join('\n').trimEnd();
  const rest = all.filter((_line, index) => index > begin && !lines.has(index)).join('\n');
  return {
    text: [above, rest.replace(/^(?:[ \t]*\n)+/, '')].filter((part) => part.trim() !== '').join('\n\n'),
    told: {
      decisions: [...found.decisions.values()],
      whole: [...found.whole.values()],
      missing: [...missing],
    },
    lines,
  };
}

function readDecision(item: string): ToldDecision | null {
  const isChosen = item.endsWith(CHOSEN);
  const said = isChosen ? item.slice(0, -CHOSEN.length) : item;
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(said)?.[0];
  const colon = said.indexOf(': ', quoted?.length ?? 0);
  const what = colon < 0 ? null : readWord(said.slice(0, colon));
  const choice = said.slice(colon + 2);
  if (what === null) return null;
  const about = { what, ...(isChosen ? {} : { confirmed: true as const }) };
  if (choice === '(open)') return { ...about, choice: null };
  const by = /^\(open, decided in (.+)\)$/.exec(choice)?.[1];
  const decidedBy = by === undefined ? null : readWord(by);
  if (decidedBy !== null) return { ...about, choice: null, decidedBy };
  const chosen = readWord(choice);
  return chosen === null ? null : { ...about, choice: chosen };
}

/** A text in a line: as it is, or as JSON where it would be read as something else. */
function word(text: string): string {
  return isPlain(text) ? text : legibleJson(JSON.stringify(text));
}

function isPlain(text: string): boolean {
  const isLine = text === printable(text).trim() && !/[\n\r]/.test(text);
  return isLine && /^[\p{L}\p{N}#@./]/u.test(text) && !text.includes(': ') && !/[:\]]$/.test(text);
}

/** The text that a word stands for; null for what nothing writes so. */
function readWord(said: string): string | null {
  if (!said.startsWith('"')) return said.trim() === '' ? null : said;
  try {
    const text: unknown = JSON.parse(said);
    return typeof text === 'string' && text !== '' ? text : null;
  } catch {
    return null;
  }
}
