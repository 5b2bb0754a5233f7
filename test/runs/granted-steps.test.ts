import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../src/features/runs/model/run-events.js';
import { agree, carryOut, newPlace, trustApprovers } from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { forgeLog } from '../support/run-logs.js';
import { hasKeygen, newSshKey } from '../support/ssh-keys.js';

const NODE = JSON.stringify(process.execPath);
const TOOLS = `tools:
  - { name: note, run: { file: write, root: notes } }
  - { name: says, effects: none, run: { command: [echo, said] } }
  - { name: runs, effects: none, run: { command: [${NODE}, '\${file}'] } }
  - { name: saves, effects: none, run: { command: [${NODE}, -e, "require('fs').writeFileSync('s.mjs', '0')"], writes: [s.mjs] } }
`;
const ASKS = { requires_approval: true };
const note = (id: string, text: string, more: object = ASKS) => ({
  id,
  tool: 'note',
  args: { path: `${id}.md`, text },
  ...more,
});
const says = { id: 'says', tool: 'says', args: {} };

async function placeWith(steps: readonly object[], more: object = {}): Promise<Place> {
  const place = await newPlace({ schema_version: '1.0', title: 'Try', ...more, steps }, TOOLS);
  writeFileSync(join(place.folder, 's.mjs'), '');
  return place;
}

/** Prepares the plan, and approves it with the steps that can be. */
async function granted({ workspace }: Place, vars: readonly string[] = []) {
  const { run, approval } = await workspace.prepare('plan.json', { var: [...vars] });
  const code = approval?.code ?? '';
  const { shown } = await workspace.approve({ code, steps: true, dryRun: true });
  const report = await workspace.approve({ code, steps: true, agreed: { via: 'terminal', shown } });
  return { run, report };
}

const writtenBy = ({ folder }: Place, id: string) => readFileSync(join(folder, `notes/${id}.md`), 'utf8');
const forgeApproval = (place: Place, run: string, change: (event: RunEvent) => RunEvent) =>
  forgeLog(place.folder, run, (event) =>
    event.type === 'run_approved' && event.granted_with !== undefined ? change(event) : event,
  );

describe('steps that are approved with the run', () => {
  test('are those whose arguments are known, each item of a known list too, and run without asking', async () => {
    const each = { ...note('each', '{{item}}'), foreach: { from: '{{two}}', item_name: 'item' } };
    const place = await placeWith(
      [note('a', '{{who}}'), { ...each, args: { path: '{{item}}.md', text: 'x' } }],
      {
        context: { who: 'ada', two: ['b', 'c'] },
      },
    );
    const { run, report } = await granted(place);
    expect(report).toMatchObject({
      scope: 'run',
      granted: [
        { step: 'a', tool: 'note', args: { path: 'a.md', text: 'ada' } },
        { step: 'each[0]', args: { path: 'b.md' } },
        { step: 'each[1]', args: { path: 'c.md' } },
      ],
      asks_later: [],
    });
    expect(report.parts.map(({ title }) => title)).toContain('Approved with it: each[1] (note)');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded', waiting: [] });
    expect(['a', 'b', 'c'].map((id) => writtenBy(place, id))).toEqual(['ada', 'x', 'x']);
  });

  test('are none without --steps: each asks, as before', async () => {
    const place = await placeWith([note('a', 'x'), note('b', 'x')]);
    const { run, approval } = await place.workspace.prepare('plan.json', {});
    const report = await agree(place.workspace, approval?.code ?? '');
    expect(report).toMatchObject({ granted: [], asks_later: [{ step: 'a' }, { step: 'b' }] });
    // How to approve them is said once.
    expect(report.parts.find(({ title }) => title === 'Asks later')?.lines).toEqual([
      'a: its arguments are known',
      'b: its arguments are known',
      '`plan approve CODE --steps` approves those with the run whose arguments are known.',
    ]);
    expect(await carryOut(place.workspace, run)).toMatchObject({ waiting: [{ step: 'a' }] });
  });

  test('are none that take what another step brings, that hold a secret, or that ask when they fail', async () => {
    const place = await placeWith([
      says,
      note('later', '{{steps.says.text}}'),
      note('token', '$vars.token'),
      note('stands', 'secret:shop'),
      note('fails', 'x', { on_error: { strategy: 'approval', summary: 'go on?' } }),
      note('known', 'x'),
      {
        id: 'whole',
        tool: 'plan',
        args: {},
        plan: { steps: [says, note('in', '{{steps.says.text}}', {})] },
        ...ASKS,
      },
      { id: 'named', tool: 'says', args: { source_step_id: 'says' }, ...ASKS },
      { ...note('each', '{{item}}'), foreach: { from: '$steps.says.text', item_name: 'item' } },
    ]);
    const { run, report } = await granted(place, ['token=ghp_0123456789abcdefghijABCDEFGHIJ456789']);
    expect(report.granted.map(({ step }) => step)).toEqual(['known']);
    expect(report.asks_later).toEqual([
      { step: 'later', because: 'its arguments are not known yet' },
      { step: 'token', because: 'its arguments hold a secret' },
      { step: 'stands', because: 'its arguments hold a secret' },
      { step: 'fails', because: 'it asks if it fails' },
      { step: 'whole', because: 'its arguments are not known yet' },
      { step: 'named', because: 'its arguments are not known yet' },
      { step: 'each', because: 'its list is not known yet, or is too long' },
    ]);
    expect(await carryOut(place.workspace, run)).toMatchObject({ waiting: [{ step: 'later' }] });
  });

  test('may be within a nested plan, whose preconditions are looked at all the same', async () => {
    const nested = { preconditions: [{ type: 'never', args: {} }], steps: [note('a', 'x')] };
    const place = await newPlace(
      { schema_version: '1.0', title: 'Try', steps: [{ id: 'sub', tool: 'plan', args: {}, plan: nested }] },
      `${TOOLS}checks:\n  never: { tool: says, expect: { const: 1 } }\n`,
    );
    const { run, report } = await granted(place);
    expect(report.granted).toMatchObject([{ step: 'sub/plan/a' }]);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'failed', failed: 'sub' });
  });

  test('may be a nested plan as a whole', async () => {
    const whole = { id: 'whole', tool: 'plan', args: {}, plan: { steps: [note('a', 'x', {})] }, ...ASKS };
    const place = await placeWith([whole]);
    const { run, report } = await granted(place);
    expect(report.granted).toMatchObject([{ step: 'whole', args: { steps: [{ id: 'a', tool: 'note' }] } }]);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('ask again where a file that they name is another one by then', async () => {
    const place = await placeWith([
      { id: 'saves', tool: 'saves', args: {} },
      { id: 'runs', tool: 'runs', args: { file: 's.mjs' }, ...ASKS, depends_on: ['saves'] },
    ]);
    const { run, report } = await granted(place);
    expect(report.granted).toMatchObject([{ step: 'runs', named: [{ path: 's.mjs' }] }]);
    const asked = await carryOut(place.workspace, run);
    expect(asked).toMatchObject({ status: 'waiting', waiting: [{ step: 'runs', for: 'approval' }] });
    await agree(place.workspace, asked.waiting[0]?.code ?? '');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test.each([
    ['a step of it', { args: { file: 's.mjs' } }],
    [
      'an item of its lists',
      { args: { file: '{{item}}' }, foreach: { from: '{{list}}', item_name: 'item' } },
    ],
    [
      'a step that is its own plan',
      { tool: 'plan', args: {}, plan: { steps: [{ id: 'in', tool: 'runs', args: { file: 's.mjs' } }] } },
    ],
  ])(
    'ask again as a nested plan where a file is another one by then that is named by %s',
    async (_by, step) => {
      const whole = { id: 'whole', tool: 'plan', args: {}, ...ASKS, depends_on: ['saves'] };
      const place = await placeWith(
        [
          { id: 'saves', tool: 'saves', args: {} },
          { ...whole, plan: { steps: [{ id: 'runs', tool: 'runs', ...step }] } },
        ],
        { context: { list: ['s.mjs'] } },
      );
      const { run, report } = await granted(place);
      expect(report.granted).toMatchObject([{ step: 'whole', named: [{ path: 's.mjs' }] }]);
      const asked = await carryOut(place.workspace, run);
      expect(asked).toMatchObject({ status: 'waiting', waiting: [{ step: 'whole', for: 'approval' }] });
      await agree(place.workspace, asked.waiting[0]?.code ?? '');
      expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    },
  );

  test('are not run with a tool that is another one by then', async () => {
    const place = await placeWith([note('a', 'x')]);
    const { run } = await granted(place);
    writeFileSync(join(place.folder, '.plans/tools.yaml'), TOOLS.replace('root: notes', 'root: other'));
    const { digest } = await place.workspace.tools.trust({});
    await place.workspace.tools.trust({ digest });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
  });

  test('are named only with the code of a run', async () => {
    const place = await placeWith([note('a', 'x')]);
    const { run, approval } = await place.workspace.prepare('plan.json', {});
    await agree(place.workspace, approval?.code ?? '');
    const { waiting } = await carryOut(place.workspace, run);
    const code = waiting[0]?.code ?? '';
    await expect(place.workspace.approve({ code, steps: true, dryRun: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('the grant of a step', () => {
  const STEPS = [note('a', 'x'), { ...note('b', 'x'), args: { path: 'a.md', text: 'x' } }];

  test.each<[string, (event: RunEvent) => RunEvent, string]>([
    ['another instance', (event) => ({ ...event, scope: 'b' }), 'a'],
    ['other arguments', (event) => ({ ...event, args_digest: '0'.repeat(64) }), 'a'],
    ['another approval of the run', (event) => ({ ...event, granted_with: 'approval-0' }), 'a'],
  ])('is worth nothing for %s', async (_what, change, asking) => {
    const place = await placeWith(STEPS);
    const { run } = await granted(place);
    forgeApproval(place, run, change);
    expect(await carryOut(place.workspace, run)).toMatchObject({ waiting: [{ step: asking }] });
  });

  test('is worth nothing in another run', async () => {
    const place = await placeWith([note('a', 'x')]);
    const { run } = await granted(place);
    const grants: RunEvent[] = [];
    forgeApproval(place, run, (event) => (grants.push(event), event));
    const other = await place.workspace.prepare('plan.json', {});
    const { approval } = await agree(place.workspace, other.approval?.code ?? '');
    forgeLog(place.folder, other.run, (event) =>
      event.type === 'run_approved'
        ? [event, ...grants.map((one) => ({ ...one, granted_with: approval }) as RunEvent)]
        : event,
    );
    expect(await carryOut(place.workspace, other.run)).toMatchObject({ waiting: [{ step: 'a' }] });
  });
});

describe.runIf(hasKeygen())('with signatures (needs ssh-keygen)', () => {
  test('a step is approved with the run when as many have signed it as must', async () => {
    const place = await placeWith([note('a', 'x'), note('b', 'y')]);
    const [ada, bob] = [newSshKey(), newSshKey()];
    writeFileSync(join(place.folder, '.plans/approvers'), `ada ${ada.text}\nbob ${bob.text}\n`);
    const approval = { signers: '.plans/approvers', min: 2 };
    writeFileSync(join(place.folder, '.plans/config.json'), JSON.stringify({ approval }));
    await trustApprovers(place.workspace);
    const sign = (code: string, key: string, steps: boolean) =>
      place.workspace.approve({ code, sign: key, ...(steps ? { steps } : {}) });
    const first = await place.workspace.prepare('plan.json', {});
    await sign(first.run, ada.key, true);
    await sign(first.run, bob.key, true);
    expect(await carryOut(place.workspace, first.run)).toMatchObject({ status: 'succeeded' });
    // One who has not granted it is asked when the step is; the other is not asked twice.
    const second = await place.workspace.prepare('plan.json', {});
    await sign(second.run, ada.key, true);
    await sign(second.run, bob.key, false);
    expect(await carryOut(place.workspace, second.run)).toMatchObject({ waiting: [{ step: 'a' }] });
    await expect(sign(second.run, ada.key, false)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    expect(await sign(second.run, bob.key, false)).toMatchObject({ signatures: { given: 2, needed: 2 } });
    expect(await carryOut(place.workspace, second.run)).toMatchObject({ waiting: [{ step: 'b' }] });
  });
});
