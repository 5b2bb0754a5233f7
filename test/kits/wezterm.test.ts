import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { agree } from '../support/approving.js';
import { carriedOut, newTmux, pasteReader, placeOf, send, waitFor } from '../support/panes.js';
import type { Part } from '../support/panes.js';
import { hasTmux } from '../support/screen.js';
import { standInWezterm } from '../support/stand-in-wezterm.js';

// wezterm is in no Debian package: a program that answers as it does stands in for it, over real panes.
const kit = 'wezterm';
const options = { alt_screen: 'unknown_is_off' };

describe.runIf(hasTmux && process.platform === 'linux')('the kit wezterm', () => {
  test('sends any text whole, once, with one Enter, and waits for what comes after it alone', async () => {
    const { socket, shown } = newTmux();
    const text = `printf '%s\\n' "done: é;日本 $((20 + 3))";`;
    const { ended, shown: run } = await carriedOut(
      [
        send('echo done: 1\necho done: 2'),
        send(text),
        waitFor({ type: 'pattern', rule_id: 'done' }),
        waitFor({ type: 'pane_idle', idle_threshold_ms: 300 }),
      ],
      socket,
      { kit, options, path: standInWezterm(), rules: 'rules: { done: "^done: .*" }' },
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(run.outputs).toMatchObject({ 'step:3': { matched: 'done', text: 'done: é;日本 23' } });
    expect(shown().match(/^done: é;日本 23$/gm)).toHaveLength(1);
    expect(shown().match(/^done: 2$/gm)).toHaveLength(1);
  });

  test('what is broken by the width of the pane is one line', async () => {
    const { socket } = newTmux();
    const long = 'x'.repeat(150);
    const { ended, shown: run } = await carriedOut(
      [
        send(`echo lo""ng: ${'日本'.repeat(20)}$(printf %0150d 0 | tr 0 x)`),
        waitFor({ type: 'pattern', rule_id: 'long' }),
      ],
      socket,
      { kit, options, path: standInWezterm(), rules: `rules: { long: "^long: .*x{150}$" }` },
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(run.outputs).toMatchObject({ 'step:2': { text: `long: ${'日本'.repeat(20)}${long}` } });
  });

  test('control characters are typed without Enter, and a paste is one', async () => {
    const { socket, shown } = newTmux(pasteReader());
    await expect.poll(shown).toContain('>');
    const { ended } = await carriedOut(
      [
        send('\u0001'),
        { action: { type: 'send_text', pane_id: 0, text: 'a\nb', paste_mode: true } },
        waitFor({ type: 'pattern', rule_id: 'got' }),
      ],
      socket,
      { kit, options, path: standInWezterm(), rules: 'rules: { got: "got.* end" }' },
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(shown()).toContain(String.raw`got "\u0001\u001b[200~a\rb\u001b[201~\r" end`);
  });

  test('nothing is sent where nobody can tell whether a full-screen program is there', async () => {
    const { socket, shown } = newTmux();
    const { ended } = await carriedOut([send('echo sent')], socket, { kit, path: standInWezterm() });
    expect(ended).toMatchObject({ status: 'failed', error: 'ALT_SCREEN' });
    expect(shown()).not.toContain('sent');
  });

  test('a pane that ended, and whose number came back, is another one', async () => {
    const { socket, tmux, shown } = newTmux();
    const before = await placeOf([send('echo to whom')], socket, { kit, options, path: standInWezterm() });
    const prepared = await before.workspace.prepare('plan.json', {});
    await agree(before.workspace, prepared.approval?.code ?? '');
    tmux('respawn-pane', '-k', '-t', '%0', 'PS1="other $ " exec sh');
    await expect(before.workspace.run(prepared.run, {}).result).rejects.toMatchObject({
      code: 'E_PLAN_PANE_MISMATCH',
    });
    expect(shown()).not.toContain('to whom');
  });

  test.each<[string, string, Part]>([
    ['of another machine', 'items[0].tty_name = null;', { code: 'PANE_UNKNOWN' }],
    ['that is dead', 'items[0].is_dead = true;', { rule: 'UNKNOWN_PANE' }],
    ['that is not there', 'items.pop();', { rule: 'UNKNOWN_PANE' }],
  ])('a pane %s is refused when the plan is prepared', async (_, change, expected) => {
    const { socket } = newTmux();
    const place = await placeOf([send('x')], socket, { kit, options, path: standInWezterm(change) });
    const refused: unknown = await place.workspace
      .prepare('plan.json', {})
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify(refused)).toContain(Object.values(expected)[0]);
  });

  test('it is not named beside another kit that binds the same tools', async () => {
    const { workspace, folder } = await placeOf([send('x')], '/nowhere/tmux', { kit: 'tmux' });
    outputFileSync(join(folder, '.plans/tools.yaml'), 'kits: { tmux: {}, wezterm: {} }\n');
    await expect(workspace.tools.list({})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('the kits tmux and wezterm both bind wa:send_text'),
    });
  });

  test('conditions of panes and agents are looked at when it is prepared', async () => {
    const { socket } = newTmux();
    const preconditions = [
      { type: 'pane_state', pane_id: 0, expected_agent: 'shell', expected_domain: 'local' },
      {
        type: 'custom',
        name: 'at a prompt',
        expression: 'pane(0).cwd == "/tmp/a folder" && pane(0).prompt_active',
      },
    ];
    const place = await placeOf([send('true')], socket, {
      kit,
      options,
      path: standInWezterm(),
      rules: 'agents: { shell: { command: "^sh$" } }',
      plan: { preconditions },
    });
    const prepared = await place.workspace.prepare('plan.json', {});
    expect(prepared.preconditions?.map(({ status }) => status)).toEqual(['pass', 'pass']);
  });
});
