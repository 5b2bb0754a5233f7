import type { DirectedGraph } from 'graphology';

/**
 * The strongly connected components of a graph (Tarjan, SIAM J. Comput. 1972), in time linear in nodes and edges. Without
 * recursion, as the package of graphology has it: a long chain would exhaust the stack.
 * @returns for each node the number of its component
 */
export function strongComponents(graph: DirectedGraph): ReadonlyMap<string, number> {
  const component = new Map<string, number>();
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  let components = 0;
  const enter = (node: string) => {
    low.set(node, index.size);
    index.set(node, index.size);
    open.push(node);
    return { node, neighbors: graph.outNeighbors(node), at: 0 };
  };
  const lower = (node: string, to: number | undefined) =>
    low.set(node, Math.min(low.get(node) ?? 0, to ?? 0));
  for (const root of graph.nodes()) {
    if (index.has(root)) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const target = top.neighbors[top.at];
      top.at += 1;
      if (target !== undefined) {
        if (!index.has(target)) path.push(enter(target));
        else if (!component.has(target)) lower(node, index.get(target));
        continue;
      }
      path.pop();
      const above = path.at(-1)?.node;
      if (above !== undefined) lower(above, low.get(node));
      if (low.get(node) !== index.get(node)) continue;
      for (let member = open.pop(); member !== undefined; member = member === node ? undefined : open.pop())
        component.set(member, components);
      components += 1;
    }
  }
  return component;
}
