import { PlanError } from '../../../kernel/errors.js';
import { findHelper } from '../../../host/processes/find-helper.js';
import { realFolder } from '../../../host/files/folders.js';
import type { RunContext } from '../../../operations/operation.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { cleanerOf } from './clean.js';
import { gitIn, gitPaths, refuseOldGit } from './git.js';
import { agentNamed } from './presets.js';
import { commandOf, refuseMissingSandbox } from './run-agent.js';
import { toolsOfChecks } from './run-checks.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import { REVIEWS } from './work.js';
import type { Work } from './work.js';

/** What a command says of how agents work. */
export interface WorkOptions {
  readonly with?: string | undefined;
  readonly base?: string | undefined;
  readonly review?: Work['review'] | undefined;
  readonly tries?: number | undefined;
  readonly timeoutMs: number;
}

const TRIES = 3;
const HEADS = 'refs/heads/';

/**
 * Opens all that attempts at the goals of a plan need, and refuses what could not end well; nothing is started.
 * @throws PlanError UNTRUSTED_COMMAND, REFUSED, INVALID_INPUT, E_SANDBOX_MISSING, E_TOOL_UNTRUSTED, STORAGE_FAILED
 */
export async function openWork(
  context: RunContext,
  log: PlanLog,
  options: WorkOptions,
): Promise<Omit<Work, 'drop' | 'told' | 'turns' | 'dollarsLeft'>> {
  const { environment } = context;
  const { variables } = environment;
  const [{ work: project = {} }, { work: own = {} }] = await Promise.all([
    context.projectConfig(),
    context.userConfig(),
  ]);
  const agent = agentNamed(options.with ?? own.with, own.agents);
  const folder = realFolder(context.projectFolder() ?? environment.workingFolder);
  if (findHelper('git', { variables, folder }) === null)
    throw new PlanError('REFUSED', 'there is no git on the PATH');
  const top = await topOf(folder, variables);
  const git = gitIn(top, variables);
  await refuseOldGit(git);
  const branch = await branchOf(git, options.base);
  const [objects = ''] = await gitPaths(git, top, ['objects']);
  const isSandboxed = own.sandbox !== 'none';
  commandOf(agent, { variables, folder: top });
  await refuseMissingSandbox(isSandboxed, { variables, folder: top });
  const checks = [...new Set([...(project.checks ?? []), ...(own.checks ?? [])])];
  const setup = project.setup ?? own.setup;
  const ofGoals = [...log.plan.goals.values()].flatMap((goal) =>
    goal.status === 'atomic' ? (goal.checks ?? []) : [],
  );
  const names = [
    ...new Set([...checks, ...(setup === undefined ? [] : [setup]), ...ofGoals.map(({ tool }) => tool)]),
  ];
  return {
    context,
    log,
    root: stateFolder(environment),
    git,
    top,
    branch,
    objects,
    agent,
    clean: cleanerOf(agent, variables),
    checkTools: await toolsOfChecks(context, names, isSandboxed),
    projectChecks: checks.map((tool) => ({ tool, args: {} })),
    setup,
    protect: [...(project.protect ?? []), ...(own.protect ?? [])],
    copy: own.copy?.[top] ?? [],
    review: stricter(options.review ?? own.review ?? 'needed', project.review),
    tries: options.tries ?? TRIES,
    timeoutMs: options.timeoutMs,
    isSandboxed,
    identity: await identityOf(git),
    variables,
  };
}

async function topOf(folder: string, variables: Work['variables']): Promise<string> {
  const git = gitIn(folder, variables);
  const top = await git.tried(['rev-parse', '--show-toplevel']);
  if (top !== null) return realFolder(top.trim());
  if ((await git.tried(['rev-parse', '--is-bare-repository']))?.trim() === 'true')
    throw new PlanError('REFUSED', `${folder} is in a bare git repository, where no files are checked out`, {
      hint: { commandLine: 'Run it in a clone or a worktree of it.' },
    });
  throw new PlanError('REFUSED', `${folder} is not in a git repository, which agents need`, {
    hint: { commandLine: 'Run `git init`, commit what there is, and try again.' },
  });
}

async function branchOf(git: Work['git'], base: string | undefined): Promise<string> {
  // Not its short name, which is another where a tag has the same.
  const head = base ?? (await git.tried(['symbolic-ref', '-q', 'HEAD']))?.trim();
  const branch = base ?? (head?.startsWith(HEADS) === true ? head.slice(HEADS.length) : undefined);
  const isThere =
    branch !== undefined &&
    !branch.startsWith('-') &&
    // Just this name: `main~1` is a commit, and no branch that anything lands on.
    (await git.tried(['show-ref', '--verify', '--quiet', HEADS + branch])) !== null &&
    (await git.tried(['rev-parse', '--verify', '-q', `${HEADS}${branch}^{commit}`])) !== null;
  if (branch !== undefined && isThere) return branch;
  const what =
    base === undefined
      ? 'no branch with a commit is checked out'
      : `there is no branch ${JSON.stringify(base)}`;
  throw new PlanError('REFUSED', what, {
    hint: { commandLine: 'Check a branch out, name one with --base, or make it (`git branch NAME COMMIT`).' },
  });
}

/** Returns settings by which git names the user, as it knows him here. @throws PlanError REFUSED */
async function identityOf(git: Work['git']): Promise<readonly string[]> {
  const settings: string[] = [];
  for (const role of ['author', 'committer']) {
    const ident = await git.tried(['var', `GIT_${role.toUpperCase()}_IDENT`]);
    const [, name, email] = /^(.*) <([^<>]*)> \d+ [-+]\d+$/.exec(ident?.trim() ?? '') ?? [];
    if (name === undefined || email === undefined)
      throw new PlanError('REFUSED', 'git does not know who you are', {
        hint: {
          commandLine: 'Run `git config --global user.name …` and `git config --global user.email …`.',
        },
      });
    // A clone knows nothing of the repository's own settings.
    settings.push('-c', `${role}.name=${name}`, '-c', `${role}.email=${email}`);
  }
  return settings;
}

function stricter(one: Work['review'], other: Work['review'] | undefined): Work['review'] {
  return other === undefined || REVIEWS.indexOf(one) > REVIEWS.indexOf(other) ? one : other;
}
