import { JS, NFA } from 'refa';
import type { CharSet } from 'refa';

/** Larger automata are not looked at; the time goes with the fourth power of this at worst. */
const MOST_STATES = 60;

/**
 * Whether a pattern can match some texts in exponentially many ways: a state of its automaton can be left and reached again
 * along two different ways that read the same text (Weber and Seidl, Theoret. Comput. Sci. 1991). False also where the pattern
 * is too large to tell, and for ways that the automaton does not tell apart, as in `(a|a)*`.
 */
export function isAmbiguous(source: string, flags: string): boolean {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({
    assertions: 'ignore',
    maxNodes: 2000,
  });
  const limit = new NFA.LimitedNodeFactory(MOST_STATES);
  const automaton = NFA.fromRegex(expression, { maxCharacter }, { assertions: 'ignore' }, limit);
  const nodes = [...automaton.nodes()];
  const number = new Map(nodes.map((node, index) => [node, index]));
  const edges = nodes.map(({ out }) =>
    Array.from(out, ([target, characters]) => ({ to: number.get(target) ?? 0, characters })),
  );
  const pairs = pairGraph(edges);
  return nodes.some((_, state) => returnsByTwoWays(state, nodes.length, pairs));
}

type Edges = readonly (readonly { readonly to: number; readonly characters: CharSet }[])[];

/** Which pairs of states two ways can come to from a pair by reading the same character; the pair (a, b) is a × size + b. */
function pairGraph(edges: Edges): (pair: number) => readonly number[] {
  const size = edges.length;
  const known = new Map<number, readonly number[]>();
  return (pair) => {
    const stored = known.get(pair);
    if (stored !== undefined) return stored;
    const next = (edges[Math.floor(pair / size)] ?? []).flatMap((first) =>
      (edges[pair % size] ?? [])
        .filter((second) => !first.characters.isDisjointWith(second.characters))
        .map((second) => first.to * size + second.to),
    );
    known.set(pair, next);
    return next;
  };
}

function returnsByTwoWays(state: number, size: number, next: (pair: number) => readonly number[]): boolean {
  const start = state * size + state;
  const cameFrom = new Map<number, number[]>();
  const reached = new Set([start]);
  for (const pair of reached) {
    for (const target of next(pair)) {
      cameFrom.set(target, [...(cameFrom.get(target) ?? []), pair]);
      reached.add(target);
    }
  }
  const leading = new Set(cameFrom.get(start) ?? []);
  for (const pair of leading) for (const before of cameFrom.get(pair) ?? []) leading.add(before);
  return [...leading].some((pair) => Math.floor(pair / size) !== pair % size);
}
