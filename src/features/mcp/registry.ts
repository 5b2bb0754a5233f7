import type { Feature } from '../../feature.js';

/** Plans over MCP. */
export const mcp = { name: 'mcp' } as const satisfies Feature;
