import type { FeatureCommands } from '../../cli/command-set.js';
import type { teams } from './registry.js';

/** How the results of its operations are shown. */
export const teamCommands: FeatureCommands<typeof teams.operations> = {
  renderers: {
    worker: async () => (await import('./render/worker.js')).worker,
    'store copy': async () => (await import('./render/copy-store.js')).storeCopy,
  },
};
