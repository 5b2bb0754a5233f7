/** Folders by which version control knows a repository. What they hold names programs that run at its next command. */
const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.jj', '.sl', '.svn', '.bzr']);

/**
 * What shells, editors, agents and hooks look for at the top of a project and run, or take commands from. None of them
 * minds an empty folder of the name, so that one can be held in place while a command runs.
 */
const HELD = [
  '.envrc',
  '.direnv',
  '.vscode',
  '.idea',
  '.fleet',
  '.zed',
  '.devcontainer',
  '.husky',
  '.githooks',
  '.lefthook',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.windsurf',
  '.mcp.json',
];

/** The same, of names that some program would stumble over when they are folders. */
const OTHERS: ReadonlySet<string> = new Set([
  ...HELD,
  '.devcontainer.json',
  '.pre-commit-config.yaml',
  '.overcommit.yml',
  '.simple-git-hooks.json',
  'lefthook.yml',
  'lefthook.yaml',
  'lefthook.toml',
  'lefthook.json',
  'lefthook-local.yml',
  '.lefthook.yml',
  '.lintstagedrc',
  '.gitconfig',
  '.mise.toml',
  'mise.toml',
  '.mise',
  '.tool-versions',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.vimrc',
  '.lvimrc',
  '.dir-locals.el',
  '.gdbinit',
  '.lldbinit',
  '.pdbrc',
  '.pryrc',
  '.irbrc',
  '.rprofile',
  '.renviron',
  '.ghci',
  '.ocamlinit',
  '.iex.exs',
  '.aider.conf.yml',
  '.continue',
  '.opencode',
  'opencode.json',
]);

/** What is not there at the top of a workspace and is kept from being made while a command runs in a sandbox. */
export const HELD_NAMES: readonly string[] = ['.git', ...HELD];

/** Whether a name is by which a version control knows a repository; some file systems take both cases for one. */
export function isRepositoryName(name: string): boolean {
  return REPOSITORIES.has(name.toLowerCase());
}

/** Whether a file or folder of this name at the top of a project is run, or says what is run, without being named. */
export function isRunByName(name: string): boolean {
  const plain = name.toLowerCase();
  return OTHERS.has(plain) || plain.endsWith('.code-workspace');
}
