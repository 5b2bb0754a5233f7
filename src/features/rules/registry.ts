import type { Feature } from '../../feature.js';

/** Planning without a model. */
export const rules = { name: 'rules' } as const satisfies Feature;
