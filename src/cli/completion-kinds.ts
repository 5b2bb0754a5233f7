import type { Feature } from '../feature.js';
import type { ResultOf } from '../operations/registry.js';

type State = ResultOf<'tree'>['goals'][number]['state'];

/** The goals that a command can do something with, by their states; every other command takes any goal. */
export const GOAL_KINDS: Readonly<
  Record<string, { readonly commands: readonly string[]; readonly states: readonly State[] }>
> = {
  'ready-goals': { commands: ['claim'], states: ['ready'] },
  'claimed-goals': { commands: ['release'], states: ['claimed'] },
  'open-goals': { commands: ['complete', 'fail'], states: ['ready', 'waiting', 'claimed'] },
  'ended-goals': { commands: ['reopen'], states: ['done', 'failed'] },
  'held-goals': { commands: ['unhold'], states: ['on_hold'] },
};

/** Returns the kinds of names that a script asks the program for. */
export function nameKinds(features: readonly Feature[]): readonly string[] {
  const others = features.flatMap(({ names = {} }) => Object.keys(names).map((word) => `${word}s`));
  return ['plans', 'goals', ...Object.keys(GOAL_KINDS), ...others, 'schemas', 'settings'];
}
