import { contentStemsOrWords } from '../kernel/text/content-stems.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';
import { depthFirst } from '../plan/tree.js';
import type { NumberedGoal } from '../plan/tree.js';
import type { DocumentLine } from './documents/document-lines.js';

/** A line of the document with the goal that is nearest to it. */
export interface CoveredLine extends DocumentLine {
  readonly covered: boolean;
  /** Share of the line's words, rare ones weighing more, that the goal has; from 0 to 1. */
  readonly score: number;
  readonly goal: string | null;
  readonly number: string | null;
  readonly description: string | null;
}

/** A goal that no line asked for, with the line that is nearest to it. */
export interface UnaskedGoal {
  readonly goal: string;
  readonly number: string;
  readonly description: string;
  /** Goals below it, for which the same holds. */
  readonly below: number;
  /** Share of the goal's words that the line has; from 0 to 1. */
  readonly score: number;
  readonly line: number | null;
  readonly text: string | null;
}

export interface DocumentCoverage {
  /** Every line that needs a goal, in order. */
  readonly lines: readonly CoveredLine[];
  readonly unasked: readonly UnaskedGoal[];
}

/** Shares from which a goal covers a line: by words alone, and where the goal was made from that very place. */
const ENOUGH = 0.6;
const ENOUGH_IN_PLACE = 0.4;
/** Share of a goal's words from which a line asks for it. */
const ENOUGH_ASKED = 0.6;
const LONGEST_ROW = 600;

/**
 * Compares a document with a plan. List items, table rows and paragraphs need a goal whose description, or a part of
 * whose detail, has their words; where the goal was made from that place of the file, fewer will do. So a line is found
 * again wherever it has moved to. A goal is asked for when a line, a heading included, has its words, or when that holds for a
 * goal below it, or for one above it and it was not made from a line of its own. The root is always asked for.
 * @param leftOut stretches that are context or out of scope: no goal need cover them
 */
export function coverDocument(
  plan: Plan,
  lines: readonly DocumentLine[],
  file: string,
  leftOut: readonly { readonly start_line: number; readonly end_line: number }[] = [],
): DocumentCoverage {
  const goals = [...depthFirst(plan)];
  const texts = goals.flatMap((numbered) => textsOf(numbered));
  const goalIndex = indexOf(texts);
  const covered = lines
    .filter((line) => line.kind !== 'heading' && !leftOut.some((part) => isWithin(line, part)))
    .map((line) => coverLine(line, goalIndex, isSameFile(file)));
  const asked = new Set(covered.flatMap(({ covered, goal }) => (covered && goal !== null ? [goal] : [])));
  return { lines: covered, unasked: unaskedGoals(goals, asked, lines) };
}

function isWithin(
  { line, end_line }: DocumentLine,
  part: { readonly start_line: number; readonly end_line: number },
): boolean {
  return line >= part.start_line && end_line <= part.end_line;
}

interface Text<T> {
  readonly owner: T;
  readonly stems: ReadonlySet<string>;
}

/** Texts by the stems that they hold, and what each stem weighs. */
interface Index<T> {
  readonly byStem: ReadonlyMap<string, readonly Text<T>[]>;
  readonly weigh: (stem: string) => number;
}

function indexOf<T>(texts: readonly Text<T>[]): Index<T> {
  const byStem = new Map<string, Text<T>[]>();
  for (const text of texts) {
    for (const stem of text.stems) byStem.set(stem, [...(byStem.get(stem) ?? []), text]);
  }
  const count = Math.max(1, texts.length);
  return { byStem, weigh: (stem) => Math.log(2 + count / (byStem.get(stem)?.length ?? 1)) };
}

/** For every text that shares a word with `wanted`, the share of it that the text has. */
function sharesIn<T>(wanted: readonly string[], { byStem, weigh }: Index<T>): ReadonlyMap<Text<T>, number> {
  const stems = [...new Set(wanted)];
  const whole = stems.reduce((sum, stem) => sum + weigh(stem), 0);
  const shares = new Map<Text<T>, number>();
  for (const stem of stems) {
    for (const text of byStem.get(stem) ?? [])
      shares.set(text, (shares.get(text) ?? 0) + weigh(stem) / whole);
  }
  return shares;
}

function textsOf(numbered: NumberedGoal): readonly Text<NumberedGoal>[] {
  const { description, detail = '', acceptance = [], tags = [] } = numbered.goal;
  // A row of a table was told apart into all of these.
  const whole = [description, ...tags, ...acceptance, detail].join(' ');
  const parts = [
    description,
    ...(whole.length > LONGEST_ROW || whole.trim() === description ? [] : [whole]),
    ...acceptance,
    ...detail.split(/\r\n?|\n/),
    ...detail.split(/(?:\r\n?|\n){2,}/),
  ];
  const stems = parts.map((part) => new Set(contentStemsOrWords(part))).filter(({ size }) => size > 0);
  return stems.map((each) => ({ owner: numbered, stems: each }));
}

function coverLine(
  line: DocumentLine,
  index: Index<NumberedGoal>,
  isHere: (source: Goal['source']) => boolean,
): CoveredLine {
  const best = { score: 0, inPlace: false, owner: null as NumberedGoal | null };
  for (const [{ owner }, share] of sharesIn(contentStemsOrWords(line.text), index)) {
    const score = Math.min(1, Math.round(share * 1000) / 1000);
    const inPlace = isHere(owner.goal.source) && overlaps(line, owner.goal.source);
    if (isNearer({ score, inPlace, owner }, best)) Object.assign(best, { score, inPlace, owner });
  }
  const { owner, score, inPlace } = best;
  return {
    ...line,
    covered: score >= (inPlace ? ENOUGH_IN_PLACE : ENOUGH),
    score,
    goal: owner?.goal.id ?? null,
    number: owner?.number ?? null,
    description: owner?.goal.description ?? null,
  };
}

interface Candidate {
  readonly score: number;
  readonly inPlace: boolean;
  readonly owner: NumberedGoal | null;
}

// What has as many of the words is nearer where it was made from that place, and the deeper it is in the tree.
function isNearer(one: Candidate, than: Candidate): boolean {
  if (one.score !== than.score) return one.score > than.score;
  if (one.inPlace !== than.inPlace) return one.inPlace;
  return (one.owner?.goal.depth ?? 0) > (than.owner?.goal.depth ?? 0);
}

function overlaps({ line, end_line }: DocumentLine, source: Goal['source']): boolean {
  return source !== undefined && source.start_line <= end_line && source.end_line >= line;
}

function isSameFile(file: string): (source: Goal['source']) => boolean {
  return (source) => source?.file === file;
}

function unaskedGoals(
  goals: readonly NumberedGoal[],
  covering: ReadonlySet<string>,
  lines: readonly DocumentLine[],
): readonly UnaskedGoal[] {
  const index = indexOf(
    lines.map((line) => ({ owner: line, stems: new Set(contentStemsOrWords(line.text)) })),
  );
  const nearest = new Map(goals.map(({ goal }) => [goal.id, nearestLine(goal, index)]));
  const asked = new Set(
    goals
      .filter(({ goal }) => covering.has(goal.id) || (nearest.get(goal.id)?.score ?? 0) >= ENOUGH_ASKED)
      .map(({ goal }) => goal.id),
  );
  const below = new Map<string, { asked: boolean; size: number }>();
  for (const { goal } of goals.toReversed()) {
    const parts = goal.child_ids.flatMap((id) => below.get(id) ?? []);
    below.set(goal.id, {
      asked: asked.has(goal.id) || parts.some((part) => part.asked),
      size: parts.reduce((sum, part) => sum + part.size + 1, 0),
    });
  }
  // What planning put below a goal that was asked for is asked for with it; a goal made from a line of its own is not.
  const covered = new Set<string>();
  const reported = new Set<string>();
  const found: UnaskedGoal[] = [];
  for (const { goal, number } of goals) {
    const { parent_id } = goal;
    if (parent_id === null) continue;
    if (reported.has(parent_id)) {
      reported.add(goal.id);
      continue;
    }
    const own = asked.has(goal.id) || (goal.source === undefined && covered.has(parent_id));
    const under = below.get(goal.id);
    if (own) covered.add(goal.id);
    if (own || under?.asked === true) continue;
    reported.add(goal.id);
    const near = nearest.get(goal.id);
    found.push({
      goal: goal.id,
      number,
      description: goal.description,
      below: under?.size ?? 0,
      score: near?.score ?? 0,
      line: near?.line?.line ?? null,
      text: near?.line?.text ?? null,
    });
  }
  return found;
}

function nearestLine(goal: Goal, index: Index<DocumentLine>) {
  let [score, line]: [number, DocumentLine | null] = [0, null];
  for (const [{ owner }, share] of sharesIn(contentStemsOrWords(goal.description), index)) {
    if (share > score) [score, line] = [Math.min(1, Math.round(share * 1000) / 1000), owner];
  }
  return { score, line };
}
