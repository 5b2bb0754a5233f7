import type { Feature } from '../../feature.js';

/** Plans over MCP. */
export const mcp: Feature = { name: 'mcp' };
