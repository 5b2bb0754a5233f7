/**
 * The strongly connected components of a directed graph (Tarjan, SIAM J. Comput. 1972), without recursion, in
 * time linear in nodes and edges.
 * @param count nodes are 0 to count - 1
 * @param next the nodes that edges of a node lead to
 * @returns for each node the number of its component
 */
export function strongComponents(
  count: number,
  next: (node: number) => readonly number[],
): readonly number[] {
  const component = Array.from({ length: count }, () => -1);
  const index = Array.from({ length: count }, () => -1);
  const low = Array.from({ length: count }, () => 0);
  const open: number[] = [];
  let [counter, components] = [0, 0];
  const enter = (node: number) => {
    index[node] = counter;
    low[node] = counter;
    counter += 1;
    open.push(node);
    return { node, edges: next(node), at: 0 };
  };
  for (let root = 0; root < count; root += 1) {
    if (index[root] !== -1) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const target = top.edges[top.at];
      top.at += 1;
      if (target !== undefined) {
        if (index[target] === -1) path.push(enter(target));
        else if (component[target] === -1) low[node] = Math.min(low[node] ?? 0, index[target] ?? 0);
        continue;
      }
      path.pop();
      const above = path.at(-1)?.node;
      if (above !== undefined) low[above] = Math.min(low[above] ?? 0, low[node] ?? 0);
      if (low[node] !== index[node]) continue;
      for (let member = open.pop(); member !== undefined; member = member === node ? undefined : open.pop())
        component[member] = components;
      components += 1;
    }
  }
  return component;
}
