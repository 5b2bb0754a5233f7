import { clauseWords } from '../clauses/clause-words.js';
import { amendStep, fillSteps, type RuleStep } from '../fill-steps.js';
import { effectiveMethods, type Method } from '../methods.js';
import type { Phrase } from '../../../planning/documents/english/phrase.js';
import { readSlots, type SlotReading } from '../read-slots.js';
import { splitRequest } from './split-request.js';

/** A clause of a request that could not be read. */
export interface RequestProblem {
  /** Its number among the clauses, from 1. */
  readonly number: number;
  readonly clause: string;
  readonly message: string;
}

/** What a browser request says: its steps, in order, and every clause that could not be read. */
export interface RequestReading {
  readonly steps: readonly RuleStep[];
  readonly problems: readonly RequestProblem[];
}

/** A longer text is no request. */
const MAX_LENGTH = 20_000;

/**
 * Reads a browser request such as `open https://example.com, then type "rust" into search and press enter`, clause by
 * clause, by the methods whose setting is a browser. Deterministic. Nothing is guessed and nothing left out: a clause
 * that no method reads as a whole is a problem.
 */
export function readRequest(text: string, methods: readonly Method[]): RequestReading {
  if (text.length > MAX_LENGTH) return onlyProblem(text, `it is longer than ${MAX_LENGTH} characters`);
  const known = effectiveMethods(methods).filter(({ setting }) => setting === 'browser');
  const clauses = splitRequest(text, known);
  if (clauses.length === 0) return onlyProblem(text, 'it is empty');
  const steps: RuleStep[] = [];
  const problems: RequestProblem[] = [];
  for (const [index, clause] of clauses.entries()) {
    const problem = readClause(clause, known, steps);
    if (problem !== null) problems.push({ number: index + 1, clause: clause.text, message: problem });
  }
  return { steps, problems };
}

/** Whether a text is a browser request beyond doubt: a clause of it opens a web address. */
export function opensAddress(text: string, methods: readonly Method[]): boolean {
  if (text.length > MAX_LENGTH || !/\p{L}\.\p{L}|:\/\/|localhost/u.test(text)) return false;
  const known = effectiveMethods(methods).filter(({ setting }) => setting === 'browser');
  return splitRequest(text, known).some((clause) =>
    readings(clause, known).some(
      ({ method, reading }) =>
        reading.kind === 'read' &&
        Object.entries(method.slots).some(([slot, { as }]) => as === 'url' && reading.slots.has(slot)),
    ),
  );
}

interface MethodReading {
  readonly method: Method;
  readonly reading: NonNullable<SlotReading>;
}

/** Adds the steps of a clause to `steps`, or says what is wrong with it. */
function readClause(clause: Phrase, methods: readonly Method[], steps: RuleStep[]): string | null {
  const all = readings(clause, methods);
  const read = all.flatMap(({ method, reading }) =>
    reading.kind === 'read' ? [{ method, slots: reading.slots }] : [],
  );
  const [best] = read;
  if (best === undefined) return whyUnread(all);
  const { method, slots } = best;
  const { amends } = method;
  if (amends === undefined) {
    const added = fillSteps(method, slots, steps.length);
    for (const step of added) steps.push({ ...step, detail: clause.text });
    return null;
  }
  const last = steps.at(-1);
  if (last === undefined || (amends.tool !== undefined && amends.tool !== last.tool))
    return `it must follow ${amends.tool === undefined ? 'a step' : `a step of ${amends.tool}`}`;
  const amended = amendStep(last, amends, method, slots);
  steps.splice(-1, 1, { ...amended, detail: `${last.detail ?? ''}; ${clause.text}` });
  return null;
}

/** What the methods that fit best have against a clause. */
function whyUnread(all: readonly MethodReading[]): string {
  const most = all[0]?.reading.score;
  const messages = all.flatMap(({ reading }) =>
    reading.kind === 'problem' && reading.score === most ? [reading.message] : [],
  );
  return messages.length === 0 ? 'no method of the browser fits it' : [...new Set(messages)].join('; or ');
}

/** What every method that fits makes of a clause: longer verbs and patterns first, then by name. */
function readings(clause: Phrase, methods: readonly Method[]): readonly MethodReading[] {
  const words = clauseWords(clause);
  return methods
    .flatMap((method) => {
      const reading = readSlots(clause, words, method);
      return reading === null ? [] : [{ method, reading }];
    })
    .toSorted(
      (first, second) =>
        second.reading.score - first.reading.score ||
        Number(first.method.builtIn) - Number(second.method.builtIn) ||
        (first.method.name < second.method.name ? -1 : 1),
    );
}

function onlyProblem(text: string, message: string): RequestReading {
  return { steps: [], problems: [{ number: 1, clause: text.slice(0, 200), message }] };
}
