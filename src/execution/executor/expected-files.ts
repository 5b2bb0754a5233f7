import type { JsonObject } from '../../kernel/json/json-value.js';
import { isJsonObject } from '../../kernel/json/json-value.js';
import type { RunLog } from '../run-log.js';
import type { FileState, Tool, Toolbox } from '../tool.js';

/** The files that calls will overwrite, as they were when the run was prepared. */
export interface ExpectedFiles {
  /**
   * How the files of a call must still be. What the run itself has written is as it has left it, and what was not
   * known when it was prepared is as it is.
   */
  of(tool: Tool, args: JsonObject): Promise<readonly FileState[]>;
}

/** Holds files that a run overwrites against what they were. */
export function expectedFiles(log: RunLog, toolbox: Toolbox): ExpectedFiles {
  const prepared = new Map(log.run.prepared.inputs.map(({ path, sha256 }) => [path, sha256]));
  let written: Promise<Set<string>> | null = null;
  return {
    async of(tool, args) {
      if (prepared.size === 0 || tool.inputs === undefined) return [];
      const own = await (written ??= writtenBefore(log, toolbox));
      const paths = (await tool.inputs(args)).map(({ path }) => path);
      const expected = paths.flatMap((path) => {
        const sha256 = prepared.get(path);
        return sha256 === undefined || own.has(path) ? [] : [{ path, sha256 }];
      });
      for (const path of paths) own.add(path);
      return expected;
    },
  };
}

/** What calls of executors before this one may have written. */
async function writtenBefore(log: RunLog, toolbox: Toolbox): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const event of await log.events()) {
    if (event.type !== 'attempt_started') continue;
    const tool = toolbox.tools.get(event.tool);
    const args = event.args ?? (event.args_file === undefined ? {} : await log.read(event.args_file));
    if (tool?.inputs === undefined || !isJsonObject(args)) continue;
    for (const { path } of await tool.inputs(args)) paths.add(path);
  }
  return paths;
}
