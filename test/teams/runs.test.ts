import { expect, test } from 'vitest';

import { runNow } from '../../src/features/runs/operations/run-state.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { createMemoryRunStore } from '../../src/features/runs/storage/memory-run-store.js';
import { createMemoryStore } from '../../src/storage/memory/memory-store.js';
import { RUN_TEAM, RUNS } from '../../src/features/runs/parts.js';
import type { RunTeam as SharedRuns } from '../../src/features/runs/parts.js';
import { partOpener } from '../../src/operations/shared/parts.js';
import { openWorkspace } from '../../src/workspace.js';
import { agree } from '../support/approving.js';
import { newUser } from '../support/command.js';
import type { Running } from '../support/command.js';
import { newDatabase } from '../support/postgres.js';
import { newRunTeam, seen, step } from '../support/run-team.js';
import type { RunTeam } from '../support/run-team.js';
import { preparedWith, startedWith } from '../support/runs.js';
import { newStamp } from '../support/stores.js';
import { databaseUser } from '../support/worker-processes.js';

/** Processes take long to start on a busy machine. */
const LONGEST_MS = 180_000;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Kills the process that carries a run out, and waits until it is another. */
async function killExecutor(team: RunTeam, run: string): Promise<void> {
  const { executor } = await team.until(run, ({ status }) => status === 'running');
  const { pid } = executor as { pid: number };
  process.kill(pid, 'SIGKILL');
}

test(
  'workers that are killed in the middle of steps are followed by others: nothing that acts once is done twice, and nothing is lost',
  async () => {
    const team = await newRunTeam(await newDatabase());
    const run = await team.prepare([
      step('a', 'once'),
      step('b', 'again'),
      step('c', 'once', seen('c')),
      step('d', 'once'),
      step('e', 'again'),
    ]);
    expect(await team.command(['run', run, '--workers'])).toMatchObject({
      status: 'prepared',
      workers: true,
    });
    const workers = [team.worker(), team.worker()];
    team.release('a');
    for (const [id, calls] of [
      ['b', 2],
      ['c', 1],
    ] as const) {
      await until(() => team.effects().includes(id));
      await killExecutor(team, run);
      workers.push(team.worker());
      if (calls > 1) await until(() => team.effects().filter((one) => one === id).length === calls);
      team.release(id);
    }
    // Nobody knows whether this one took effect.
    await until(() => team.effects().includes('d'));
    await killExecutor(team, run);
    workers.push(team.worker(undefined, []));
    const waiting = await team.until(run, ({ status }) => status === 'waiting');
    expect(waiting).toMatchObject({ workers: true, unknown: [{ step: 'd', effects: 'once' }] });
    const { next } = await team.command(['runs', 'settle', run, 'd', '--as', 'done']);
    expect(next).toBe('plan worker');
    team.release('e');
    await team.until(run, ({ status }) => status === 'succeeded');
    expect(team.effects()).toEqual(['a', 'b', 'b', 'c', 'd', 'e']);
  },
  LONGEST_MS,
);

/** What a process says on standard error, as it says it. */
function saidBy({ process: child }: Running): () => string {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return () => said;
}

test(
  'a worker that trusts no tools here, and one that is elsewhere, say why and leave a run to one that may',
  async () => {
    const team = await newRunTeam(await newDatabase());
    const run = await team.prepare([step('a', 'once')]);
    const left = await team.prepare([step('b', 'once')]);
    team.release('all');
    const told = await team.user.run(['run', run, '--workers'], team.environment);
    expect(told.out).toMatch(/They carry it out: +plan worker +in \//);
    const stranger = saidBy(team.worker(newUser(team.user.folder), []));
    const elsewhere = saidBy(team.worker(databaseUser(), []));
    const why = `This worker leaves ${run} to others:`;
    await until(() => stranger().includes(why) && elsewhere().includes(why));
    expect((await team.command(['runs', 'show', run])).next).toContainEqual(
      expect.objectContaining({ command: 'plan worker' }),
    );
    expect(team.effects()).toEqual([]);
    const { error, status } = await team.worker().ended;
    expect({ error, status }).toMatchObject({
      status: 0,
      error: expect.stringContaining(`${run}: succeeded`),
    });
    expect(stranger()).toContain('plan tools trust');
    expect(elsewhere()).toContain(`${why} it was prepared for ${team.user.folder}`);
    expect(elsewhere()).toContain(
      `\`plan worker\` carries it out when it is started in ${team.user.folder}.`,
    );
    expect([stranger(), elsewhere()].map((said) => said.split(why).length)).toEqual([2, 2]);
    // Nobody carries out what was not left to workers.
    expect(team.effects()).toEqual(['a']);
    expect(await team.command(['runs', 'show', left])).toMatchObject({ status: 'prepared', workers: false });
  },
  LONGEST_MS,
);

test(
  'a run is paused and aborted from elsewhere, and another worker goes on with one whose worker was stopped',
  async () => {
    const team = await newRunTeam(await newDatabase());
    const run = await team.prepare(['a', 'b', 'c', 'd'].map((id) => step(id, 'once')));
    await team.command(['run', run, '--workers']);
    const first = team.worker(undefined, []);
    await until(() => team.effects().includes('a'));
    expect(await team.command(['run', run, '--workers'])).toMatchObject({ status: 'running', workers: true });
    await team.command(['runs', 'pause', run]);
    team.release('a');
    const paused = await team.until(run, ({ status }) => status !== 'running');
    expect(paused).toMatchObject({ status: 'interrupted', workers: false, counts: { succeeded: 1 } });
    await team.command(['runs', 'pause', run], 4);
    await team.command(['run', run, '--workers']);
    await until(() => team.effects().includes('b'));
    first.process.kill('SIGINT');
    team.release('b');
    await first.ended;
    const second = team.worker();
    await until(() => team.effects().includes('c'));
    expect(await team.command(['abort', run])).toMatchObject({ status: 'aborted', unknown: ['c'] });
    expect(await second.ended).toMatchObject({ status: 0 });
    expect(team.effects()).toEqual(['a', 'b', 'c']);
  },
  LONGEST_MS,
);

test('a run that ended while somebody looked whether its executor lives did not lose it', async () => {
  const runs = createMemoryRunStore(newStamp(), new Map());
  const log = await runs.create(preparedWith({ expires_at: '2999-01-01T00:00:00Z' }));
  await log.append([startedWith()]);
  const before = log.run;
  // Its last events come between the reading of the log and the look at its lock.
  const executor = before.executor?.id ?? '';
  const isHeld = async () => {
    await log.append([{ type: 'run_interrupted', because: 'signal', executor }]);
    return false;
  };
  const parts = [
    partOpener({ part: RUNS, store: null, open: async () => runs }),
    partOpener({ part: RUN_TEAM, store: null, open: async () => ({ isHeld }) as unknown as SharedRuns }),
  ];
  const context = createContext({
    features: [{ parts }],
    environment: defaultEnvironment(),
    store: (stamp) => createMemoryStore(stamp, new Map()),
  });
  const now = await runNow(before, context);
  expect(now).toMatchObject({ status: 'interrupted', run: { interrupted: 'signal', running: false } });
});

test(
  'who approves a step of a run that is left to workers is told that they go on with it',
  async () => {
    const team = await newRunTeam(await newDatabase());
    await team.prepare([step('a', 'once', { requires_approval: true })]);
    const prepared = await team.command(['prepare', 'p1.json']);
    const run = String(prepared.run);
    const workspace = openWorkspace({
      environment: {
        ...defaultEnvironment(),
        workingFolder: team.user.folder,
        homeFolder: team.user.home,
        variables: { ...team.environment, HOME: team.user.home },
      },
    });
    await agree(workspace, (prepared.approval as { code: string }).code);
    await team.command(['run', run, '--workers']);
    const said = saidBy(team.worker(undefined, []));
    await until(() => said().includes('plan approve '));
    const shown = await team.until(run, ({ status }) => status === 'waiting');
    expect(JSON.stringify(shown.next)).toContain('with the code that the worker printed');
    const [, code = ''] = /plan approve (\w+)/.exec(said()) ?? [];
    const looked = await team.user.run(['approve', code, '--dry-run'], team.environment);
    expect(looked.out).toContain('Then: workers go on with it');
    expect(looked.out).not.toContain('plan run');
    team.release('all');
    expect(await agree(workspace, code)).toMatchObject({ workers: true, commit_command: `plan run ${run}` });
    await team.until(run, ({ status }) => status === 'succeeded');
  },
  LONGEST_MS,
);
