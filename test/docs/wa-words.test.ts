import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import type { PlanError } from '../../src/kernel/errors.js';
import { agree, logOf, newPlace, prepare } from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const PAGE = readFileSync(resolve('docs/running.md'), 'utf8');
const TOOLS = `tools:
  - name: 'wa:send_text'
    effects: once
    run: { command: [echo, 'sent \${text}'] }
  - { name: 'wa:mark_event_handled', effects: once, run: { command: ['false'] } }
  - { name: 'wa:store_data', effects: once, run: { command: [sleep, '2'] } }
  - { name: pane, effects: none, run: { command: [cat, pane] } }
  - { name: quiet, effects: none, run: { command: [cat, quiet] } }
panes: { tool: pane, identity: text }
checks:
  'wa:custom': { tool: quiet, expect: { type: string, const: yes } }
`;

/** The rows of the table below a heading, each as its cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, table = ''] =
    new RegExp(String.raw`${heading}[\s\S]*?\n\|[^\n]*\n\| -[^\n]*\n((?:\|[^\n]*\n)+)`).exec(PAGE) ?? [];
  return table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** A plan of wa that sends a text to a pane, and what it is prepared as. */
async function prepared(action: object = { type: 'send_text', pane_id: 1, text: 'x' }) {
  const place = await newPlace({}, TOOLS);
  const at = (name: string) => join(place.folder, name);
  writeFileSync(at('pane'), 'ada');
  writeFileSync(at('quiet'), 'yes');
  const plan = {
    plan_version: 1,
    plan_id: 'plan:00000000000000000000000000000000',
    title: 'Send',
    workspace_id: place.folder,
    preconditions: [{ type: 'custom', name: 'quiet', expression: 'quiet' }],
    steps: [{ step_number: 1, step_id: 'step:1', description: 'Send', idempotent: false, action }],
  };
  writeFileSync(at('plan.json'), JSON.stringify(plan));
  const report = await place.workspace.prepare('plan.json', {});
  const code = report.approval?.code ?? '';
  return { place, at, report, code, run: report.run, agree: () => agree(place.workspace, code) };
}

/** How a run is refused that was prepared, and then met with this. */
async function refusal(
  change: (made: Awaited<ReturnType<typeof prepared>>) => unknown,
  by?: (made: Awaited<ReturnType<typeof prepared>>) => Place['workspace'],
  action?: object,
) {
  const made = await prepared(action);
  await change(made);
  const before = logOf(made.place, made.run);
  const workspace = by?.(made) ?? made.place.workspace;
  const thrown: unknown = await workspace.run(made.run, {}).result.catch((error: unknown) => error);
  // The approval is used up by the event that a run starts with.
  expect(logOf(made.place, made.run).slice(before.length)).not.toContain('run_started');
  return thrown;
}

type Met = Parameters<typeof refusal>;
const approved =
  (then: Met[0] = () => undefined): Met[0] =>
  async (made) => {
    await made.agree();
    await then(made);
  };

const ended = (outcome: 'failed' | 'aborted') =>
  refusal(
    approved(({ place, run }) =>
      outcome === 'aborted' ? place.workspace.abort(run) : place.workspace.run(run, {}).result,
    ),
    undefined,
    outcome === 'failed' ? { type: 'mark_event_handled', event_id: 1 } : undefined,
  );

/** Each problem of the page, as it is met. */
const PROBLEMS: Readonly<Record<string, () => Promise<unknown>>> = {
  'no such run': async () =>
    (await newPlace()).workspace.run('run-00000000', {}).result.catch((error: unknown) => error),
  'another workspace': () =>
    refusal(approved(), ({ place }) => {
      const folder = temporaryFolder();
      cpSync(place.folder, folder, { recursive: true });
      return place.as({ folder });
    }),
  'preparation or approval expired': () =>
    refusal(approved(), ({ place }) => place.as({ now: () => Date.now() + 16 * 60_000 })),
  'already succeeded or failed': () => ended('failed'),
  aborted: () => ended('aborted'),
  'approval missing': () => refusal(() => undefined),
  'approval of another plan': () =>
    refusal(async ({ place, run }) => {
      const other = await prepared({ type: 'send_text', pane_id: 1, text: 'y' });
      await other.agree();
      const [given = ''] = /^.*"type":"run_approved".*$/m.exec(logOf(other.place, other.run)) ?? [];
      appendFileSync(join(place.folder, '.plans/runs', `${run}.events.jsonl`), `${given}\n`);
    }),
  'approval used before': () =>
    refusal(
      approved(async ({ place, run }) => {
        const before = logOf(place, run);
        await place.workspace.run(run, {}).result;
        writeFileSync(join(place.folder, '.plans/runs', `${run}.events.jsonl`), before);
      }),
    ),
  'plan file or policy changed': () => refusal(approved(({ at }) => appendFileSync(at('plan.json'), '\n'))),
  'a pane is gone or replaced': () => refusal(approved(({ at }) => writeFileSync(at('pane'), 'eve'))),
  'a precondition fails': () => refusal(approved(({ at }) => writeFileSync(at('quiet'), 'no'))),
  'a tool or condition changed': () =>
    refusal(
      approved(async ({ at, place: { workspace } }) => {
        writeFileSync(at('.plans/tools.yaml'), TOOLS.replace('sent', 'SENT'));
        const { digest } = await workspace.tools.trust({});
        await workspace.tools.trust({ digest });
      }),
    ),
  'the tools file is not trusted': () =>
    refusal(approved(({ at }) => writeFileSync(at('.plans/tools.yaml'), TOOLS.replace('sent', 'SENT')))),
  'a file to be overwritten changed': async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    outputFileSync(join(place.folder, 'notes/a.md'), 'mine');
    return place.workspace.run(run, {}).result.catch((error: unknown) => error);
  },
  'another process carries it out': async () => {
    const { place, run, agree: approve } = await prepared({ type: 'store_data', key: 'k', value: 1 });
    await approve();
    const first = place.workspace.run(run, {});
    for await (const event of first)
      if (event.type === 'run_event' && event.event.type === 'attempt_started') break;
    const refused: unknown = await place.workspace.run(run, {}).result.catch((error: unknown) => error);
    await first.result;
    return refused;
  },
  'damaged run log': () =>
    refusal(
      approved(({ place, run }) =>
        appendFileSync(join(place.folder, '.plans/runs', `${run}.events.jsonl`), '{"no": "event"}\n'),
      ),
    ),
};

test('each problem is refused with the code and the cure that the page names, and nothing is written', async () => {
  const rows = rowsBelow('without using up the approval');
  expect(rows.map(([problem]) => problem)).toEqual(Object.keys(PROBLEMS));
  for (const [problem = '', code, cure = ''] of rows) {
    const met = (await PROBLEMS[problem]?.()) as PlanError | undefined;
    expect([problem, `\`${met?.code}\``, met?.hint]).toEqual([
      problem,
      code?.split(' (')[0],
      expect.stringContaining(cure),
    ]);
  }
});

interface Robot {
  readonly prepared: object;
  readonly denied: object;
  readonly ended: object;
}

/** What wa’s prepare returns. */
const PREPARED = [
  'plan_id',
  'plan_hash',
  'plan',
  'requires_approval',
  'approval.code',
  'approval.expires_at',
  'approval.command',
  'commit_command',
];
/** What its commit returns, and in which document it is looked for: of a run that succeeds, or one that fails. */
const RETURNED: Readonly<Record<string, (good: Robot, bad: Robot) => object>> = {
  '`status` success': ({ ended }) => ended,
  '`status` failed': (_, { ended }) => ended,
  '`status` denied': ({ denied }) => denied,
  '`execution_id`': ({ ended }) => ended,
  '`error_code`': ({ denied }) => denied,
  '`remediation`': ({ denied }) => denied,
};

test('what wa’s robot mode returns is there under the name that the page gives it', async () => {
  const user = newUser();
  const at = (name: string) => join(user.folder, name);
  const workspace = openWorkspace({
    environment: { workingFolder: user.folder, homeFolder: user.home, variables: { PATH: process.env.PATH } },
  });
  const plan = { schema_version: '1.0', steps: [{ id: 'a', tool: 't', args: {} }] };
  const run = async (program: string) => {
    outputFileSync(at('.plans/tools.yaml'), `tools: [{ name: t, run: { command: ['${program}'] } }]`);
    outputFileSync(at('plan.json'), JSON.stringify(plan));
    const { digest } = await workspace.tools.trust({});
    await workspace.tools.trust({ digest });
    const prepared = (await user.run(['prepare', 'plan.json', '--json'])).json();
    const name = String(prepared['plan_id']);
    const denied = await user.run(['commit', name, '--json']);
    await agree(workspace, (prepared['approval'] as { readonly code: string }).code);
    const ended = (await user.run(['commit', name, '--json'])).json();
    return { prepared, denied: { ...denied.json(), exit: denied.status }, ended };
  };
  const [good, bad] = [await run('true'), await run('false')];
  const anything: unknown = expect.anything();
  const [, same = ''] = /robot mode\. `plan prepare` has (.*), as there\./.exec(PAGE) ?? [];
  const named = Array.from(same.matchAll(/`([\w.]+)`/g), ([, name = '']) => name);
  expect(named).toEqual(PREPARED);
  for (const name of named) expect([name, memberAt(good.prepared, name)]).toEqual([name, anything]);
  const rows = rowsBelow('in the words of wa’s robot mode');
  expect(rows.map(([theirs]) => theirs)).toEqual(Object.keys(RETURNED));
  for (const [theirs = '', ours = ''] of rows) {
    const [, path = '', value] = /^`([\w.]+)(?:: (\w+))?`/.exec(ours) ?? [];
    const asked = /^\d+$/.test(value ?? '') ? Number(value) : (value ?? anything);
    expect([theirs, memberAt(RETURNED[theirs]?.(good, bad), path)]).toEqual([theirs, asked]);
  }
});

/** Returns what a document has at a path such as `approval.code`. */
function memberAt(document: unknown, path: string): unknown {
  return path.split('.').reduce((all, part) => (all as Record<string, unknown>)[part], document);
}
