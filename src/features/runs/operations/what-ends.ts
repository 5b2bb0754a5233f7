import type { PreparedRun } from '../model/prepared-run.js';
import type { Toolbox } from '../model/tool.js';

/** Names what tools keep open from step to step, such as a page, and what is lost with the process of a run. */
export function whatEnds(used: PreparedRun['tools'], { tools }: Toolbox): readonly string[] {
  const names = used.flatMap(({ name, binding: { mcp } }) =>
    typeof mcp === 'string' ? [mcp.replace(/\/.*$/s, '')] : (tools.get(name)?.keeps ?? []),
  );
  return [...new Set(names)];
}
