import type { Feature } from '../../feature.js';

/** Planning without a model. */
export const rules: Feature = {
  name: 'rules',
  expander: async () => (await import('./rules-expander.js')).makeRulesExpander,
};
