import type { FeatureCommands } from '../../cli/command-set.js';
import type { agents } from './registry.js';

/** How the results of its operations are shown. */
export const agentCommands: FeatureCommands<typeof agents.operations> = {
  renderers: {
    'attempts list': async () => (await import('./render/attempts.js')).attemptsList,
    'attempts show': async () => (await import('./render/attempts.js')).attemptsShow,
    'attempts pause': async () => (await import('./render/attempts.js')).attemptsPause,
    'attempts clean': async () => (await import('./render/attempts.js')).attemptsClean,
    'attempts accept': async () => (await import('./render/attempts.js')).attemptsAccept,
    'attempts reject': async () => (await import('./render/attempts.js')).attemptsReject,
    work: async () => (await import('./render/worked.js')).worked,
  },
};
