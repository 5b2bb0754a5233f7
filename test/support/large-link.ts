import { expansionOf } from './model-server.js';
import type { SeenRequest, TreeNode } from './model-server.js';

export const PARTS = 5;
export const MODULES = 6;
const LEAVES = 6;

/** 180 leaves in 30 modules of 5 parts; part 2 waits for part 1 as a whole, as does the second module of part 3 for the first. */
export const TREE: TreeNode = {
  description: 'Build the works',
  atomic: false,
  children: numbers(PARTS).map((part) => ({
    description: `Part ${part}`,
    atomic: false,
    ...(part === 2 ? { depends_on: [1] } : {}),
    children: numbers(MODULES).map((module) => ({
      description: `Module ${part}-${module}`,
      atomic: false,
      ...(part === 3 && module === 2 ? { depends_on: [1] } : {}),
      children: numbers(LEAVES).map((leaf) => ({
        description: `Piece ${part}-${module}-${leaf}`,
        atomic: true,
      })),
    })),
  })),
};
/** What is true of the pieces: three needs, one of which no wait of a part tells. */
const TRUTH: Readonly<Record<string, readonly string[]>> = {
  '2.1.1': ['1.6.6'],
  '3.2.4': ['3.1.1'],
  '5.6.1': ['4.2.3'],
};
export const DIVIDING = 1 + PARTS + PARTS * MODULES;

const nodes = new Map<string, TreeNode>();
index(TREE);

export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function index(node: TreeNode): void {
  nodes.set(node.description, node);
  for (const child of node.children ?? []) index(child);
}

export const isLink = ({ system }: Pick<SeenRequest, 'system'>) =>
  system.startsWith('You set the order of work');
export const listed = (user: string) => [...user.matchAll(/^([\d.]+) \[/gm)].map(([, number = '']) => number);

/** What an honest reader answers who sees some lines: needs between what stands above the leaves of a need. */
export function honest(user: string) {
  const lines = listed(user);
  const line = (leaf: string) => lines.find((number) => leaf === number || leaf.startsWith(`${number}.`));
  const needs = lines.map((goal) => ({
    goal,
    on: Object.entries(TRUTH)
      .filter(([leaf]) => line(leaf) === goal)
      .flatMap(([, on]) => on.flatMap((each) => line(each) ?? []))
      .filter((on) => on !== goal),
  }));
  const missing = lines.includes('5.6.1') ? [{ what: 'A key to the gate', used_by: ['5.6.1'] }] : [];
  return { needs, missing };
}

export function nodeOf(goal: string): TreeNode {
  return nodes.get(goal) ?? { description: goal, atomic: true };
}

export const WIDE = ['Module 3-2 < Module 3-1', 'Part 2 < Part 1'];
export const LINKED = ['Piece 2-1-1 < Piece 1-6-6', 'Piece 3-2-4 < Piece 3-1-1', 'Piece 5-6-1 < Piece 4-2-3'];

/** Answers whatever is asked about the works: each division, and honestly what needs what. */
export function answerOfWorks(request: SeenRequest): unknown {
  return isLink(request) ? honest(request.user) : expansionOf(nodeOf(request.goal));
}
