import { GOAL_KINDS } from './completion-kinds.js';
import { legible } from '../kernel/text/legible.js';
import type { Feature, NameRow } from '../feature.js';
import { oneLine } from '../kernel/text/safe-text.js';
import { libraryOf } from '../operations/library.js';
import { OPERATIONS } from '../operations/registry.js';
import { createContext } from '../operations/shared/context.js';
import type { Context } from '../operations/shared/context.js';
import { defaultEnvironment } from '../operations/shared/default-environment.js';

/** Which names a placeholder stands for: `<plan>`, `[goal]`, `<goals...>`; `files` for those of the folder. */
export function nameKindOf(flags: string, command: string, features: readonly Feature[]): string | null {
  const word = /[<[]([a-z-]+)/.exec(flags)?.[1] ?? '';
  if (['file', 'files', 'path', 'action-plan', 'plan-or-file', 'from', 'to'].includes(word)) return 'files';
  if (word === 'plan') return 'plans';
  if (word === 'goal' || word === 'goals' || word === 'others')
    return Object.entries(GOAL_KINDS).find(([, { commands }]) => commands.includes(command))?.[0] ?? 'goals';
  if (word === 'name' && command === 'schema') return 'schemas';
  if (word === 'name' && command === 'config') return 'settings';
  const kind = `${word}s`;
  return namesOfFeatures(features).has(kind) ? kind : null;
}

/** Names with what they stand for, a line each with a tab between them; none where there is no store, or it cannot be read. */
export async function namesOf(kind: string, features: readonly Feature[]): Promise<readonly string[]> {
  const context = createContext({ environment: defaultEnvironment(), features });
  const library = libraryOf(context, OPERATIONS);
  try {
    if (kind === 'plans')
      return (await library.list()).plans.map(({ id, description }) => row(id, description));
    const { states } = GOAL_KINDS[kind] ?? {};
    if (kind === 'goals' || states !== undefined)
      return (await library.tree()).goals
        .filter(({ state }) => states?.includes(state) !== false)
        .map(({ number, description }) => row(number === '' ? 'root' : number, description));
    if (kind === 'schemas') return (await library.schema()).schemas.map((name) => row(name, ''));
    if (kind === 'settings')
      return (await library.config.show()).settings
        .map(({ name }) => name)
        .filter((name) => !name.includes(' '));
    const found = await namesOfFeatures(features).get(kind)?.(context);
    return (found ?? []).map(([name, words]) => row(name, words));
  } catch {
    return [];
  }
}

function row(name: string, words: string): string {
  return words === '' ? legible(name) : `${legible(name)}\t${oneLine(words)}`;
}

/** The names that features know, by kind: of `rule`, `rules`. */
function namesOfFeatures(
  features: readonly Feature[],
): ReadonlyMap<string, (context: Context) => Promise<readonly NameRow[]>> {
  return new Map(
    features.flatMap(({ names = {} }) =>
      Object.entries(names).map(([word, load]) => [`${word}s`, load] as const),
    ),
  );
}
