import type { FeatureCommands } from '../../cli/command-set.js';
import type { actions } from './registry.js';

/** How the results of its operations are shown. */
export const actionCommands: FeatureCommands<typeof actions.operations> = {
  renderers: {
    draft: async () => (await import('./render/draft.js')).draft,
    preview: async () => (await import('./render/preview.js')).preview,
    lint: async () => (await import('./render/lint.js')).lint,
    convert: async () => (await import('./render/convert.js')).convert,
    hash: async () => (await import('./render/hash.js')).hash,
  },
};
