import type { FeatureCommands } from '../../cli/command-set.js';
import type { kits } from './registry.js';

/** How the results of its operations are shown. */
export const kitCommands: FeatureCommands<typeof kits.operations> = {
  renderers: {
    'tools add': async () => (await import('./render/tools.js')).toolsAdd,
    'tools list': async () => (await import('./render/tools.js')).toolsList,
  },
};
