import type { ToolWorld } from '../../src/features/mcp/tool.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import type { Environment } from '../../src/operations/shared/environment.js';
import { libraryOf } from '../../src/operations/library.js';
import { OPERATIONS } from '../../src/operations/registry.js';

/** What a tool of the MCP server is called with, in this process. @param background takes work that goes on after the call */
export function toolWorld(
  environment: Partial<Environment>,
  background: ToolWorld['background'] = () => undefined,
): ToolWorld {
  const context = createContext({
    features: FEATURES,
    environment: { ...defaultEnvironment(), ...environment },
  });
  return {
    library: libraryOf(context, OPERATIONS),
    context: { ...context, emit: () => undefined },
    signal: new AbortController().signal,
    background,
    failures: new Map(),
    ending: {},
    progress: async () => undefined,
  };
}
