import type { FeatureCommands } from '../../cli/command-set.js';
import type { runs } from './registry.js';

/** How the results of its operations are shown. */
export const runCommands: FeatureCommands<typeof runs.operations> = {
  renderers: {
    prepare: async () => (await import('./render/prepared.js')).prepared,
    approve: async () => (await import('./render/approval.js')).approve,
    run: async () => (await import('./render/carried-out.js')).carriedOut,
    'runs list': async () => (await import('./render/runs.js')).runsList,
    'runs show': async () => (await import('./render/run-shown.js')).runShown,
    'runs log': async () => (await import('./render/runs.js')).runsLog,
    'runs settle': async () => (await import('./render/runs.js')).runsSettle,
    'runs pause': async () => (await import('./render/runs.js')).runsPause,
    'runs signal': async () => (await import('./render/runs.js')).runsSignal,
    'runs prune': async () => (await import('./render/runs.js')).runsPrune,
    abort: async () => (await import('./render/runs.js')).aborted,
    'tools trust': async () => (await import('./render/tools.js')).toolsTrust,
    'config trust-approvers': async () => (await import('./render/approvers.js')).configTrustApprovers,
  },
};
