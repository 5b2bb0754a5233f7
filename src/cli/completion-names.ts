import { legible } from '../kernel/text/legible.js';
import { oneLine } from '../kernel/text/safe-text.js';
import { libraryOf } from '../operations/library.js';
import { createContext } from '../operations/shared/context.js';
import { defaultEnvironment } from '../operations/shared/default-environment.js';

/** What there are names of that are not known beforehand. */
export const NAME_KINDS = ['plans', 'goals', 'rules', 'schemas', 'settings'] as const;

type NameKind = (typeof NAME_KINDS)[number];

/** Which names a placeholder stands for: `<plan>`, `[goal]`, `<goals...>`; `files` for those of the folder. */
export function nameKindOf(flags: string, command = ''): NameKind | 'files' | null {
  const word = /[<[]([a-z-]+)/.exec(flags)?.[1] ?? '';
  if (['file', 'files', 'path', 'action-plan', 'plan-or-file', 'from', 'to'].includes(word)) return 'files';
  if (word === 'plan') return 'plans';
  if (word === 'goal' || word === 'goals' || word === 'others') return 'goals';
  if (word === 'rule') return 'rules';
  if (word === 'name' && command === 'schema') return 'schemas';
  return word === 'name' && command === 'config' ? 'settings' : null;
}

/** Names with what they stand for, a line each with a tab between them; none where there is no store, or it cannot be read. */
export async function namesOf(kind: NameKind): Promise<readonly string[]> {
  const library = libraryOf(createContext({ environment: defaultEnvironment() }));
  try {
    if (kind === 'plans')
      return (await library.list()).plans.map(({ id, description }) => row(id, description));
    if (kind === 'goals')
      return (await library.tree()).goals.map(({ number, description }) =>
        row(number === '' ? 'root' : number, description),
      );
    if (kind === 'schemas') return (await library.schema()).schemas.map((name) => row(name, ''));
    if (kind === 'settings')
      return (await library.config.show()).settings
        .map(({ name }) => name)
        .filter((name) => !name.includes(' '));
    return (await import('../features/actions/operations/lint-rules.js'))
      .lintRules()
      .map(({ rule }) => row(rule, ''));
  } catch {
    return [];
  }
}

function row(name: string, words: string): string {
  return words === '' ? legible(name) : `${legible(name)}\t${oneLine(words)}`;
}
