import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { onTestFinished } from 'vitest';

import { agree, newPlace } from './approving.js';
import { temporaryFolder } from './folders.js';

export type Part = Readonly<Record<string, unknown>>;

/** A real tmux with one pane, %0, in which a program runs. */
export function newTmux(program = 'PS1="$ " exec sh') {
  const socket = join(temporaryFolder(), 'tmux');
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-u', '-f', '/dev/null', '-S', socket, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', SHELL: '/bin/sh', HOME: '/' },
    });
  tmux('new-session', '-d', '-x', '60', '-y', '12', program);
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const shown = () => tmux('capture-pane', '-p', '-J', '-t', '%0', '-S', '-');
  return { socket, tmux, shown };
}

/** A program that knows of pastes, and says on its screen what it got once that ends with Enter. */
export function pasteReader(): string {
  const reader = join(temporaryFolder(), 'reader.mjs');
  outputFileSync(
    reader,
    `process.stdin.setRawMode(true); process.stdout.write('\\x1b[?2004h> ');
     let all = ''; process.stdin.on('data', (part) => { all += part; if (all.endsWith('\\r')) console.log('\\r\\ngot ' + JSON.stringify(all) + ' end'); });`,
  );
  return `exec ${process.execPath} ${reader}`;
}

/** A plan of wa with these actions, each a step of its own. */
export function wa(steps: readonly Part[], more: Part = {}): object {
  return {
    plan_version: 1,
    plan_id: 'plan:00000000000000000000000000000000',
    title: 'a plan',
    workspace_id: '.',
    ...more,
    steps: steps.map((step, index) => ({
      step_number: index + 1,
      step_id: `step:${index + 1}`,
      description: 'a step',
      idempotent: false,
      ...step,
    })),
  };
}
export const send = (text: string, more: Part = {}) => ({
  action: { type: 'send_text', pane_id: 0, text },
  ...more,
});
export const waitFor = (condition: Part, timeout_ms = 8000) => ({
  action: { type: 'wait_for', pane_id: 0, condition, timeout_ms },
});

/** What a plan of panes is carried out with besides: rules, members of the plan, and by default the kit tmux. */
interface Around {
  readonly rules?: string;
  readonly plan?: Part;
  readonly kit?: string;
  readonly options?: Part;
  /** The PATH of the user. */
  readonly path?: string;
}

/** A folder with a plan of panes, whose tools are trusted. */
export async function placeOf(
  steps: readonly Part[],
  socket: string,
  { rules = '', plan = {}, kit = 'tmux', options = {}, path }: Around = {},
) {
  const tools = JSON.stringify({ kits: { [kit]: { socket, rules: '.plans/panes.yaml', ...options } } });
  const made = await newPlace(wa(steps, plan), 'kits: { vault: {} }\n');
  const place = path === undefined ? made : { ...made, workspace: made.as({ path }) };
  outputFileSync(join(place.folder, '.plans/panes.yaml'), rules);
  outputFileSync(join(place.folder, '.plans/tools.yaml'), tools);
  outputFileSync(
    join(place.folder, 'plan.json'),
    JSON.stringify(wa(steps, { ...plan, workspace_id: place.folder })),
  );
  const { digest } = await place.workspace.tools.trust({});
  await place.workspace.tools.trust({ digest });
  return place;
}

/** Prepares, approves and runs a plan. @returns how it ended, with each step's error and output */
export async function carriedOut(steps: readonly Part[], socket: string, more: Around = {}) {
  const place = await placeOf(steps, socket, more);
  const { workspace } = place;
  const prepared = await workspace.prepare('plan.json', {});
  if (prepared.approval !== null) await agree(workspace, prepared.approval?.code ?? '');
  const ended = await workspace.run(prepared.run, {}).result;
  const shown = await workspace.runs.show(prepared.run, { outputs: true });
  const error = shown.steps.find(({ step }) => step === ended.failed)?.error?.code;
  return { ...place, prepared, ended: { status: ended.status, error }, shown };
}
