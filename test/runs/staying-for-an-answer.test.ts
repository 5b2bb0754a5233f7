import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { agree, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';

const SERVER = resolve(import.meta.dirname, '../support/mcp/counting.mjs');
/** A server that says how often it was called since it was started. */
const TOOLS = JSON.stringify({
  servers: { page: { command: [process.execPath, SERVER], tools: ['count'] } },
});
const PLAN = {
  schema_version: '1.0',
  title: 'Ask in the middle',
  steps: [
    { id: 'first', tool: 'count', args: {} },
    { id: 'asked', tool: 'count', args: {}, requires_approval: true },
  ],
};

async function begun(wait: string | undefined) {
  const place = await newPlace(PLAN, TOOLS);
  const prepared = await place.workspace.prepare('plan.json', {});
  await agree(place.workspace, prepared.approval?.code ?? '');
  const run = place.workspace.run(prepared.run, wait === undefined ? {} : { wait });
  return { place, name: prepared.run, run };
}

/** The code that is said when a step asks. */
async function codeAsked(run: Awaited<ReturnType<typeof begun>>['run']): Promise<string> {
  for await (const event of run) if (event.type === 'approval_asked') return event.code;
  return '';
}

/** Waits until a run waits, as whoever looks at it sees it. */
async function untilWaiting(place: Place, name: string) {
  for (;;) {
    const shown = await place.workspace.runs.show(name);
    if (shown.status === 'waiting') return shown;
    await sleep(20);
  }
}

test('a process that stays goes on when the step is approved, and what it has opened is as it was', async () => {
  const { place, name, run } = await begun('10m');
  const code = await codeAsked(run);
  const shown = await untilWaiting(place, name);
  expect(shown).toMatchObject({ waiting: [{ step: 'asked', for: 'approval' }] });
  // It is carried out still, and nobody else can.
  const other = await place.workspace.run(name).result.catch((thrown: unknown) => thrown);
  expect(other).toMatchObject({ code: 'RUN_BUSY' });
  await agree(place.workspace, code);
  const report = await run.result;
  expect(report).toMatchObject({
    status: 'succeeded',
    outputs: { first: { text: '1' }, asked: { text: '2' } },
  });
});

test('a process that stays no longer leaves the question, whose code still holds', async () => {
  const { place, name, run } = await begun('1s');
  const report = await run.result;
  expect(report).toMatchObject({ status: 'waiting', waiting: [{ step: 'asked', for: 'approval' }] });
  await agree(place.workspace, report.waiting[0]?.code ?? '');
  // Its server has ended with it.
  const after = await place.workspace.run(name, {}).result;
  expect(after).toMatchObject({ status: 'succeeded', outputs: { asked: { text: '1' } } });
});

test('a process that is paused while it stays loses no question', async () => {
  const { place, name, run } = await begun('10m');
  await untilWaiting(place, name);
  await place.workspace.runs.pause(name);
  const report = await run.result;
  expect(report).toMatchObject({ status: 'waiting', waiting: [{ step: 'asked' }] });
});

test('what would be lost with the process is named when it is prepared: a server, and the page of a kit', async () => {
  const asked = {
    id: 'go',
    tool: 'soul:Navigate',
    args: { url: 'http://localhost:1/' },
    requires_approval: true,
  };
  const place = await newPlace(
    { schema_version: '1.0', steps: [{ id: 'first', tool: 'count', args: {} }, asked] },
    JSON.stringify({ ...JSON.parse(TOOLS), kits: { browser: { origins: ['http://localhost:1'] } } }),
  );
  const { warnings } = await place.workspace.prepare('plan.json', {});
  expect(warnings.join('\n')).toContain(
    'when go asks for approval, the run stops what it started: page, browser;',
  );
});
