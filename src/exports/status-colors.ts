import type { GoalStatus } from '../plan/schema.js';

/** The colours of a goal's box in a drawing, dark text on a light fill, by its status. */
export const STATUS_COLORS: Readonly<Record<GoalStatus, { readonly fill: string; readonly line: string }>> = {
  pending: { fill: '#f6f8fa', line: '#8c959f' },
  decomposing: { fill: '#ddf4ff', line: '#0969da' },
  atomic: { fill: '#fff8c5', line: '#9a6700' },
  complete: { fill: '#dafbe1', line: '#1a7f37' },
  failed: { fill: '#ffebe9', line: '#cf222e' },
};
