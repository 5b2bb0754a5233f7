import {
  isClearClause,
  isFurtherClause,
  slicePhrase,
  trimmedPhrase,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';
import { HIDDEN } from '../../../planning/documents/english/protect.js';

/** A stretch of a goal, which is either named in its sub-goals or not. */
export interface Piece {
  /**
   * `main`: up to the first joint. `list`: behind "including", "such as", a colon, or in brackets. `more`: behind a comma or "and".
   * `sentence`: a later sentence.
   */
  readonly kind: 'main' | 'list' | 'more' | 'sentence';
  /** Without what joins it to what stands before. */
  readonly said: Phrase;
  /** What joins it: ", including", " (". */
  readonly joint: string;
  /** Where it begins in the goal, what joins it included, and where it ends. */
  readonly start: number;
  readonly end: number;
}

const SENTENCE = /(?<![.!?])[.!?]+\s+(?=\S)|(?:(?<!\s)\s+)?[;\n]\s*/g;
const JOINT =
  /(?:,|(?<![\s,]))\s+(?:including|featuring|such as|as well as|e\.g\.|plus)\s+|(?:(?<!\s)\s+)?:\s+|(?<!\s)\s+[–—-]\s+|(?:(?<!\s)\s+)?,\s+(?:(?:and|&|or)\s+)?|(?<!\s)\s+(?:and|&)\s+(?=\S)/gi;
const LISTS = /including|featuring|such as|as well as|e\.g\.|plus|:|[–—-]|\(/i;

/** The pieces of a goal, in order. */
export function piecesOf(goal: Phrase): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let joint = '';
  for (const match of [...goal.mask.matchAll(SENTENCE), undefined]) {
    const end = match?.index ?? goal.text.length;
    const start = from - joint.length;
    if (pieces.length === 0) for (const piece of piecesOfSentence(goal, end)) pieces.push(piece);
    else pieces.push({ kind: 'sentence', said: plainSentence(goal, from, end), joint, start, end });
    joint = match?.[0] ?? '';
    from = end + joint.length;
  }
  return pieces.filter(({ said }) => said.text !== '');
}

function plainSentence(goal: Phrase, from: number, end: number): Phrase {
  const said = slicePhrase(goal, from, end);
  return slicePhrase(said, /^[-*•]\s+/.exec(said.mask)?.[0].length ?? 0);
}

interface Joint {
  readonly at: number;
  readonly end: number;
  readonly joint: string;
}

function piecesOfSentence(goal: Phrase, length: number): readonly Piece[] {
  const first = { text: goal.text.slice(0, length), mask: goal.mask.slice(0, length) };
  const brackets = bracketsOf(first);
  const joints = Array.from(first.mask.matchAll(JOINT), ({ index, 0: joint }) => ({
    at: index,
    end: index + joint.length,
    joint,
  }));
  const pieces: Piece[] = [];
  let open: { kind: Piece['kind']; joint: Joint } = { kind: 'main', joint: { at: 0, end: 0, joint: '' } };
  const close = (end: number): void => {
    const { kind, joint } = open;
    pieces.push({ kind, said: slicePhrase(first, joint.end, end), joint: joint.joint, start: joint.at, end });
  };
  for (const joint of joints) {
    const rest = trimmedPhrase(slicePhrase(first, joint.end));
    const kind = LISTS.test(joint.joint) ? 'list' : 'more';
    const before = slicePhrase(first, open.joint.end, joint.at);
    if (kind === 'more' && !opensPiece(joint, before, rest, open.kind)) continue;
    close(joint.at);
    open = { kind, joint };
  }
  close(length);
  return [...pieces, ...brackets];
}

/** Whether a comma or "and" ends a piece: "and" between two things does not, and a list goes on until a clause. */
function opensPiece({ joint }: Joint, before: Phrase, rest: Phrase, open: Piece['kind']): boolean {
  const isClause = isFurtherClause(before, rest);
  if (open === 'main') return joint.includes(',') || isClause;
  return open === 'list' ? isClearClause(rest) : isClause;
}

function bracketsOf({ text, mask }: Phrase): readonly Piece[] {
  return Array.from(text.matchAll(/(?<!\s)\s+\(([^()]+)\)/g))
    .filter(({ index, 0: whole }) => mask.charAt(index + whole.length - 1) === HIDDEN)
    .map(({ index, 0: whole, 1: inner = '' }) => ({
      kind: 'list' as const,
      said: { text: inner.trim(), mask: inner.trim() },
      joint: ' (',
      start: index,
      end: index + whole.length,
    }));
}
