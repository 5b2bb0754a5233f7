import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../src/features/runs/model/run-events.js';
import {
  agree,
  carryOut,
  logOf,
  newPlace,
  PLAN,
  prepare,
  trustApprovers,
  written,
} from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { temporaryFolder } from '../support/folders.js';
import { forgeLog } from '../support/run-logs.js';

const later = (place: Place, minutes: number, folder = place.folder) =>
  place.as({ folder, now: () => Date.now() + minutes * 60_000 });

/** The same store in another folder, as a copy of the project has it. */
function copied(place: Place): string {
  const folder = temporaryFolder();
  cpSync(place.folder, folder, { recursive: true });
  return folder;
}

/** A start by a process that is gone. */
function begunWith(approved: Extract<RunEvent, { type: 'run_approved' }>): RunEvent {
  const { id, at, by, replica, clock, approval } = approved;
  const executor = { host: hostname(), pid: 4_000_000, version: '0' };
  return { id: `${id}x`, at, by, replica, clock: clock + 1, type: 'run_started', executor, approval };
}

/** What a document of Plan-Lint carries beside itself. */
interface Carrying {
  readonly meta: { readonly 'x-frctl': { steps?: { l: { at: string }[] } } };
}

const changed = (change: Record<string, unknown>) => (event: RunEvent) =>
  event.type === 'run_prepared' ? ({ ...event, ...change } as RunEvent) : event;

describe('what is run is what was prepared and approved', () => {
  test('O42: a plan that was changed after it was approved is refused', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    writeFileSync(join(place.folder, 'plan.json'), JSON.stringify({ ...PLAN, title: 'another' }));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_HASH_MISMATCH' });
    expect(written(place)).toBe(false);
  });

  test('C1: a log in which somebody has changed the plan, its digest, or both', async () => {
    const other = JSON.stringify({
      ...PLAN,
      steps: [{ id: 'n', tool: 'note', args: { path: 'a.md', text: 'evil' } }],
    });
    const place = await newPlace();
    const { digest } = await place.workspace.hash('-', { input: other });
    expect(digest).toMatch(/^frctl1:/);
    for (const [change, code] of [
      [{ plan: other }, 'E_PLAN_HASH_MISMATCH'],
      [{ digest }, 'E_PLAN_HASH_MISMATCH'],
      [{ plan: other, digest }, 'E_PLAN_APPROVAL_MISSING'],
    ] as const) {
      const one = await prepare(place.workspace);
      await agree(place.workspace, one.code);
      forgeLog(place.folder, one.run, changed(change));
      await expect(place.workspace.run(one.run, { snapshot: true }).result).rejects.toMatchObject({ code });
    }
    expect(written(place)).toBe(false);
  });

  test('a log that says that nobody must agree, or that a tool does less than it does', async () => {
    const place = await newPlace();
    for (const change of [
      { requires_approval: false },
      { requires_approval: false, approval_because: [], code: undefined },
    ]) {
      const { run } = await prepare(place.workspace);
      forgeLog(place.folder, run, changed(change));
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    }
    const { run } = await prepare(place.workspace);
    forgeLog(place.folder, run, (event) =>
      event.type === 'run_prepared'
        ? {
            ...event,
            requires_approval: false,
            tools: event.tools.map((tool) => ({ ...tool, effects: 'none' })),
          }
        : event,
    );
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
    expect(written(place)).toBe(false);
  });

  test('a log in which the files, the policy, the goal or the time were changed after it was approved', async () => {
    const place = await newPlace();
    for (const change of [
      { inputs: [] },
      { expires_at: '2999-01-01T00:00:00.000Z' },
      { goal: '0000abcd-root' },
      { policy: { file: '/etc/hostname', text: '' }, policy_digest: '0' },
    ]) {
      const { run, code } = await prepare(place.workspace);
      await agree(place.workspace, code);
      forgeLog(place.folder, run, changed(change));
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    }
    expect(written(place)).toBe(false);
  });

  test('C2: ids of wa name no run, and approve none', async () => {
    const place = await newPlace();
    const { run } = await prepare(place.workspace);
    const id = `plan:${'0'.repeat(32)}`;
    await expect(carryOut(place.workspace, id)).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
    await expect(place.workspace.approve({ code: id })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    forgeLog(place.folder, run, changed({ wa_ids: { plan_id: id, plan_hash: `sha256:${'0'.repeat(32)}` } }));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
  });

  test('W33: a log that cannot be read stops the run: unknown is not never', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    const file = join(place.folder, '.plans/runs', `${run}.events.jsonl`);
    writeFileSync(file, logOf(place, run).replace('"run_approved"', '"run_approveX"'));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    expect(written(place)).toBe(false);
  });
});

describe('a code and an approval', () => {
  test('W2: another workspace is told before the time', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    await expect(carryOut(later(place, 60, copied(place)), run)).rejects.toMatchObject({
      code: 'E_PLAN_WORKSPACE_MISMATCH',
    });
  });

  test('W5: of many that begin one run at once one does, and nothing is done twice', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    const ends = await Promise.allSettled(Array.from({ length: 6 }, () => carryOut(place.as({}), run)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = ends.flatMap((end) =>
      end.status === 'rejected' ? [(end.reason as { code: string }).code] : [],
    );
    expect(codes.filter((code) => code !== 'RUN_BUSY' && code !== 'E_PLAN_CONSUMED')).toEqual([]);
    expect(logOf(place, run).split('"attempt_started"')).toHaveLength(2);
  });

  test('W9: the code of another preparation of the same plan approves that one alone', async () => {
    const place = await newPlace();
    const [one, two] = [await prepare(place.workspace), await prepare(place.workspace)];
    expect(await agree(place.workspace, one.code)).toMatchObject({ run: one.run });
    await expect(carryOut(place.workspace, two.run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
  });

  test('W12, C10: an approval is used up by the start and by nothing else', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    const used = async () => (await place.workspace.runs.show(run)).approvals.map((one) => one.used);
    await expect(carryOut(later(place, 16), run)).rejects.toMatchObject({ code: 'E_PLAN_EXPIRED' });
    writeFileSync(join(place.folder, 'plan.json'), '{}');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_HASH_MISMATCH' });
    writeFileSync(join(place.folder, 'plan.json'), JSON.stringify(PLAN));
    mkdirSync(join(place.folder, 'notes'));
    writeFileSync(join(place.folder, 'notes/a.md'), 'somebody else’s');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: 'E_PLAN_PRECONDITION_FAILED',
    });
    expect(await used()).toEqual([false]);
    execFileSync('rm', [join(place.folder, 'notes/a.md')]);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(await used()).toEqual([true]);
    // The one line that begins the run is the one that uses the approval up.
    const start = logOf(place, run)
      .split('\n')
      .find((line) => line.includes('"run_started"'));
    expect(start).toMatch(/"approval":"approval-/);
  });

  test('W13, O37: what is prepared again is a new run, from its first step; the old one stays spent', async () => {
    const place = await newPlace();
    const one = await prepare(place.workspace);
    await agree(place.workspace, one.code);
    await carryOut(place.workspace, one.run);
    const two = await prepare(place.workspace);
    expect(two.run).not.toBe(one.run);
    await expect(carryOut(place.workspace, one.run)).rejects.toMatchObject({ code: 'E_PLAN_CONSUMED' });
    await expect(carryOut(place.workspace, two.run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
    await agree(place.workspace, two.code);
    expect(await carryOut(place.workspace, two.run)).toMatchObject({ counts: { succeeded: 1 } });
  });

  test('W14, O43: of one preparation one approval is live; a second is refused', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    await expect(agree(place.workspace, code)).rejects.toMatchObject({
      code: 'E_APPROVAL_CONSUMED',
      message: expect.stringContaining('already approved'),
    });
    expect((await place.workspace.runs.show(run)).approvals).toHaveLength(1);
  });

  test('W15, W16: a look, and a yes to what was not shown, use nothing up', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    const { shown } = await place.workspace.approve({ code, dryRun: true });
    await expect(
      place.workspace.approve({ code, agreed: { via: 'terminal', shown: shown.replace(/^./, 'x') } }),
    ).rejects.toMatchObject({ code: 'REFUSED' });
    expect((await place.workspace.runs.show(run)).approvals).toEqual([]);
    expect(await agree(place.workspace, code)).toMatchObject({ run });
  });

  test('W17: unknown, of another workspace, used, too old, in this order', async () => {
    const place = await newPlace();
    const [one, two] = [await prepare(place.workspace), await prepare(place.workspace)];
    const look = (workspace: Place['workspace'], code: string) => workspace.approve({ code, dryRun: true });
    await agree(place.workspace, one.code);
    const elsewhere = later(place, 60, copied(place));
    await expect(look(elsewhere, '00000000')).rejects.toMatchObject({ code: 'E_APPROVAL_NOT_FOUND' });
    await expect(look(elsewhere, one.code)).rejects.toMatchObject({ code: 'E_WRONG_WORKSPACE' });
    await carryOut(place.workspace, one.run);
    await expect(look(later(place, 60), one.code)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    await expect(look(later(place, 60), two.code)).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('W18: holds for a day at the most', async () => {
    const { workspace } = await newPlace();
    await expect(workspace.prepare('plan.json', { ttl: '25h' })).rejects.toMatchObject({
      hint: expect.stringContaining('24 hours'),
    });
    const { expires_at } = await workspace.prepare('plan.json', { ttl: '24h' });
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(24 * 60 * 60_000);
  });
});

describe('what is prepared', () => {
  test('W22: what the policy refuses is not stored', async () => {
    const place = await newPlace();
    writeFileSync(join(place.folder, 'policy.yaml'), 'deny_tools: ["note"]\n');
    await expect(place.workspace.prepare('plan.json', { policy: 'policy.yaml' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { rule: 'TOOL_DENY' },
    });
    expect(existsSync(join(place.folder, '.plans/runs'))).toBe(false);
  });

  test('W23: the digest is of the plan as it is, and so is all that is shown of it', async () => {
    const place = await newPlace();
    const digests: string[] = [];
    for (const password of ['correct-horse-battery', 'another-horse-battery']) {
      const step = { id: 'n', tool: 'note', args: { path: 'a.md', text: 'x' } };
      const context = { password };
      writeFileSync(
        join(place.folder, 'plan.json'),
        JSON.stringify({ schema_version: '1.0', title: 'Write', context, steps: [step] }),
      );
      writeFileSync(join(place.folder, 'policy.yaml'), 'severities: { RAW_SECRET: warning }\n');
      const prepared = await place.workspace.prepare('plan.json', { policy: 'policy.yaml' });
      // What is not shown would run all the same.
      expect(prepared.plan.context).toEqual({ password });
      expect(prepared.text).toContain(password);
      digests.push(prepared.digest);
    }
    expect(new Set(digests).size).toBe(2);
  });

  test('W24: the workspace is the real one, where the plan names none as well', async () => {
    const place = await newPlace();
    const { run } = await prepare(place.workspace);
    const { workspace } = await place.workspace.runs.show(run);
    expect(workspace).toBe(place.folder);
    expect(logOf(place, run)).toContain(`"workspace":{"id":"${place.folder}","root":"${place.folder}"`);
  });

  test('P4: an empty list of allowed tools allows every tool, and asks a person therefore', async () => {
    const place = await newPlace({ ...PLAN, steps: [{ id: 'l', tool: 'look', args: {} }] });
    writeFileSync(join(place.folder, 'policy.yaml'), 'allow_tools: []\n');
    expect(await place.workspace.prepare('plan.json', {})).toMatchObject({ requires_approval: false });
    const prepared = await place.workspace.prepare('plan.json', { policy: 'policy.yaml' });
    expect(prepared).toMatchObject({
      requires_approval: true,
      approval_because: [expect.stringContaining('empty')],
    });
    await expect(carryOut(place.workspace, prepared.run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
    forgeLog(place.folder, prepared.run, changed({ requires_approval: false }));
    await expect(carryOut(place.workspace, prepared.run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
  });

  test('N14: what a plan lost when it was converted is shown, and asks a person', async () => {
    const place = await newPlace({
      schema_version: '1.0',
      title: 'Look twice',
      steps: [
        {
          id: 'l',
          tool: 'look',
          args: {},
          verifications: [{ type: 'seen', args: {} }],
          retry: { max_attempts: 3 },
        },
      ],
    });
    const { content, losses } = await place.workspace.convert('plan.json', { to: 'plan-lint', lossy: true });
    expect(losses.length).toBeGreaterThan(0);
    // With what it carries beside itself nothing is lost, and it does all that it did.
    writeFileSync(join(place.folder, 'plan.json'), content ?? '');
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      details: { rule: 'UNBOUND_CONDITION' },
    });
    // Without that it says still what it lost.
    const document = JSON.parse(content ?? '') as Carrying;
    const carried = document.meta['x-frctl'].steps?.l ?? [];
    document.meta['x-frctl'].steps = { l: carried.filter(({ at }) => at !== '/verifications') };
    const bare = JSON.stringify(document);
    writeFileSync(join(place.folder, 'plan.json'), bare);
    const prepared = await place.workspace.prepare('plan.json', {});
    expect(prepared).toMatchObject({ requires_approval: true });
    expect(prepared.losses.join('\n')).toMatch(/l: (?:verification|retry):/);
    const report = await place.workspace.approve({ code: prepared.approval?.code ?? '', dryRun: true });
    expect(report.losses).toEqual(prepared.losses);
  });
});

describe('the approval of a step', () => {
  const secret = 'correct-horse-battery';
  const asking = {
    ...PLAN,
    steps: [
      { id: 'look', tool: 'look', args: {} },
      {
        id: 'n',
        tool: 'note',
        args: { path: 'a.md', text: '${look.text}', password: secret },
        requires_approval: true,
      },
    ],
  };
  const tools = `tools:
  - name: note
    input_schema: true
    run: { file: write, root: notes }
  - { name: look, effects: none, run: { command: [echo, "looked \\e[2J"] } }
`;

  test('shows the arguments just as they are given, and is of just these', async () => {
    const place = await newPlace(asking, tools);
    writeFileSync(join(place.folder, 'policy.yaml'), 'severities: { RAW_SECRET: warning }\n');
    const { run, approval } = await place.workspace.prepare('plan.json', { policy: 'policy.yaml' });
    await agree(place.workspace, approval?.code ?? '');
    const { waiting } = await carryOut(place.workspace, run);
    const [{ code = '', args } = { code: '' }] = waiting;
    expect(args).toEqual({ path: 'a.md', text: 'looked \u001B[2J\n', password: secret });
    const report = await place.workspace.approve({ code, dryRun: true });
    expect(report.args).toEqual(args);
    // Another text in the log is not what would be given, and nobody is shown it.
    forgeLog(place.folder, run, (event) =>
      event.type === 'waiting' ? { ...event, args: { path: 'a.md', text: 'harmless' } } : event,
    );
    for (const input of [{ dryRun: true }, { agreed: { via: 'terminal' as const, shown: report.shown } }])
      await expect(place.workspace.approve({ code, ...input })).rejects.toMatchObject({
        code: 'E_PLAN_HASH_MISMATCH',
      });
  });

  test.runIf(existsSync('/usr/bin/ssh-keygen'))(
    'needs the signatures of as many people as a run does (needs ssh-keygen)',
    async () => {
      const place = await newPlace(
        { ...asking, steps: [asking.steps[0], { ...asking.steps[1], args: { path: 'a.md', text: 'x' } }] },
        tools,
      );
      const [ada = '', bob = ''] = ['ada', 'bob'].map((name) => {
        const key = join(temporaryFolder(), name);
        execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
        writeFileSync(
          join(place.folder, '.plans/approvers'),
          `${name} ${readFileSync(`${key}.pub`, 'utf8')}`,
          { flag: 'a' },
        );
        return key;
      });
      writeFileSync(
        join(place.folder, '.plans/config.json'),
        JSON.stringify({ approval: { signers: '.plans/approvers', min: 2 } }),
      );
      await trustApprovers(place.workspace);
      const { run } = await prepare(place.workspace);
      await place.workspace.approve({ code: run, sign: ada });
      // A log that says that the run was begun with the one signature that there is.
      const whole = logOf(place, run);
      forgeLog(place.folder, run, (event) =>
        event.type === 'run_approved' ? [event, begunWith(event)] : event,
      );
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
      writeFileSync(join(place.folder, '.plans/runs', `${run}.events.jsonl`), whole);
      await place.workspace.approve({ code: run, sign: bob });
      expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'waiting' });
      expect(await place.workspace.approve({ code: run, sign: ada })).toMatchObject({
        scope: 'n',
        signatures: { given: 1, needed: 2 },
      });
      await expect(place.workspace.approve({ code: run, sign: ada })).rejects.toMatchObject({
        code: 'E_APPROVAL_CONSUMED',
      });
      expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'waiting' });
      expect(readdirSync(place.folder)).not.toContain('notes');
      // Somebody who says in the log that one is enough changes nothing.
      forgeLog(place.folder, run, (event) => (event.type === 'waiting' ? { ...event, needed: 1 } : event));
      expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'waiting' });
      expect(await place.workspace.approve({ code: run, sign: bob })).toMatchObject({
        signatures: { given: 2, needed: 2 },
      });
      expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    },
  );
});

describe('a policy about sandboxes', () => {
  test('confines every command, and counts again when the plan is run', async () => {
    const place = await newPlace({ ...PLAN, steps: [{ id: 'l', tool: 'look', args: {} }] });
    writeFileSync(join(place.folder, 'base.yaml'), 'sandbox: read-only\n');
    writeFileSync(
      join(place.folder, 'policy.yaml'),
      'extends: base.yaml\nsandbox: none\nrequire_sandbox: true\n',
    );
    const bare = place.as({ path: '/nowhere' });
    await expect(bare.prepare('plan.json', { policy: 'policy.yaml' })).rejects.toMatchObject({
      code: 'E_SANDBOX_MISSING',
    });
    expect(await bare.prepare('plan.json', {})).toMatchObject({ requires_approval: false });
    if (!existsSync('/usr/bin/bwrap')) return;
    const { run, tools } = await place.workspace.prepare('plan.json', { policy: 'policy.yaml' });
    expect(tools).toMatchObject([{ name: 'look', binding: { sandbox: 'read-only' } }]);
    await expect(carryOut(bare, run)).rejects.toMatchObject({ code: 'E_SANDBOX_MISSING' });
  });
});
