import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { openWorkspace } from '../../src/index.js';
import { digestOfFile } from '../../src/features/runs/operations/trust/trusted-files.js';
import { temporaryFolder } from './folders.js';
import { expand, newWorkplace } from './worked-plan.js';

/** A user with a repository, a plan and an agent. */
export interface AgentsPlace {
  readonly folder: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly workspace: ReturnType<typeof openWorkspace>;
  readonly git: (...args: readonly string[]) => string;
  /** Runs a script in the repository, as the user. */
  shell(script: string): void;
  write(path: string, text: string): void;
  /** The user's own config, with the agent `mine`. */
  configure(more?: object, sandbox?: 'none' | 'workspace'): void;
  start: Awaited<ReturnType<typeof newWorkplace>>['start'];
  change: Awaited<ReturnType<typeof newWorkplace>>['change'];
}

/**
 * A user with a repository and a plan of goals 1, 2 …, an agent that is a script, and a check `ok` that is one too.
 * @param script of the agent
 * @param goals their suffixes
 */
export async function newAgentsPlace(script: string, goals: readonly string[] = ['a']): Promise<AgentsPlace> {
  const made = await newWorkplace(realpathSync(temporaryFolder()));
  const { folder, home } = made;
  const variables = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    FRCTL_BY: 'ana',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      env: { ...variables },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const shell = (script: string) =>
    void execFileSync('sh', ['-ec', script], { cwd: folder, env: { ...variables } });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  git('init', '-q', '-b', 'main');
  git('config', '--global', 'user.name', 'Ana');
  git('config', '--global', 'user.email', 'ana@example.org');
  write('src/base.txt', 'base\n');
  write('check.sh', 'test ! -e broken.txt\n');
  write('.gitignore', '.plans\nignored\n');
  git('add', '-A');
  git('commit', '-qm', 'Base');
  const tools = `tools:\n  - name: ok\n    description: checks\n    input_schema: { type: object, properties: {} }\n    effects: none\n    run: { command: [sh, check.sh] }\n`;
  write('.plans/tools.yaml', tools);
  const agentFile = join(home, 'agent.sh');
  writeFileSync(agentFile, `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  chmodSync(agentFile, 0o755);
  await made.change(expand('root', goals));
  const configure = (more: object = {}, sandbox: 'none' | 'workspace' = 'none') => {
    const config = {
      trusted_tools: [{ file: join(folder, '.plans/tools.yaml'), digest: digestOfFile({ text: tools }) }],
      work: { with: 'mine', sandbox, agents: { mine: { command: [agentFile] } }, ...more },
    };
    mkdirSync(join(home, '.config/frctl'), { recursive: true });
    writeFileSync(join(home, '.config/frctl/config.json'), JSON.stringify(config));
  };
  configure();
  const environment = { workingFolder: folder, homeFolder: home, variables };
  const workspace = openWorkspace({ dir: made.store, environment });
  return {
    folder,
    home,
    variables,
    workspace,
    git,
    shell,
    write,
    configure,
    start: (args, variables) => made.start(args, variables),
    change: (...events) => made.change(...events),
  };
}

/** What of a repository agents must leave as it is. */
export function repositoryState({ git, folder }: Pick<AgentsPlace, 'git' | 'folder'>) {
  return {
    config: readFileSync(join(folder, '.git/config'), 'utf8'),
    status: git('status', '--porcelain', '-uall'),
    branch: git('symbolic-ref', 'HEAD'),
    refs: git('for-each-ref', '--format=%(refname)')
      .split('\n')
      .filter((ref) => !ref.startsWith('refs/frctl/kept/')),
    hooks: execFileSync('ls', ['-A', join(folder, '.git/hooks')], { encoding: 'utf8' }),
  };
}
