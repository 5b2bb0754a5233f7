// Scores the order of a finished plan against a graph of what its leaves need, without a judge.

/**
 * @typedef {{id: string, number: string, waits: ReadonlySet<string>}} Leaf what a leaf waits for, directly and through others, by number
 * @typedef {{leaves: number, needs: number, missing: string[], inverted: string[], waits: number, needless: number, chain: number, canStart: number}} Score
 */

/**
 * Returns the leaves of an exported plan in the order of the tree, with the leaves that each waits for directly: its own dependencies and
 * those of the goals above it, of a divided goal all leaves below it.
 * @param {any} plan
 * @returns {Map<string, Set<string>>} by number
 */
export function waitsOf(plan) {
  /** @type {Map<string, string>} */
  const numbers = new Map();
  const number = (/** @type {string} */ id, /** @type {string} */ own) => {
    numbers.set(id, own);
    for (const [index, child] of plan.goals[id].child_ids.entries())
      number(child, own === '' ? String(index + 1) : `${own}.${index + 1}`);
  };
  number(plan.root_goal_id, '');
  const leavesBelow = (/** @type {string} */ id) => {
    const { child_ids } = plan.goals[id];
    return child_ids.length === 0 ? [numbers.get(id) ?? ''] : child_ids.flatMap(leavesBelow);
  };
  /** @type {Map<string, Set<string>>} */
  const waits = new Map();
  for (const [id, own] of numbers) {
    if (plan.goals[id].child_ids.length > 0) continue;
    const direct = new Set();
    for (let at = id; at !== null; at = plan.goals[at].parent_id)
      for (const dependency of plan.goals[at].dependencies)
        for (const leaf of leavesBelow(dependency)) direct.add(leaf);
    waits.set(own, direct);
  }
  return waits;
}

/**
 * Returns how an order agrees with what is needed. A need is missing where no chain of waits leads to it, inverted where one leads back;
 * a wait is needless where no chain of needs leads along it.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} waits of each leaf
 * @param {Readonly<Record<string, readonly string[]>>} needs of each leaf
 * @returns {Score}
 */
export function scoreOrder(waits, needs) {
  const all = closureOf(waits);
  const needed = closureOf(new Map([...waits.keys()].map((leaf) => [leaf, new Set(needs[leaf] ?? [])])));
  const missing = [];
  const inverted = [];
  for (const [leaf, others] of Object.entries(needs))
    for (const other of others) {
      if (!all.get(leaf)?.has(other)) missing.push(`${leaf} after ${other}`);
      if (all.get(other)?.has(leaf)) inverted.push(`${leaf} after ${other}`);
    }
  const pairs = [...all].flatMap(([leaf, others]) => [...others].map((other) => [leaf, other]));
  return {
    leaves: waits.size,
    needs: Object.values(needs).flat().length,
    missing,
    inverted,
    waits: pairs.length,
    needless: pairs.filter(([leaf = '', other = '']) => !needed.get(leaf)?.has(other)).length,
    chain: longestChain(all),
    canStart: [...all.values()].filter((others) => others.size === 0).length,
  };
}

/**
 * Returns how many facts a text tells: those of which one sentence has all words.
 * @param {string} text
 * @param {readonly {words: readonly string[]}[]} facts
 */
export function scoreFacts(text, facts) {
  const sentences = text.toLowerCase().split(/(?<=[.;!?])\s|\\?\n/);
  return facts.filter(({ words }) =>
    sentences.some((sentence) => words.every((word) => sentence.includes(word))),
  ).length;
}

/** @param {ReadonlyMap<string, ReadonlySet<string>>} direct @returns {Map<string, Set<string>>} */
function closureOf(direct) {
  /** @type {Map<string, Set<string>>} */
  const closure = new Map();
  for (const leaf of direct.keys()) {
    const seen = new Set();
    const left = [...(direct.get(leaf) ?? [])];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      left.push(...(direct.get(next) ?? []));
    }
    closure.set(leaf, seen);
  }
  return closure;
}

/** @param {ReadonlyMap<string, ReadonlySet<string>>} closure without cycles */
function longestChain(closure) {
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const [leaf, others] of [...closure].toSorted(([, a], [, b]) => a.size - b.size))
    lengths.set(leaf, 1 + Math.max(0, ...[...others].map((other) => lengths.get(other) ?? 0)));
  return Math.max(0, ...lengths.values());
}
