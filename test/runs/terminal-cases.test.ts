import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, logOf, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';

type Step = Readonly<Record<string, unknown>>;

/** A plan of wa with these actions. */
const wa = (...steps: readonly Step[]) => ({
  plan_version: 1,
  plan_id: `plan:${'0'.repeat(32)}`,
  title: 'a plan',
  workspace_id: '',
  steps: steps.map((step, index) => ({
    step_number: index + 1,
    step_id: `step:${index + 1}`,
    description: 'a step',
    idempotent: false,
    action: { type: 'custom', action_type: 'look', payload: {} },
    ...step,
  })),
});
const lock = (type: string, more: Step = {}) => ({ action: { type, lock_name: 'pane 1', ...more } });
const NODE = JSON.stringify(process.execPath);

/** Tools of a terminal whose panes stand in the file `panes`, a line each: a number and who it is. */
const TOOLS = `tools:
  - { name: look, effects: none, run: { command: [echo, looked] } }
  - { name: fails, effects: none, run: { command: ['false'] } }
  - name: 'wa:send_text'
    effects: none
    run: { command: [echo, 'sent \${text}'] }
  - name: pane
    effects: none
    run: { command: [${NODE}, -e, "console.log(JSON.stringify(Object.fromEntries(require('fs').readFileSync('panes','utf8').trim().split('\\\\n').map((l) => l.split(' ')))))"], output: json }
  - name: busy
    effects: none
    run: { command: [cat, busy] }
  - { name: 'soul:Click', effects: none, ready: browser.free, run: { command: [echo, clicked] } }
  - { name: 'soul:Navigate', effects: none, run: { command: [echo, gone] } }
checks:
  seen: { tool: look, args: {}, expect: { type: string, pattern: '\${args.pattern}' } }
  'soul:TitleMatches': { tool: look, args: {}, expect: { type: string, pattern: '\${args.value}' } }
  browser.free: { tool: busy, args: {}, expect: { type: string, const: "free\\n" } }
`;
const WITH_PANES = `${TOOLS}panes: { tool: pane, args: {}, identity: json.1 }\n`;

async function ready(place: Place): Promise<string> {
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  if (approval !== null) await agree(place.workspace, approval.code);
  return run;
}
const refusedWith = (place: Place) =>
  place.workspace.prepare('plan.json', {}).then(
    () => 'prepared',
    (error: { details: { rule?: string } }) => error.details.rule,
  );

/** Looks until there is something. */
async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await sleep(20);
  }
}

describe('locks of wa', () => {
  test('N9: a run that holds a lock keeps others from it, and gives it back at its end, whatever the end', async () => {
    const holding = [
      lock('acquire_lock'),
      { preconditions: [{ type: 'lock_held', lock_name: 'pane 1' }] },
      { action: { type: 'custom', action_type: 'fails', payload: {} } },
    ];
    const place = await newPlace(wa(...holding), TOOLS);
    const [one, two] = [await ready(place), await ready(place)];
    const first = await carryOut(place.workspace, one);
    expect(first).toMatchObject({ status: 'failed', failed: 'step:3', counts: { succeeded: 2 } });
    // A run that failed holds nothing any more.
    expect(await carryOut(place.workspace, two)).toMatchObject({ failed: 'step:3' });
  });

  test('N9: of a run that waits for a person the lock stays, until it is over', async () => {
    const waits = [
      lock('acquire_lock'),
      {
        action: { type: 'custom', action_type: 'fails', payload: {} },
        on_failure: { strategy: 'require_approval', summary: 'go on?' },
      },
    ];
    const place = await newPlace(wa(...waits), TOOLS);
    const [one, two] = [await ready(place), await ready(place)];
    expect(await carryOut(place.workspace, one)).toMatchObject({ status: 'waiting' });
    writeFileSync(
      join(place.folder, 'plan.json'),
      JSON.stringify(wa({ preconditions: [{ type: 'lock_available', lock_name: 'pane 1' }] })),
    );
    const looking = await ready(place);
    expect(await carryOut(place.workspace, looking)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(`${one} holds the lock "pane 1"; \`plan abort ${one}\` ends it`),
    });
    expect(await place.workspace.run(two, { snapshot: true }).result).toMatchObject({
      failed: 'step:1',
      reason: expect.stringContaining(one),
    });
    await place.workspace.abort(one);
    expect(await carryOut(place.workspace, await ready(place))).toMatchObject({ status: 'succeeded' });
    expect(JSON.stringify(await place.workspace.doctor())).not.toContain('STRANGE_FILE');
  });

  test('N9: a run that waits for the lock of one that was interrupted says which, and what frees it', async () => {
    const place = await newPlace(wa(lock('acquire_lock', { timeout_ms: 60_000 }), {}), TOOLS);
    const [one, two] = [await ready(place), await ready(place)];
    const stopped = new AbortController();
    const first = place.workspace.run(one, { signal: stopped.signal });
    for await (const event of first)
      if (event.type === 'run_event' && event.event.type === 'attempt_ended') stopped.abort();
    expect(await first.result).toMatchObject({ status: 'interrupted' });

    const second = place.workspace.run(two, {});
    const waits: object[] = [];
    const shown: unknown[] = [];
    for await (const event of second)
      if (event.type === 'step_waits') {
        waits.push(event);
        // Who looks from elsewhere sees it as well: it stands in the log.
        const [step] = await until(async () => {
          const { steps } = await place.as({}).runs.show(two);
          return steps[0]?.waits == null ? null : steps;
        });
        shown.push(step?.waits);
        await place.workspace.abort(one);
      }
    expect(waits).toEqual([
      {
        type: 'step_waits',
        step: 'step:1',
        message: `${one} holds the lock "pane 1"; \`plan abort ${one}\` ends it and frees that`,
      },
    ]);
    expect(await second.result).toMatchObject({ status: 'succeeded' });
    expect(shown).toEqual([expect.stringContaining(`it is waited for: ${one} holds the lock`)]);
    const { steps, checks } = await place.workspace.runs.show(two);
    expect({ waits: steps[0]?.waits, checks }).toEqual({ waits: null, checks: [] });
  });

  test('N9: a lock that is given back can be taken, and is waited for as long as the plan says', async () => {
    const place = await newPlace(
      wa(lock('acquire_lock', { timeout_ms: 30_000 }), lock('release_lock'), {
        preconditions: [{ type: 'lock_held', lock_name: 'pane 1' }],
      }),
      TOOLS,
    );
    expect(await carryOut(place.workspace, await ready(place))).toMatchObject({
      failed: 'step:3',
      reason: expect.stringContaining('nobody holds the lock'),
    });
  });
});

describe('panes of wa', () => {
  const plan = wa({ action: { type: 'send_text', pane_id: 1, text: 'x' } });

  test('W7: a pane that is another one of the same number by now is not written to', async () => {
    const place = await newPlace(plan, WITH_PANES);
    writeFileSync(join(place.folder, 'panes'), '1 ada\n2 bob\n');
    const run = await ready(place);
    writeFileSync(join(place.folder, 'panes'), '1 eve\n');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_PANE_MISMATCH' });
    writeFileSync(join(place.folder, 'panes'), '2 bob\n');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_PANE_MISMATCH' });
    expect(logOf(place, run)).not.toContain('attempt_started');
    writeFileSync(join(place.folder, 'panes'), '1 ada\n');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('W7: a pane of which nobody can tell which it is is no reason not to look: it is not prepared', async () => {
    expect(await refusedWith(await newPlace(plan, TOOLS))).toBe('UNKNOWN_PANE');
    const place = await newPlace(plan, WITH_PANES);
    expect(await refusedWith(place)).toBe('UNKNOWN_PANE');
    writeFileSync(join(place.folder, 'panes'), '2 bob\n');
    expect(await refusedWith(place)).toBe('UNKNOWN_PANE');
  });
});

describe('what is refused before anything is sent', () => {
  test('W21: a pattern that is none', async () => {
    const step = { id: 'a', tool: 'look', args: {} };
    const check = (pattern: string) => ({ type: 'seen', args: { pattern } });
    for (const part of ['preconditions', 'verifications']) {
      const plan = { schema_version: '1.0', goal: 'g', steps: [{ ...step, [part]: [check('(')] }] };
      expect(await refusedWith(await newPlace(plan, TOOLS))).toBe('WRONG_CONDITION');
    }
    const plan = { schema_version: '1.0', goal: 'g', preconditions: [check('[z-a]')], steps: [step] };
    expect(await refusedWith(await newPlace(plan, TOOLS))).toBe('WRONG_CONDITION');
    const missing = {
      schema_version: '1.0',
      goal: 'g',
      preconditions: [{ type: 'seen', args: {} }],
      steps: [step],
    };
    expect(await refusedWith(await newPlace(missing, TOOLS))).toBe('WRONG_CONDITION');
    const good = { schema_version: '1.0', goal: 'g', preconditions: [check('^looked')], steps: [step] };
    expect(await refusedWith(await newPlace(good, TOOLS))).toBe('prepared');
    // What a reference brings is not known before, and does not hold then.
    const later = {
      schema_version: '1.0',
      goal: 'g',
      steps: [step, { ...step, id: 'b', verifications: [check('${a.text}(')] }],
    };
    const place = await newPlace(later, TOOLS);
    expect(await carryOut(place.workspace, await ready(place))).toMatchObject({
      status: 'failed',
      failed: 'b',
    });
  });

  test('N10: the code of an approval in a plan; stricter than wa, which keeps it', async () => {
    const place = await newPlace(
      wa({ action: { type: 'validate_approval', approval_code: 'ABCD1234' } }),
      TOOLS,
    );
    const thrown: unknown = await place.workspace.prepare('plan.json', {}).catch((error: unknown) => error);
    expect(JSON.stringify(thrown)).toContain('CODE_IN_PLAN');
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain('ABCD1234');
    expect(existsSync(join(place.folder, '.plans/runs'))).toBe(false);
  });
});

const soul = (...kinds: readonly unknown[]) => ({
  task_id: 'task',
  title: 'a plan',
  description: '',
  created_at: '2026-01-01T00:00:00Z',
  meta: { rationale: [], risk_assessment: [], vendor_context: {} },
  steps: kinds.map((kind, index) => ({
    id: `step-${index + 1}`,
    title: 'Do',
    detail: '',
    tool: { kind, wait: 'DomReady', timeout_ms: null },
    validations: [],
    requires_approval: false,
    metadata: {},
  })),
});
const CLICK = { Click: { locator: { Css: '#a' } } };
const OPEN = { Navigate: { url: 'https://example.com' } };

describe('a browser', () => {
  test('S15: that cannot do one of the steps is not begun with', async () => {
    const type = { TypeText: { locator: { Css: '#a' }, text: 'x', submit: false } };
    const place = await newPlace(soul(OPEN, type), TOOLS);
    expect(await refusedWith(place)).toBe('UNBOUND_TOOL');
  });

  test('S20: with an empty address, locator or text is not begun with', async () => {
    for (const kind of [
      { Navigate: { url: '' } },
      { Click: { locator: { Css: '' } } },
      { Click: { locator: { Aria: { role: 'button', name: '' } } } },
      { Click: { locator: { Text: { content: '', exact: true } } } },
    ])
      expect(await refusedWith(await newPlace(soul(kind), TOOLS))).toBe('SCHEMA_INVALID');
  });

  test('S16: that a person has taken over is waited for until he gives it back', async () => {
    const place = await newPlace(soul(OPEN, CLICK, CLICK), TOOLS);
    const busy = join(place.folder, 'busy');
    writeFileSync(busy, 'taken\n');
    const run = place.workspace.run(await ready(place));
    const seen: string[] = [];
    for await (const event of run) {
      if (event.type !== 'run_event') continue;
      const { event: told } = event;
      seen.push(told.type === 'checked' ? `${told.type} ${told.ok}` : told.type);
      if (told.type === 'checked' && !told.ok) setTimeout(() => writeFileSync(busy, 'free\n'), 50);
    }
    expect(await run.result).toMatchObject({ status: 'succeeded' });
    // It was waited for once, before the first click, and nothing was called meanwhile.
    expect(seen.slice(2, 5)).toEqual(['checked false', 'checked true', 'attempt_started']);
    expect(seen.filter((one) => one === 'checked true')).toHaveLength(1);
  });

  test('S16: that nobody gives back can be left; the run goes on later', async () => {
    const place = await newPlace(soul(CLICK), TOOLS);
    writeFileSync(join(place.folder, 'busy'), 'taken\n');
    const name = await ready(place);
    const run = place.workspace.run(name, { timeout: 300 });
    expect(await run.result).toMatchObject({ status: 'interrupted' });
    expect(logOf(place, name)).not.toContain('attempt_started');
    await sleep(1);
    writeFileSync(join(place.folder, 'busy'), 'free\n');
    expect(await carryOut(place.workspace, name)).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(join(place.folder, 'busy'), 'utf8')).toBe('free\n');
  });

  test('S7: whose program answers that it did not succeed fails the step', async () => {
    const prints = (text: string, more = '') =>
      `tools:\n  - { name: 'soul:Navigate', effects: none, run: { command: [echo, '${text}']${more} } }\n`;
    const reasonOf = async (tools: string) => {
      const place = await newPlace(soul(OPEN, OPEN), tools);
      const { status, failed, reason } = await carryOut(place.workspace, await ready(place));
      return [status, failed, reason];
    };
    const answer = '{"success": false, "error": "x"}';
    expect(await reasonOf(prints(answer))).toEqual(['failed', 'step-1', 'x']);
    expect(await reasonOf(prints(answer, ', output: json'))).toEqual(['failed', 'step-1', 'x']);
    expect(await reasonOf(prints('{"success": false}', ', output: lines'))).toEqual([
      'failed',
      'step-1',
      'tool reported failure',
    ]);
    // Of one that was cut nobody can tell.
    const long = (before: string) =>
      `tools:\n  - { name: 'soul:Navigate', effects: none, run: { command: [sh, -c, 'echo "$0"; head -c 2000000 /dev/zero', '${before}'] } }\n`;
    expect(await reasonOf(long('{"success": false,'))).toEqual([
      'failed',
      'step-1',
      expect.stringContaining('cut: its first 1,048,576 bytes are kept'),
    ]);
    expect(await reasonOf(long('a page'))).toEqual(['succeeded', null, null]);
    // What the plan itself notes is no answer.
    const note = { Custom: { name: 'agent.note', payload: { message: answer } } };
    const place = await newPlace(soul(note), TOOLS);
    expect(await carryOut(place.workspace, await ready(place))).toMatchObject({ status: 'succeeded' });
  });

  test('S18: that brings its user nothing has run well, with a note', async () => {
    const place = await newPlace(soul(OPEN), TOOLS);
    const report = await carryOut(place.workspace, await ready(place));
    expect(report).toMatchObject({
      status: 'succeeded',
      warnings: [expect.stringContaining('brings its user')],
    });
    const note = { Custom: { name: 'agent.note', payload: { message: 'done' } } };
    const told = await newPlace(soul(OPEN, note), TOOLS);
    expect(await carryOut(told.workspace, await ready(told))).toMatchObject({ warnings: [] });
  });
});
