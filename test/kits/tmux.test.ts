import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { agree } from '../support/approving.js';
import { temporaryFolder } from '../support/folders.js';
import { carriedOut, newTmux, pasteReader, placeOf, send, waitFor } from '../support/panes.js';
import { hasTmux } from '../support/screen.js';

describe.runIf(hasTmux)('the kit tmux', () => {
  test('sends any text whole, once, with one Enter, and waits for what comes after it alone', async () => {
    const { socket, shown } = newTmux();
    const text = `printf '%s\\n' "done: é;日本 $((20 + 3))";`;
    // What the pattern says stands there before, and in the echo.
    const { ended, shown: run } = await carriedOut(
      [send('echo done: 1'), send(text), waitFor({ type: 'pattern', rule_id: 'done' })],
      socket,
      { rules: 'rules: { done: "^done: .*" }' },
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(run.outputs).toMatchObject({ 'step:3': { matched: 'done', text: 'done: é;日本 23' } });
    expect(shown().match(/^done: é;日本 23$/gm)).toHaveLength(1);
  });

  test('finds what a long text brings, though all before it is gone from what tmux keeps', async () => {
    const { socket, tmux } = newTmux();
    tmux('set-option', '-g', 'history-limit', '50');
    tmux('respawn-pane', '-k', '-t', '%0', 'PS1="$ " exec sh');
    const { ended } = await carriedOut(
      [send('seq 1 5000 | sed "s/^/line /"; echo fin""ished'), waitFor({ type: 'pattern', rule_id: 'end' })],
      socket,
      { rules: 'rules: { end: "^finished" }' },
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
  });

  test('a program that only computes is not idle, whatever stands still; one that waits at its prompt is', async () => {
    const { socket, shown } = newTmux();
    const { ended } = await carriedOut(
      [send('sleep 2; echo late""r'), waitFor({ type: 'pane_idle', idle_threshold_ms: 300 })],
      socket,
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(shown()).toMatch(/^later$/m);
    const stopped = await carriedOut(
      [send('sleep 60'), waitFor({ type: 'pane_idle', idle_threshold_ms: 300 }, 1200)],
      socket,
    );
    expect(stopped.ended).toMatchObject({ status: 'failed', error: 'WAIT_TIMEOUT' });
  });

  test('control characters are typed without Enter, and end a program', async () => {
    const { socket } = newTmux();
    const { ended } = await carriedOut(
      [send('sleep 600'), send('\u0003'), waitFor({ type: 'pane_idle', idle_threshold_ms: 200 })],
      socket,
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
  });

  test('a paste reaches a program that knows of pastes as one', async () => {
    const { socket, shown } = newTmux(pasteReader());
    await expect.poll(shown).toContain('>');
    const { ended } = await carriedOut(
      [
        { action: { type: 'send_text', pane_id: 0, text: 'a\nb', paste_mode: true } },
        waitFor({ type: 'pattern', rule_id: 'got' }),
      ],
      socket,
      { rules: 'rules: { got: "got.* end" }' },
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(shown()).toContain(String.raw`got "\u001b[200~a\rb\u001b[201~\r" end`);
  });

  test('nothing is sent to a full-screen program, nor to a pane in copy mode or that has ended', async () => {
    const { socket, tmux, shown } = newTmux();
    const refused = async () => (await carriedOut([send('rm -rf x')], socket)).ended;
    tmux('copy-mode', '-t', '%0');
    expect(await refused()).toMatchObject({ status: 'failed', error: 'PANE_IN_MODE' });
    tmux('send-keys', '-t', '%0', '-X', 'cancel');
    tmux('send-keys', '-t', '%0', 'printf "\\033[?1049h"; cat', 'Enter');
    await expect.poll(() => tmux('display-message', '-p', '-t', '%0', '#{alternate_on}').trim()).toBe('1');
    expect(await refused()).toMatchObject({ status: 'failed', error: 'ALT_SCREEN' });
    expect(shown()).not.toContain('rm -rf');
    tmux('respawn-pane', '-k', '-t', '%0', 'exit 0');
    await expect.poll(() => tmux('display-message', '-p', '-t', '%0', '#{pane_dead}').trim()).toBe('1');
    await expect(refused()).rejects.toMatchObject({ details: { rule: 'UNKNOWN_PANE' } });
  });

  test('a pane that ended, and whose number came back, is another one', async () => {
    const { socket, tmux, shown } = newTmux();
    const before = await placeOf([send('echo to whom')], socket);
    const prepared = await before.workspace.prepare('plan.json', {});
    await agree(before.workspace, prepared.approval?.code ?? '');
    tmux('respawn-pane', '-k', '-t', '%0', 'PS1="other $ " exec sh');
    await expect(before.workspace.run(prepared.run, {}).result).rejects.toMatchObject({
      code: 'E_PLAN_PANE_MISMATCH',
    });
    // Within the run it is looked at before each text.
    const { ended } = await carriedOut(
      [
        send(`tmux -S ${socket} respawn-pane -k -t %0 'PS1="third $ " exec sh'`),
        waitFor({ type: 'stable_tail', stable_for_ms: 500 }, 3000),
        send('echo to whom'),
      ],
      socket,
    );
    expect(ended).toMatchObject({ status: 'failed', error: 'PANE_REPLACED' });
    expect(shown()).not.toContain('to whom');
  });

  test('conditions of panes, agents and expressions are looked at when it is prepared', async () => {
    const { socket } = newTmux();
    const preconditions = [
      { type: 'pane_exists', pane_id: 0 },
      { type: 'pane_state', pane_id: 0, expected_agent: 'shell', expected_domain: 'local' },
      {
        type: 'custom',
        name: 'quiet',
        expression: 'pane(0).prompt_active && !pane(0).alt_screen && pane(0).command == sh',
      },
      { type: 'pattern_not_matched', pane_id: 0, rule_id: 'error' },
    ];
    const rules = 'rules: { error: { pattern: "^ERROR", flags: i } }\nagents: { shell: { command: "^sh$" } }';
    const { prepared, ended } = await carriedOut([send('true')], socket, { rules, plan: { preconditions } });
    expect(prepared.preconditions?.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(ended).toMatchObject({ status: 'succeeded' });
  });

  test('a rule without a pattern, and an expression that says nothing, are refused when it is prepared', async () => {
    const { socket } = newTmux();
    const unknown = await placeOf([waitFor({ type: 'pattern', rule_id: 'core:x' })], socket);
    await expect(unknown.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      message: expect.stringMatching(/core:x.*\.plans\/panes\.yaml/),
    });
    const custom = { type: 'custom', name: 'x', expression: 'pane(0).colour == red' };
    const wrong = await placeOf([send('x')], socket, { plan: { preconditions: [custom] } });
    await expect(wrong.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      message: expect.stringContaining('colour'),
    });
  });

  test('an agent is compacted, and goes on when it is idle', async () => {
    const agent = join(temporaryFolder(), 'agent.sh');
    outputFileSync(
      agent,
      `printf '\\033]2;agent\\007compaction complete (of yesterday)\\n'
       while printf '> '; read -r said; do
         case $said in
           /compact) echo Compacting…; sleep 1; echo 'compaction complete'; sleep 1;;
           *) echo "working on: $said";;
         esac
       done`,
    );
    const { socket, shown } = newTmux(`exec sh ${agent}`);
    await expect.poll(shown).toMatch(/^>/m);
    const { ended, shown: run } = await carriedOut(
      [
        send('/compact', {
          preconditions: [{ type: 'pane_state', pane_id: 0, expected_agent: 'agent' }],
          verification: { strategy: { type: 'pattern_match', rule_id: 'core:compacted' }, timeout_ms: 8000 },
        }),
        waitFor({ type: 'pane_idle', idle_threshold_ms: 300 }),
        send('go on'),
        waitFor({ type: 'pattern', rule_id: 'core:working' }),
      ],
      socket,
      {
        rules:
          'rules: { "core:compacted": "^compaction complete$", "core:working": "^working on: go on" }\nagents: { agent: { title: "^agent$" } }',
      },
    );
    expect(ended).toEqual({ status: 'succeeded', error: undefined });
    expect(run.outputs).toMatchObject({ 'step:4': { text: 'working on: go on' } });
    const lines = shown().split('\n');
    expect(lines.indexOf('compaction complete')).toBeLessThan(lines.indexOf('working on: go on'));
    expect(lines.filter((line) => line === 'working on: go on')).toHaveLength(1);
  });

  test('a run that another process goes on with knows by its log what came after the text', async () => {
    const { socket } = newTmux();
    const rules = 'rules: { out: "^out [0-9]" }';
    const place = await placeOf(
      [send('echo out 1'), send('sleep 3; echo out 2'), waitFor({ type: 'pattern', rule_id: 'out' })],
      socket,
      { rules },
    );
    const prepared = await place.workspace.prepare('plan.json', {});
    await agree(place.workspace, prepared.approval?.code ?? '');
    const stop = new AbortController();
    const first = place.workspace.run(prepared.run, { signal: stop.signal, dropSignal: stop.signal });
    for await (const event of first)
      if (
        event.type === 'run_event' &&
        event.event.type === 'attempt_started' &&
        event.event.step === 'step:3'
      )
        stop.abort();
    await first.result.catch(() => undefined);
    const ended = await place.as({}).run(prepared.run, {}).result;
    expect(ended).toMatchObject({ status: 'succeeded' });
    const shown = await place.workspace.runs.show(prepared.run, { outputs: true });
    expect(shown.outputs).toMatchObject({ 'step:3': { text: 'out 2' } });
  });
});
