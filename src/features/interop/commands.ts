import type { FeatureCommands } from '../../cli/command-set.js';
import type { interop } from './registry.js';

/** How the results of its operations are shown. */
export const interopCommands: FeatureCommands<typeof interop.operations> = {
  renderers: {
    sync: async () => (await import('./render/sync.js')).sync,
    migrate: async () => (await import('./render/migrate.js')).migrate,
  },
};
