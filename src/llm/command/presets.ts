/** What is before the name of a command in the name of a model: `exec:claude`. */
const PREFIX = 'exec:';

/** How the coding agents are called that answer one prompt on standard input: no session, no tools, no edits. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  claude: ['claude', '-p', '--output-format', 'text'],
  codex: ['codex', 'exec', '--skip-git-repo-check', '--sandbox', 'read-only', '-'],
  gemini: ['gemini', '--output-format', 'text'],
};

/** The name of the user's own command, which `model_command` in his config gives. */
const OWN = 'command';

/** Every name that a command has after the prefix. */
export const COMMAND_NAMES: readonly string[] = [...Object.keys(PRESETS), OWN];

/** Whether a model is a command of this machine, a preset such as `exec:claude` or the user's own. */
export function isCommandModel(model: string | undefined): model is `exec:${string}` {
  return model?.startsWith(PREFIX) === true;
}

/**
 * The argument vector of a model that is a command, from the presets or the user's config; undefined where there
 * is none of that name.
 * @param own what the user's config has as `model_command`
 */
export function commandOf(model: string, own: readonly string[] | undefined): readonly string[] | undefined {
  const name = model.slice(PREFIX.length);
  return name === OWN ? own : Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
}
