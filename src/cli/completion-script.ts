import type { Feature } from '../feature.js';
import { PRIORITIES } from '../operations/shared/numbered-goals.js';
import { nameKindOf } from './completion-names.js';
import type { CommandDescription, CommandLineMember } from './shared/command-description.js';
import { SHARED_OPTIONS } from './shared/shared-options.js';

interface Completable {
  readonly names: readonly string[];
  readonly summary: string;
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly choices: readonly string[];
    readonly names: string | null;
  }[];
  /** Names that its arguments take. */
  readonly named: readonly string[];
  readonly choices: readonly string[];
}

/**
 * A script that completes commands, options and the values that are known beforehand, for both commands
 * of the package. It is made of what the
 * commands take, so it cannot differ from what the program accepts.
 * @param table every command
 * @param shell `bash`, `zsh` or `fish`; anything else is bash
 * @param names the features that know names, and every kind of names
 */
export function renderCompletionScript(
  shell: string,
  table: readonly CommandDescription[],
  { features, kinds }: { readonly features: readonly Feature[]; readonly kinds: readonly string[] },
): string {
  const commands = table.map((command) => completable(command, features));
  if (shell === 'fish') return fishScript(commands);
  return shell === 'zsh'
    ? `#compdef plan frctl\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands, kinds)}`
    : bashScript(commands, kinds);
}

function completable(
  { name, aliases, summary, arguments: named, options }: CommandDescription,
  features: readonly Feature[],
): Completable {
  return {
    names: [name, ...aliases],
    summary,
    options: [...options, ...SHARED_OPTIONS].map((option) => optionOf(option, features)),
    choices: named.flatMap(({ choices = [] }) => choices),
    named: [...new Set(named.flatMap(({ flags }) => nameKindOf(flags, name, features) ?? []))],
  };
}

function optionOf(
  { flags, description, choices: only }: Pick<CommandLineMember, 'flags' | 'description' | 'choices'>,
  features: readonly Feature[],
) {
  const name = /--[a-z-]+/.exec(flags)?.[0] ?? flags;
  const choices = only ?? (name === '--priority' ? PRIORITIES : []);
  return { name, description, choices, names: choices.length > 0 ? null : nameKindOf(flags, '', features) };
}

function bashScript(commands: readonly Completable[], kinds: readonly string[]): string {
  const names = commands.flatMap((command) => command.names);
  const cases = commands.map(({ names, options, choices, named }) => {
    const flags = options.map(({ name }) => name).join(' ');
    const words = `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`;
    const asked = named.map((kind) => `; _frctl_names ${kind}`).join('');
    // Where nothing else can be given, flags are offered before one is begun.
    const isFlag = choices.length + named.length === 0 ? '*' : '-*';
    return `    ${names.join('|')}) case "$current" in ${isFlag}) COMPREPLY=($(compgen -W '${flags}' -- "$current")) ;; *) ${words}${asked} ;; esac ;;`;
  });
  const taking = kinds.flatMap((kind) => {
    const taken = optionsTaking(commands, kind);
    return taken.length === 0 ? [] : [`    ${taken.join('|')}) _frctl_names ${kind}; return ;;`];
  });
  // An option of one name takes other values in another command.
  const values = commands.flatMap(({ names, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => {
        const words = names.map((command) => `'${command} ${name}'`).join('|');
        return `    ${words}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return ;;`;
      }),
  );
  return `# Completion for plan and frctl.
_frctl_names() {
  local IFS=$'\\n' found
  case "$current" in -*) return ;; esac
  if [ "$1" = files ]; then
    # So that the shell quotes spaces and marks folders.
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current")); return
  fi
  found="$(FRCTL_DIR="$store" FRCTL_PLAN="$meant" "\${ask[@]}" completion "$1" 2>/dev/null | cut -f1)"
  COMPREPLY+=($(compgen -W "$found" -- "$current"))
}
_frctl_plan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" first=1 at
  local store="$FRCTL_DIR" meant="$FRCTL_PLAN" ask=("\${COMP_WORDS[0]}")
  if [ "\${COMP_WORDS[0]##*/}" = frctl ]; then
    if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W 'plan' -- "$current")); return; fi
    first=2; ask+=(plan)
  fi
  # Which store and plan the line names; options may stand before the command.
  for ((at = first; at + 1 < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      --dir) store="\${COMP_WORDS[at+1]}" ;;
      --plan) meant="\${COMP_WORDS[at+1]}" ;;
    esac
  done
  while [ "$first" -lt "$COMP_CWORD" ]; do
    case "\${COMP_WORDS[first]}" in --dir) first=$((first + 2)) ;; -*) first=$((first + 1)) ;; *) break ;; esac
  done
  if [ "$first" -gt "$COMP_CWORD" ]; then _frctl_names files; return; fi
  if [ "$COMP_CWORD" -eq "$first" ]; then
    case "$current" in
      -*) COMPREPLY=($(compgen -W '${SHARED_OPTIONS.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0]).join(' ')} --help --version' -- "$current")) ;;
      *) COMPREPLY=($(compgen -W '${names.join(' ')} help' -- "$current")) ;;
    esac
    return
  fi
  case "\${COMP_WORDS[first]} $previous" in
${values.join('\n')}
  esac
  case "$previous" in
${taking.join('\n')}
  esac
  case "\${COMP_WORDS[first]}" in
    help) COMPREPLY=($(compgen -W '${names.join(' ')} --all --man' -- "$current")) ;;
${cases.join('\n')}
  esac
}
complete -F _frctl_plan plan frctl
`;
}

function fishScript(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ names, summary, options, choices, named }) => {
    const within = `'__fish_seen_subcommand_from ${names.join(' ')}'`;
    return [
      ...names.map(
        (name) =>
          `complete -c $program -n '__fish_use_subcommand; or __fish_seen_subcommand_from plan; and not __fish_seen_subcommand_from ${commands.flatMap((command) => command.names).join(' ')}' -f -a ${name} -d '${escaped(summary)}'`,
      ),
      ...choices.map((choice) => `complete -c $program -n ${within} -f -a ${choice}`),
      ...(named.length > 0 && !named.includes('files') ? [`complete -c $program -n ${within} -f`] : []),
      ...named
        .filter((kind) => kind !== 'files')
        .map((kind) => `complete -c $program -n ${within} -a '(__frctl_names ${kind})'`),
      ...options.map(({ name, description, choices, names: asked }) => {
        const values =
          choices.length > 0
            ? ` -x -a '${choices.join(' ')}'`
            : asked === null
              ? ''
              : asked === 'files'
                ? ' -r'
                : ` -x -a '(__frctl_names ${asked})'`;
        return `complete -c $program -n ${within} -l ${name.slice(2)} -d '${escaped(description)}'${values}`;
      }),
    ];
  });
  return `# Completion for plan and frctl.
function __frctl_names
  # Of the store and the plan that the line names.
  set -l words (commandline -opc)
  set -lx FRCTL_DIR $FRCTL_DIR
  set -lx FRCTL_PLAN $FRCTL_PLAN
  for at in (seq (math (count $words) - 1))
    switch $words[$at]
      case --dir
        set FRCTL_DIR $words[(math $at + 1)]
      case --plan
        set FRCTL_PLAN $words[(math $at + 1)]
    end
  end
  plan completion $argv 2>/dev/null
end
complete -c frctl -n '__fish_use_subcommand' -f -a plan -d 'planning'
for program in plan frctl
${lines.map((line) => `  ${line}`).join('\n')}
end
`;
}

function optionsTaking(commands: readonly Completable[], kind: string): readonly string[] {
  return [
    ...new Set(
      commands.flatMap(({ options }) =>
        options.filter(({ names }) => names === kind).map(({ name }) => name),
      ),
    ),
  ];
}

function escaped(text: string): string {
  return text.replaceAll("'", "\\'");
}
