/**
 * A goal and what it is made of.
 * @typedef {{ description: string, children: TreeNode[] }} TreeNode
 *
 * How to grow a tree, so that two processes can grow the same one.
 * @typedef {{ kind: 'uniform', depth: number, width: number }
 *   | { kind: 'skewed', depth: number, width: number }
 *   | { kind: 'sized', goals: number, width: number }} TreeShape
 */

/** @param {TreeShape} shape @returns {TreeNode} */
export function growTree(shape) {
  let grown = 0;
  const grow = () => {
    grown += 1;
    return { description: descriptionOf(grown), children: [] };
  };
  const root = grow();
  if (shape.kind === 'sized') growLevels(root, shape.width, grow, () => grown < shape.goals);
  else if (shape.kind === 'uniform') growUniform(root, shape.depth, shape.width, grow);
  else growSkewed(root, shape.depth, shape.width, grow);
  return root;
}

/**
 * All goals of a tree, level by level.
 * @param {TreeNode} root
 * @returns {{ node: TreeNode, depth: number }[]}
 */
export function goalsOf(root) {
  const goals = [{ node: root, depth: 0 }];
  // The list grows while it is walked.
  for (const { node, depth } of goals) {
    for (const child of node.children) goals.push({ node: child, depth: depth + 1 });
  }
  return goals;
}

/** Every description is as long as any other, so that prompts differ by what they hold of the plan only. */
function descriptionOf(/** @type {number} */ number) {
  const name = String(number).padStart(6, '0');
  return `Deliver component ${name} of the shop with its tests, its settings and a page of documentation`;
}

/** Every goal above the last level has as many sub-goals as any other. */
function growUniform(
  /** @type {TreeNode} */ node,
  /** @type {number} */ depth,
  /** @type {number} */ width,
  /** @type {() => TreeNode} */ grow,
) {
  if (depth === 0) return;
  node.children = Array.from({ length: width }, grow);
  for (const child of node.children) growUniform(child, depth - 1, width, grow);
}

/** Of each goal's sub-goals only the last has sub-goals of its own. */
function growSkewed(
  /** @type {TreeNode} */ node,
  /** @type {number} */ depth,
  /** @type {number} */ width,
  /** @type {() => TreeNode} */ grow,
) {
  let last = node;
  for (let level = 0; level < depth; level += 1) {
    last.children = Array.from({ length: width }, grow);
    last = last.children.at(-1) ?? last;
  }
}

/** Level by level, until there are enough. */
function growLevels(
  /** @type {TreeNode} */ root,
  /** @type {number} */ width,
  /** @type {() => TreeNode} */ grow,
  /** @type {() => boolean} */ isWanting,
) {
  const queue = [root];
  for (const node of queue) {
    while (isWanting() && node.children.length < width) node.children.push(grow());
    queue.push(...node.children);
  }
}
