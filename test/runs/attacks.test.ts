import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, logOf, newPlace, PLAN, prepare, TOOLS, written } from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { failing, runPlan, testClock } from '../support/executing.js';
import { temporaryFolder } from '../support/folders.js';

const NODE = JSON.stringify(process.execPath);
const plan = (...steps: readonly object[]) => ({ schema_version: '1.0', title: 'Try', steps });

async function approvedRun(place: Place): Promise<string> {
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  if (approval !== null) await agree(place.workspace, approval.code);
  return run;
}

describe('a hostile plan', () => {
  test('with a step that is called as the scope of the whole run is approved step by step all the same', async () => {
    const step = { id: 'run', tool: 'note', args: { path: 'a.md', text: 'x' }, requires_approval: true };
    const place = await newPlace(plan(step));
    const run = await approvedRun(place);
    const { waiting } = await carryOut(place.workspace, run);
    expect(waiting).toMatchObject([{ step: 'run', for: 'approval' }]);
    expect(written(place)).toBe(false);
    await agree(place.workspace, waiting[0]?.code ?? '');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('with names that mean something to paths, objects and terminals runs, and is shown plainly', async () => {
    const ids = [
      '__proto__',
      'constructor',
      '../../etc',
      '\u001B[2Jclear',
      'a/b',
      'x[3]',
      '%2F',
      'tab\tnew\nline',
    ];
    const place = await newPlace(plan(...ids.map((id) => ({ id, tool: 'look', args: {} }))));
    const report = await carryOut(place.workspace, await approvedRun(place));
    expect(report).toMatchObject({ status: 'succeeded', counts: { succeeded: ids.length } });
    const { steps } = await place.workspace.runs.show(report.run);
    expect(new Set(steps.map(({ step }) => step)).size).toBe(ids.length);
    expect(steps.map(({ step }) => step).join('')).not.toMatch(/\p{Cc}/u);
    expect(
      readdirSync(join(place.folder, '.plans/runs')).filter((name) => !/^(?:run-|\.gitignore)/.test(name)),
    ).toEqual([]);
  });

  test('of three megabytes runs, and one of more than sixteen does not', async () => {
    const place = await newPlace(plan({ id: 'l', tool: 'look', args: { x: 'y'.repeat(3 * 1024 * 1024) } }));
    expect(await carryOut(place.workspace, await approvedRun(place))).toMatchObject({ status: 'succeeded' });
    writeFileSync(
      join(place.folder, 'plan.json'),
      JSON.stringify(plan({ id: 'l', tool: 'look', args: { x: 'y'.repeat(17 * 1024 * 1024) } })),
    );
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('with a limit of time that no timer takes is not over at once', async () => {
    const { end } = await runPlan(
      { goal: 'g', steps: [{ id: 'a', tool: 't', args: {}, timeout_ms: 3_000_000_000 }] },
      {
        effects: { t: 'once' },
        tools: { t: () => new Promise((done) => setTimeout(() => done('done'), 30)) },
      },
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    const place = await newPlace(plan({ id: 'l', tool: 'look', args: {}, timeout_ms: 3_000_000_000 }));
    expect(await carryOut(place.workspace, await approvedRun(place))).toMatchObject({ status: 'succeeded' });
  });
});

describe('what is swapped after it was looked at', () => {
  test('a policy that the policy extends', async () => {
    const place = await newPlace(plan({ id: 'l', tool: 'look', args: {} }));
    writeFileSync(join(place.folder, 'base.yaml'), 'bounds: { look.n: [0, 3] }\n');
    writeFileSync(join(place.folder, 'policy.yaml'), 'extends: base.yaml\n');
    const { run } = await place.workspace.prepare('plan.json', { policy: 'policy.yaml' });
    writeFileSync(join(place.folder, 'base.yaml'), 'bounds: { look.n: [0, 300] }\n');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_HASH_MISMATCH' });
  });

  test('a script of the workspace, however long, and what its interpreter loads before it', async () => {
    const tools = `tools:
  - { name: long, effects: none, run: { command: [${NODE}, long.js] } }
  - { name: loads, effects: none, run: { command: [${NODE}, --require, ./before.js, main.js] } }
`;
    for (const [tool, swapped] of [
      ['long', 'long.js'],
      ['loads', 'before.js'],
      ['loads', 'main.js'],
    ] as const) {
      const place = await newPlace(plan({ id: 'a', tool, args: {} }), tools);
      const padding = tool === 'long' ? `/*${'x'.repeat(11 * 1024 * 1024)}*/` : '';
      writeFileSync(join(place.folder, 'long.js'), `${padding}console.log(1)`);
      writeFileSync(join(place.folder, 'before.js'), '');
      writeFileSync(join(place.folder, 'main.js'), 'console.log(1)');
      const run = await approvedRun(place);
      const text = readFileSync(join(place.folder, swapped), 'utf8');
      writeFileSync(join(place.folder, swapped), `${text};require('fs').writeFileSync('evil','')`);
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
      expect(readdirSync(place.folder)).not.toContain('evil');
    }
  });

  test.each([
    ['after an option that takes a value', ['node', '-C', 'dev', 's.js']],
    ['after the file of an option', ['node', '--env-file', '.env', 's.js']],
    ['loaded by an option and an equals sign', ['node', '--import=./s.js', 'main.js']],
    ['loaded by a short option without a space', ['node', '-r./s.js', 'main.js']],
    ['started by another program', ['env', 'node', 's.js']],
    ['by an absolute path, through a link to the workspace', ['node', 'LINK/s.js']],
    ['given to a shell', ['"$1" "$2"', 'node', 's.js']],
    ['that is not there yet', ['node', '--no-warnings', 'new.js']],
    ['that is a link now', ['node', 'link.js']],
  ])('a script of the workspace %s', async (how, command) => {
    const link = join(temporaryFolder(), 'link');
    const words = command.map((word) => word.replace('LINK', link));
    const run = { command: words, ...(how.includes('shell') ? { shell: true } : {}) };
    const tools = JSON.stringify({ tools: [{ name: 'does', effects: 'none', run }] });
    const place = await newPlace(plan({ id: 'a', tool: 'does', args: {} }), tools);
    symlinkSync(place.folder, link);
    writeFileSync(join(place.folder, '.env'), '');
    for (const name of ['s.js', 'main.js', 'one.js']) writeFileSync(join(place.folder, name), '');
    symlinkSync('one.js', join(place.folder, 'link.js'));
    const approved = await approvedRun(place);
    const evil = "require('fs').writeFileSync('evil','')";
    if (how.endsWith('link now')) rmSync(join(place.folder, 'link.js'));
    for (const name of how.endsWith('yet') ? ['new.js'] : how.endsWith('link now') ? ['link.js'] : ['s.js'])
      writeFileSync(join(place.folder, name), evil);
    await expect(carryOut(place.workspace, approved)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
    expect(readdirSync(place.folder)).not.toContain('evil');
  });

  test('no file that only is looked at, or that is none, such as a pipe', async () => {
    const tools = `tools:
  - { name: looks, effects: none, run: { command: [cat, state] } }
  - { name: odd, effects: none, run: { command: [${NODE}, -e, '0', pipe, ., /dev/zero, --x=, '='] } }
`;
    const place = await newPlace(
      plan({ id: 'b', tool: 'looks', args: {} }, { id: 'c', tool: 'odd', args: {} }),
      tools,
    );
    writeFileSync(join(place.folder, 'state'), 'old');
    execFileSync('mkfifo', [join(place.folder, 'pipe')]);
    const run = await approvedRun(place);
    writeFileSync(join(place.folder, 'state'), 'new');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('the folder of runs, or of one run, by a link', async () => {
    const elsewhere = temporaryFolder();
    const place = await newPlace({
      ...PLAN,
      steps: [{ ...PLAN.steps[0], args: { path: 'a.md', text: 'x'.repeat(100_000) } }],
    });
    const run = await approvedRun(place);
    symlinkSync(elsewhere, join(place.folder, '.plans/runs', run));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(written(place)).toBe(false);
    renameSync(join(place.folder, '.plans/runs'), join(elsewhere, 'runs'));
    symlinkSync(join(elsewhere, 'runs'), join(place.folder, '.plans/runs'));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: expect.stringMatching(/STORAGE_FAILED|E_PLAN_NOT_FOUND/),
    });
    await expect(prepare(place.workspace)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  });
});

describe('a hostile server', () => {
  const SERVER = resolve(import.meta.dirname, '../support/mcp/hostile.mjs');

  test('whose script in the workspace was swapped after the approval is not called', async () => {
    const command = [process.execPath, 'server.mjs', 'long'];
    const servers = { s: { command, tools: [{ name: 'say', effects: 'none' }] } };
    const place = await newPlace(plan({ id: 'a', tool: 'say', args: {} }), JSON.stringify({ servers }));
    const script = join(place.folder, 'server.mjs');
    const loading = `import ${JSON.stringify(SERVER)};`;
    writeFileSync(script, loading);
    const run = await approvedRun(place);
    writeFileSync(script, `${loading}//`);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
  });

  const tools = (mode: string) =>
    JSON.stringify({
      servers: {
        s: { command: [process.execPath, SERVER, mode], tools: [{ name: 'say', effects: 'none' }] },
      },
    });
  const brought = async (mode: string) => {
    const place = await newPlace(plan({ id: 'a', tool: 'say', args: {} }), tools(mode));
    const report = await carryOut(place.workspace, await approvedRun(place));
    return { place, report, log: logOf(place, report.run) };
  };

  test('that says nine megabytes has them kept in a file, and its log stays short', async () => {
    const { report, log, place } = await brought('long');
    expect(report).toMatchObject({ status: 'succeeded' });
    expect(log.length).toBeLessThan(20_000);
    expect(readdirSync(join(place.folder, '.plans/runs', report.run))).toHaveLength(1);
    expect(await place.workspace.runs.show(report.run)).toMatchObject({ status: 'succeeded' });
  });

  test.each(['deep', 'surrogate', 'proto', 'escapes', 'many'])(
    'that says what is %s leaves a run that has an end, and a log that can be read',
    async (mode) => {
      const { report, place, log } = await brought(mode);
      expect(report.status).toMatch(/^(?:succeeded|failed)$/);
      const { events, damage } = await place.workspace.runs.log(report.run);
      expect(damage).toEqual([]);
      expect(events.at(-1)?.type).toBe('run_ended');
      expect(log.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  const ended = async (mode: string, more: object = {}) => {
    const step = { id: 'a', tool: 'say', args: {}, ...more };
    const place = await newPlace(plan(step), tools(mode));
    const { run } = await place.workspace.prepare('plan.json', {});
    const report = await carryOut(place.workspace, run);
    const log = logOf(place, run);
    expect(log.length).toBeLessThan(20_000);
    expect(log.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    const { steps } = await place.workspace.runs.show(run);
    return { status: report.status, error: steps[0]?.error ?? null };
  };

  test.each([
    ['error without a message', 'TOOL_FAILED'],
    ['error that is a text', 'TOOL_FAILED'],
    ['error without anything', 'TOOL_FAILED'],
    ['error of control characters', 'TOOL_FAILED'],
    ['result that is a number', 'TOOL_FAILED'],
    ['answer without a result', 'TOOL_FAILED'],
    ['content that is none', 'OUTPUT_INVALID'],
    ['structure that is a text', 'OUTPUT_INVALID'],
  ])('that answers with “%s” fails the step at once', async (mode, code) => {
    expect(await ended(mode)).toMatchObject({ status: 'failed', error: { code } });
  });

  test.each(['structure alone', 'nothing', 'one page again and again', 'names of all kinds'])(
    'that answers with %s is understood',
    async (mode) => {
      expect(await ended(mode)).toMatchObject({ status: 'succeeded' });
    },
  );

  test.each([
    ['pages without end', 'did not list its tools'],
    ['eleven megabytes', 'did not list its tools: it said more than 10485760 bytes in one message'],
  ])('that lists %s is refused before anything runs, with the reason', async (mode, reason) => {
    const place = await newPlace(plan({ id: 'a', tool: 'say', args: {} }), tools(mode));
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining(reason) as string,
    });
  });

  test('that answers later than a step may take is not listened to', async () => {
    expect(await ended('an answer to what was dropped', { timeout_ms: 500 })).toMatchObject({
      status: 'failed',
      error: { code: 'TIMEOUT' },
    });
  });

  test.each([
    'notifications in floods',
    'lists that change',
    'questions in floods',
    'lines that are no messages',
    'answers to nothing',
  ])('that says %s is ended long before the step may take no longer, and holds no memory', async (mode) => {
    const before = process.memoryUsage().rss;
    expect(await ended(mode, { timeout_ms: 3_600_000 })).toMatchObject({
      status: 'failed',
      error: { code: 'CONNECTION_LOST', message: expect.stringMatching(/it sent more|does not read/) },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2);
  });

  test('whose schema has 200,000 levels is refused before anything runs', async () => {
    const place = await newPlace(plan({ id: 'a', tool: 'say', args: {} }), tools('schema of 200,000 levels'));
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('nested more than 500 levels deep'),
    });
  });
});

describe('a clock that jumps', () => {
  test('back makes no wait longer, and no look', async () => {
    let jump = 0;
    const real = testClock();
    const waits: number[] = [];
    const clock = {
      now: () => real.now() - jump,
      wait: (ms: number, signal: AbortSignal) => {
        waits.push(ms);
        return real.wait(Math.min(ms, 20), signal);
      },
    };
    const { end } = await runPlan(
      {
        goal: 'g',
        steps: [
          {
            id: 'a',
            tool: 't',
            args: {},
            retry: { max_attempts: 2, initial_delay_ms: 50, jitter: false },
            verifications: [{ type: 'never', args: {}, timeout_ms: 40 }],
            timeout_ms: 1000,
          },
        ],
      },
      {
        tools: {
          t: (_call, number) => {
            jump += 86_400_000;
            return number === 1 ? failing() : 'done';
          },
        },
        conditions: {
          never: () => {
            jump += 3_600_000;
            return false;
          },
        },
      },
      { clock },
    );
    expect(end).toMatchObject({ end: { outcome: 'failed' } });
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000);
  });
});

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'frctl-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (mounted.status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return mounted.status === 0;
}

describe('a disk that is full', () => {
  test.runIf(canMount())(
    'ends a run where it is, and the run goes on when there is room (needs the right to mount)',
    async () => {
      const fill = 'test -e room || { head -c 9000000 /dev/zero > .plans/runs/full; true; } 2> /dev/null';
      const place = await newPlace(
        plan(
          ...['fill', 'look', 'look'].map((tool, index) => ({
            id: `s${index}`,
            tool,
            args: { x: 'y'.repeat(6000) },
          })),
        ),
        `${TOOLS}  - { name: fill, effects: none, run: { command: [sh, -c, ${JSON.stringify(fill)}] } }\n`,
      );
      const runs = join(place.folder, '.plans/runs');
      mkdirSync(runs);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', runs]);
      try {
        const run = await approvedRun(place);
        // As a process that is gone afterwards.
        const gone = place.as({ pid: 4_000_000 });
        await expect(carryOut(gone, run)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
        expect((await place.workspace.runs.show(run)).status).toBe('interrupted');
        rmSync(join(runs, 'full'));
        writeFileSync(join(place.folder, 'room'), '');
        expect(await carryOut(place.workspace, run)).toMatchObject({
          status: 'succeeded',
          counts: { succeeded: 3 },
        });
      } finally {
        execFileSync('umount', [runs]);
      }
    },
  );
});

describe('SQL that a reference brings is judged when it is known, without a policy too', () => {
  const tools = `tools:
  - { name: give, effects: none, run: { output: json, command: [echo, '{"q":"DROP TABLE x","list":["SELECT 1","TRUNCATE t"]}'] } }
  - { name: db.query, effects: none, run: { command: [touch, ran.txt] } }
  - { name: fail, effects: none, run: { command: ['false'] } }
`;
  const query = (value: string) => ({ id: 'b', tool: 'db.query', args: { query: value } });
  const before = { id: 'a', tool: 'give', args: {} };
  test.each<[string, readonly object[]]>([
    ['in a step', [query('$steps.a.json.q')]],
    ['within a text', [query('SELECT 1; ${a.json.q}')]],
    ['under any name', [{ ...query(''), args: { x: { y: ['$steps.a.json.q'] } } }]],
    ['in a nested plan', [{ id: 'n', tool: 'plan', args: {}, plan: { steps: [query('$steps.a.json.q')] } }]],
    [
      'in a fallback',
      [
        {
          id: 'f',
          tool: 'fail',
          args: {},
          on_error: { strategy: 'fallback', steps: [query('$steps.a.json.q')] },
        },
      ],
    ],
    [
      'as an item of a foreach',
      [{ ...query('${it}'), foreach: { from: '$steps.a.json.list', item_name: 'it' } }],
    ],
  ])('%s', async (where, steps) => {
    const place = await newPlace(plan(before, ...steps), tools);
    const run = await approvedRun(place);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'failed' });
    const log = logOf(place, run);
    expect(log).toMatch(/POLICY_DENIED.*SQL that writes: (?:DROP|TRUNCATE)/);
    // Of the items the first reads.
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(where === 'as an item of a foreach');
  });

  test('one that reads is called, however deep what comes with it is nested', async () => {
    const deep = '['.repeat(490) + ']'.repeat(490);
    const given = tools.replace('"list"', `"deep":${deep},"list"`);
    const step = {
      ...query('$steps.a.json.list.0'),
      args: { query: '$steps.a.json.list.0', d: '$steps.a.json.deep' },
    };
    const place = await newPlace(plan(before, step), given);
    expect(await carryOut(place.workspace, await approvedRun(place))).toMatchObject({ status: 'succeeded' });
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(true);
  });
});
