import type { Toolbox } from '../model/tool.js';
import { neededTools } from '../model/tools/needed-tools.js';
import { withBuiltins } from '../model/builtins.js';
import type { LocksOfRun } from '../model/lock-tools.js';
import type { Context } from '../../../operations/shared/context.js';
import { RUNS, TOOLBOX } from '../parts.js';
import type { ToolsOfRun, ToolsWanted } from './tools-wanted.js';

/**
 * Opens the tools of a run: those that the program has brought, else those of the tools file, which the user must have
 * trusted; and those that need no binding.
 * @throws PlanError E_TOOL_UNTRUSTED, FILE_NOT_FOUND, INVALID_INPUT
 */
export async function openTools(context: Context, wanted: ToolsWanted): Promise<ToolsOfRun> {
  const opened = await openGiven(context, wanted);
  const toolbox = withBuiltins(opened.toolbox, locksOf(context, wanted.run));
  const needed = neededTools(wanted.plan);
  return {
    ...opened,
    toolbox,
    unbound: {
      tools: needed.tools.filter((name) => !toolbox.tools.has(name)),
      conditions: needed.conditions.filter((type) => !toolbox.conditions.has(type)),
    },
  };
}

/** The locks of a run; looked for in the store when they are used. */
function locksOf(context: Context, run: string): LocksOfRun {
  return {
    async take(lock) {
      const holder = await (await context.part(RUNS)).locks.take(lock, run);
      return holder === run ? null : holder;
    },
    giveBack: async (lock) => (await context.part(RUNS)).locks.giveBack(lock, run),
    async holder(lock) {
      const holder = await (await context.part(RUNS)).locks.holder(lock);
      return holder === null ? null : holder === run ? 'self' : { other: holder };
    },
  };
}

async function openGiven(context: Context, wanted: ToolsWanted): Promise<Omit<ToolsOfRun, 'unbound'>> {
  const toolbox = await context.partIfAny(TOOLBOX);
  if (toolbox !== null) {
    const { tools, conditions } = toolbox;
    const bound = { tools: [...tools.keys()], conditions: [...conditions.keys()] };
    return { toolbox, file: null, bound, warnings: [] };
  }
  const { needsNoFile, openToolsFile } = await import('./open-tools-file.js');
  if (wanted.file === undefined && needsNoFile(wanted))
    return { toolbox: emptyToolbox(), file: null, bound: { tools: [], conditions: [] }, warnings: [] };
  return openToolsFile(context, wanted);
}

function emptyToolbox(): Toolbox {
  return {
    tools: new Map(),
    conditions: new Map(),
    endOrphan: async () => undefined,
    close: async () => undefined,
  };
}
