import { PlanError } from '../../kernel/errors.js';
import { sha256 } from '../../kernel/sha256.js';
import type { UserConfig } from '../settings/config.js';
import type { Context } from '../shared/context.js';

/** The prompts that a repository puts in place of the built-in ones. */
export interface ProjectPrompts {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** SHA-256 of all names and texts, in hex: another as soon as anything of them changes. */
  readonly digest: string;
}

/** The prompts in `.plans/prompts/`; null when there are none. @throws PlanError STORAGE_FAILED, INVALID_INPUT for one that is not UTF-8 */
export async function readProjectPrompts(context: Context): Promise<ProjectPrompts | null> {
  const found = (await (await context.documents())?.supplied('prompts')) ?? [];
  if (found.length === 0) return null;
  const files = found.map(({ name, text }) => ({ name, text }));
  const digest = sha256(JSON.stringify(files.map(({ name, text }) => [name, text])));
  return { files, digest };
}

/** Whether the user has trusted just these prompts. */
export function arePromptsTrusted({ digest }: ProjectPrompts, user: UserConfig): boolean {
  return user.trusted_prompts?.includes(digest) === true;
}

/**
 * Refuses to send anything with prompts that the user has not trusted: they can have a model do and tell anything.
 * @throws PlanError UNTRUSTED_PROMPTS naming the command that trusts just these
 */
export function refuseUntrustedPrompts(prompts: ProjectPrompts, user: UserConfig): void {
  if (arePromptsTrusted(prompts, user)) return;
  const names = prompts.files.map(({ name }) => name);
  throw new PlanError(
    'UNTRUSTED_PROMPTS',
    `.plans/prompts brings ${names.length === 1 ? 'a prompt' : `${names.length} prompts`} that you have not trusted (${shownNames(names)}); nothing was sent`,
    {
      hint: {
        commandLine: `Read them, then run \`plan config trust-prompts ${prompts.digest.slice(0, 12)}\`. Every change of them asks again.`,
      },
      details: { files: names, digest: prompts.digest },
    },
  );
}

/** Shows the names of a project's prompts or other files on one line, the first ten of them. */
export function shownNames(names: readonly string[]): string {
  const first = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${first} and ${names.length - 10} more` : first;
}
