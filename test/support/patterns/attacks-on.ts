import type { Part } from './parse-pattern.js';
import { parsePattern } from './parse-pattern.js';

/** A text that makes a pattern slow if any does: what leads to a loop, what the loop takes again and again, and what does not fit. */
export interface Attack {
  readonly before: string;
  readonly repeated: string;
  readonly after: string;
}

/** Characters that patterns tell apart, besides those that they name. */
const OTHERS = Array.from(
  'aAzZéÁ0159 \t\n\r\u2028_-.,:;!?"\'`“’(){}[]<>/\\|*#=+&@$%~^中😀\u0301\u0000\u007f',
);
const ENDS = ['', '\u0000', '\n'];
/** What begins a line. */
const LINE_ENDS = ['\n', '\r', '\u2028', ''];

/** How much is tried. */
export interface Variety {
  /** Texts drawn by chance for a part, besides the one that fits most parts. */
  readonly draws: number;
  /** Characters of a loop of which two follow what leads to it. */
  readonly paired: number;
}

/**
 * Returns texts that are derived from a pattern itself: for each loop in it, what fits the loop, what leads to it, and what leads from one
 * loop to the next, repeated; behind what leads to the loop, and before what almost matches. None for a pattern without a loop.
 */
export function attacksOn(pattern: RegExp, { draws, paired }: Variety): readonly Attack[] {
  const whole = parsePattern(pattern.source);
  const loops = loopsIn(whole);
  if (loops.length === 0) return [];
  const draw = drawerFor(pattern, whole, loops);
  const attacks = new Map<string, Attack>();
  const add = (before: string, repeated: string, ends: ReadonlySet<string>) => {
    if (repeated === '') return;
    for (const after of ends)
      attacks.set(JSON.stringify([before, repeated, after]), { before, repeated, after });
  };
  for (const [index, { path, part, rest }] of loops.entries()) {
    for (let by = 0; by <= (pattern.multiline ? LINE_ENDS.length : draws); by += 1) {
      const [before, body] = [draw(path, by), draw([part], by)];
      const misfits = draw.misfits(part);
      const ends = new Set([
        ...ENDS,
        ...misfits,
        ...misfits.map((one) => one + body),
        `${draw(rest, by).slice(0, -1)}\u0001`,
      ]);
      const next = loops[index + 1];
      const between = next === undefined ? '' : draw(next.path.slice(path.length), by);
      const singles = draw.singles(part);
      const few = singles.slice(0, paired);
      const pairs = by > 0 ? [] : few.flatMap((one) => few.map((other) => before + one + other));
      for (const repeated of new Set([body, before, before + body, body + between, ...singles, ...pairs])) {
        add('', repeated, ends);
        add(before, repeated, ends);
      }
    }
  }
  return [...attacks.values()];
}

interface Loop {
  /** What stands before it. */
  readonly path: readonly Part[];
  readonly part: Part;
  /** What stands behind it. */
  readonly rest: readonly Part[];
}

/** The loops of a pattern, in order; one that ends after a set number of rounds is none. */
function loopsIn(whole: Part): readonly Loop[] {
  const loops: Loop[] = [];
  const visit = (part: Part, path: readonly Part[], rest: readonly Part[]): void => {
    if (part.kind === 'sequence')
      part.parts.forEach((each, index) =>
        visit(each, [...path, ...part.parts.slice(0, index)], [...part.parts.slice(index + 1), ...rest]),
      );
    else if (part.kind === 'choice') part.parts.forEach((each) => visit(each, path, rest));
    else if (part.kind === 'group' || part.kind === 'look') visit(part.part, path, rest);
    else if (part.kind === 'repeat') {
      if (part.most === Infinity) loops.push({ path, part: part.part, rest });
      visit(part.part, path, [part, ...rest]);
    }
  };
  visit(whole, [], []);
  return loops;
}

interface Drawer {
  /** A text that parts match: at 0 of characters that fit the most parts, else by chance. */
  (parts: readonly Part[], by: number): string;
  /** Characters that occur in a part, one for each kind that the pattern tells apart. */
  readonly singles: (part: Part) => readonly string[];
  /** Characters of two kinds that do not occur in it. */
  readonly misfits: (part: Part) => readonly string[];
}

function drawerFor(pattern: RegExp, whole: Part, loops: readonly Loop[]): Drawer {
  const atoms = new Set(charactersIn(whole));
  const inLoops = loops.flatMap(({ part }) => charactersIn(part));
  const flags = pattern.flags.replaceAll(/[gymd]/g, '');
  const escapes = pattern.source.matchAll(/\\u\{?([\da-fA-F]{4,6})\}?|\\x([\da-fA-F]{2})/g);
  const named = [
    ...Array.from(pattern.source),
    ...Array.from(escapes, ([, long = '', short = long]) => String.fromCodePoint(Number.parseInt(short, 16))),
  ];
  const fits = new Map([...atoms].map((source) => [source, new RegExp(`^(?:${source})$`, flags)]));
  const kinds = new Map<string, string>();
  for (const character of [...OTHERS, ...named]) {
    const kind = [/\w/, ...fits.values()].map((one) => (one.test(character) ? '1' : '0')).join('');
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  const popularity = (character: string) =>
    inLoops.filter((source) => fits.get(source)?.test(character)).length;
  const ranked = [...kinds.values()]
    .map((character) => ({ character, rank: popularity(character) }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ character }) => character);
  const fitting = new Map(
    [...fits].map(([source, one]) => [source, ranked.filter((character) => one.test(character))]),
  );
  const draw = (parts: readonly Part[], by: number) => {
    const chance = numbersFrom(by);
    const choose = <T>(from: readonly T[]): T | undefined => from[by === 0 ? 0 : chance() % from.length];
    const groups = new Map<string, string>();
    const textOf = (part: Part): string => {
      switch (part.kind) {
        case 'look':
          return '';
        case 'edge':
          return pattern.multiline && part.mark === '^' ? (LINE_ENDS[by % LINE_ENDS.length] ?? '') : '';
        case 'character':
          return choose(fitting.get(part.source) ?? []) ?? '';
        case 'sequence':
          return part.parts.map(textOf).join('');
        case 'choice': {
          if (by === 0) return part.parts.map(textOf).find((text) => text !== '') ?? '';
          const chosen = choose(part.parts);
          return chosen === undefined ? '' : textOf(chosen);
        }
        case 'group': {
          const text = textOf(part.part);
          for (const name of part.names) groups.set(name, text);
          return text;
        }
        case 'back':
          return groups.get(part.name) ?? '';
        case 'repeat': {
          const times = Math.min(part.most, Math.max(part.least, by === 0 ? 1 : chance() % 3));
          return Array.from({ length: times }, () => textOf(part.part)).join('');
        }
      }
    };
    return parts.map(textOf).join('');
  };
  const singles = (part: Part) => {
    const own = new Set(charactersIn(part));
    return ranked.filter((character) => [...own].some((source) => fits.get(source)?.test(character)));
  };
  const misfits = (part: Part) => {
    const own = new Set(singles(part));
    return ranked.filter((character) => !own.has(character)).slice(0, 2);
  };
  return Object.assign(draw, { singles, misfits });
}

function charactersIn(part: Part): readonly string[] {
  if (part.kind === 'character') return [part.source];
  if (part.kind === 'sequence' || part.kind === 'choice') return part.parts.flatMap(charactersIn);
  return 'part' in part ? charactersIn(part.part) : [];
}

/** Numbers that look like chance and are the same each time. */
function numbersFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
