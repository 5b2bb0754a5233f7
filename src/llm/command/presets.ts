/** What is before the name of a command in the name of a model: `exec:claude`. */
const PREFIX = 'exec:';

/** No tools, no MCP servers but those named beside it, which are none, and nothing kept of the session. */
const CLAUDE_ALONE = ['--tools', '', '--strict-mcp-config', '--no-session-persistence'];

/**
 * Whatever asks first is refused, for nobody is there; no extensions, and no MCP servers but one of a name that none has.
 * There is no option against reading, nor against its session.
 */
const GEMINI_ALONE = '--approval-mode default --extensions none --allowed-mcp-server-names none'.split(' ');

/**
 * How the coding agents are called that answer one prompt on standard input. What each can leave out is left out: edits
 * in all three, tools and servers as far as it has an option for that, the session where it keeps one.
 */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  claude: ['claude', '-p', '--output-format', 'text', ...CLAUDE_ALONE],
  // Commands can read in its sandbox, and not write or reach the network.
  codex: ['codex', 'exec', '--skip-git-repo-check', '--sandbox', 'read-only', '--ephemeral', '-'],
  gemini: ['gemini', '--output-format', 'text', ...GEMINI_ALONE],
};

/** The name of the user's own command, which `model_command` in his config gives. */
const OWN = 'command';

/** The coding agents that can be called, by the names of their programs. */
export const AGENT_NAMES: readonly string[] = Object.keys(PRESETS);

/** Every name that a command has after the prefix. */
export const COMMAND_NAMES: readonly string[] = [...AGENT_NAMES, OWN];

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
