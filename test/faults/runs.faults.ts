import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { definitionDigest } from '../../src/features/runs/model/tools/definition-digest.js';
import { openToolbox } from '../../src/features/runs/runners/toolbox.js';
import { readToolsFile } from '../../src/features/actions/tools/read-tools-file.js';
import { temporaryFolder } from '../support/folders.js';
import { preparedWith } from '../support/runs.js';
import { runWorker } from './support/processes.js';
import type { WorkerOptions } from './support/processes.js';
import { scale } from './support/scale.js';
import { CAN_TRACE } from './support/strace.js';

const KILLS = scale(200, 2);
/** An effect comes so much later than its request, at the most; what settles is looked at after this. */
const LATE_MS = 25;
const SETTLE_MS = 120;

/** A server that does what it is told, a little later, whoever hears of it. @param onOrder called as soon as it is told */
async function startLedger(onOrder: () => void = () => undefined) {
  const effects: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url?.startsWith('/has/') === true) {
        response.end(JSON.stringify({ there: effects.includes(request.url.slice('/has/'.length)) }));
        return;
      }
      const { id } = JSON.parse(body) as { id: string };
      onOrder();
      setTimeout(() => {
        effects.push(id);
        setTimeout(() => response.end(JSON.stringify({ done: id })), Math.random() * LATE_MS);
      }, Math.random() * LATE_MS);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { effects, url: `http://127.0.0.1:${port}` };
}

const toolsOf = (url: string) =>
  JSON.stringify({
    tools: ['send', 'ask', 'put']
      .map((name) => ({
        name,
        effects: name === 'put' ? 'idempotent' : 'once',
        run: {
          http: {
            method: 'POST',
            url: `${url}/do`,
            body: '${args}',
            key_header: 'Idempotency-Key',
            settle_ms: SETTLE_MS,
          },
        },
      }))
      .concat([
        { name: 'has', effects: 'none', run: { http: { method: 'GET', url: `${url}/has/\${id}` } } } as never,
      ]),
    checks: {
      done: {
        tool: 'has',
        args: { id: '${args.id}' },
        expect: { type: 'string', pattern: '"there":true' },
      },
    },
  });

/** Steps: some that can be looked at, some that must be asked about, some that can be done again. */
const STEPS = Array.from({ length: scale(12, 8) }, (_none, index) => {
  const kind = ['send', 'ask', 'put', 'send'][index % 4] ?? 'send';
  const id = `${kind}${index}`;
  return {
    id,
    tool: kind,
    args: { id },
    ...(kind === 'send' ? { verifications: [{ type: 'done', args: { id } }] } : {}),
  };
});
const PLAN = JSON.stringify({ schema_version: '1.0', goal: 'g', steps: STEPS });

let made = 0;

async function prepareRun(folder: string, url: string, plan = PLAN) {
  const store = createFileRunStore(folder, () => ({
    id: `test${(made += 1)}`,
    at: new Date().toISOString(),
    by: 'me',
  }));
  const run = `run-${String((made += 1)).padStart(8, '0')}`;
  const tools = toolsOf(url);
  const box = await openToolbox({
    file: readToolsFile(tools, 'tools.yaml'),
    needed: { tools: ['send', 'ask', 'put'], conditions: [] },
    run,
    environment: { root: folder, forbidden: [], hidden: [], variables: {}, keep: async () => '' },
  });
  await store.create(
    preparedWith({
      run,
      plan,
      tools: Array.from(box.tools.values(), (tool) => {
        const definition = tool.definition();
        return {
          name: definition.name,
          effects: definition.effects,
          definition: definitionDigest(definition),
          binding: definition.binding,
        };
      }),
      expires_at: '2999-01-01T00:00:00Z',
    }),
  );
  await box.close();
  return { store, run, tools };
}

test(`runs of ${STEPS.length} steps that are killed ${KILLS} times lose no effect, and do nothing twice that acts once`, async () => {
  let current: ChildProcess | null = null;
  // Some die while their call is under way, whose effect comes after that.
  const { effects, url } = await startLedger(() => {
    if (Math.random() < scale(0.2, 0.1)) current?.kill('SIGKILL');
  });
  const folder = temporaryFolder();
  let [kills, asked, repeated, runs] = [0, 0, 0, 0];
  while (kills < KILLS) {
    const { store, run, tools } = await prepareRun(folder, url);
    effects.length = 0;
    runs += 1;
    for (let isOver = false; !isOver;) {
      const end = await runWorker(
        'run',
        { folder, run, tools },
        {
          onReport: ({ opened }, worker) => {
            current = worker;
            // Now and then one is left alone, so that a run comes to its end.
            if (opened === true && Math.random() < 0.5)
              setTimeout(() => worker.kill('SIGKILL'), Math.random() * 150);
          },
        },
      );
      expect([end.error, end.stderr]).toEqual([undefined, '']);
      if (end.signal === 'SIGKILL') kills += 1;
      isOver = end.reports.some((report) => report.end === 'ended');
      if (!end.reports.some((report) => report.end === 'waiting')) continue;
      // A person looks where the effect should be, when it has had its time, and says what is there.
      await new Promise((resolve) => {
        setTimeout(resolve, SETTLE_MS);
      });
      const log = await store.open(run);
      for (const [step, { state, attempt }] of log.run.instances) {
        if (state !== 'unknown') continue;
        asked += 1;
        const as = effects.includes(step) ? 'succeeded' : 'failed';
        await log.append([{ type: 'outcome_settled', step, attempt, as, how: 'person' }]);
      }
    }
    const { run: state } = await store.open(run);
    expect(state.ended).toMatchObject({ outcome: 'succeeded', reason: null });
    for (const { id, tool } of STEPS) {
      const times = effects.filter((effect) => effect === id).length;
      expect({ id, times: tool === 'put' ? Math.min(times, 1) : times }).toEqual({ id, times: 1 });
      if (tool === 'put') repeated += times - 1;
    }
  }
  console.log(`${runs} runs, ${kills} kills, ${asked} questions, ${repeated} declared repetitions`);
}, 600_000);

/** Carries a run of one step out that is killed once, and then goes on with it; the effect is there once. */
async function killedOnce(
  ledger: { readonly effects: string[]; readonly url: string },
  options: WorkerOptions,
): Promise<'killed' | 'done'> {
  const folder = temporaryFolder();
  const [step] = STEPS;
  const plan = JSON.stringify({ schema_version: '1.0', goal: 'g', steps: [step] });
  const { store, run, tools } = await prepareRun(folder, ledger.url, plan);
  ledger.effects.length = 0;
  const first = await runWorker('run', { folder, run, tools }, options);
  if (first.reports.some(({ end }) => end === 'ended')) return 'done';
  const second = await runWorker('run', { folder, run, tools });
  expect([second.stderr, second.reports.at(-1)]).toEqual(['', { end: 'ended' }]);
  expect((await store.open(run)).run.ended).toMatchObject({ outcome: 'succeeded', reason: null });
  expect(ledger.effects).toEqual(['send0']);
  return 'killed';
}

test('killed at each call of the file system during one attempt, it goes on and does nothing twice', async () => {
  const ledger = await startLedger();
  let killed = 0;
  for (const kind of ['kill', 'tear'])
    for (let at = 1; at <= 60; at += scale(1, 30)) {
      const preload = { module: 'faulty-fs', environment: { FAULT: JSON.stringify({ at, kind }) } };
      if ((await killedOnce(ledger, { preload })) === 'done') break;
      killed += 1;
    }
  expect(killed).toBeGreaterThan(1);
}, 600_000);

/** What changes the world, and what waits for it. */
const CALLS =
  'write writev pwrite64 fsync fdatasync openat close read pread64 link rename unlink mkdir ftruncate socket connect sendto sendmsg recvfrom recvmsg shutdown getsockopt epoll_wait epoll_pwait epoll_ctl clone3'.split(
    ' ',
  );

/** By each thread the calls after the log was first written to: strace counts them by thread. */
function momentsIn(lines: readonly string[], run: string) {
  const begin = lines.findIndex((line) => line.includes(`${run}.events.jsonl`) && line.includes('O_APPEND'));
  expect(begin).toBeGreaterThan(0);
  const counts = new Map<string, number>();
  const moments = new Map<string, { readonly call: string; readonly when: number }>();
  for (const [index, line] of lines.entries()) {
    const [, thread = '', call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (call === undefined) continue;
    const when = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, when);
    if (index >= begin) moments.set(`${call} ${when}`, { call, when });
  }
  return [...moments.values()];
}

test.skipIf(!CAN_TRACE)(
  'killed at each system call of one attempt, it goes on and does nothing twice (skipped without strace)',
  async () => {
    const ledger = await startLedger();
    const folder = temporaryFolder();
    const [step] = STEPS;
    const plan = JSON.stringify({ schema_version: '1.0', goal: 'g', steps: [step] });
    const { run, tools } = await prepareRun(folder, ledger.url, plan);
    const trace = join(temporaryFolder(), 'trace');
    await runWorker(
      'run',
      { folder, run, tools },
      {
        under: ['strace', '-f', '-o', trace, '-e', `trace=${CALLS.join(',')}`],
      },
    );
    const moments = momentsIn(readFileSync(trace, 'utf8').split('\n'), run);
    expect(moments.length).toBeGreaterThan(20);
    // How many there are is not always the same: who waits looks again and again.
    const every = scale(1, Math.ceil(moments.length / 3));
    const chosen = moments.filter((_none, index) => index % every === 0);
    let killed = 0;
    for (const { call, when } of chosen) {
      const inject = `inject=${call}:signal=KILL:when=${when}`;
      const end = await killedOnce(ledger, { under: ['strace', '-f', '-o', '/dev/null', '-e', inject] });
      if (end === 'killed') killed += 1;
    }
    expect(killed).toBeGreaterThan(0);
    console.log(`${chosen.length} of ${moments.length} system calls, ${killed} kills`);
  },
  3_600_000,
);
