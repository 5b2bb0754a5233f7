import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { EVENT_TYPES, eventSchema } from '../../src/plan/events.js';
import { planFileSchema } from '../../src/plan/schema.js';
import { inCanonicalOrder } from '../../src/plan/history.js';
import type { PlanEvent } from '../../src/plan/events.js';
import { decodeEvent } from '../../src/storage/log/event-line.js';
import { checksumOf, inOrder, readPlan, TYPES_READ } from '../support/format-reader.js';
import { claim, complete, expand, fail, id, newWorkplace, replan } from '../support/worked-plan.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(REPOSITORY, 'docs/format.md'), 'utf8');
const EXAMPLE = join(REPOSITORY, '.frctl-example');
const LOGS = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.events.jsonl'),
);

test('the reader written from the page knows every type of event, and no other', () => {
  expect(TYPES_READ.toSorted()).toEqual(EVENT_TYPES.toSorted());
});

test.each(LOGS)('a reader written from the page reads %s to the plan that the program published', (name) => {
  const path = join(EXAMPLE, name);
  const {
    log: _log,
    crc: _crc,
    ...published
  } = planFileSchema.parse(JSON.parse(readFileSync(path.replace('.events.jsonl', '.json'), 'utf8')));
  expect(readPlan(path)).toEqual(published);
});

test('and a plan with failures, refusals, undoing, a pause and warnings', async () => {
  const place = await newWorkplace();
  const usage = { calls: 2, input_tokens: 10, output_tokens: 5, cost_usd: 0.25, seconds: 0.0214 };
  const warnings = Array.from({ length: 30 }, () => ({ code: 'ODD', goal_id: null, message: 'odd' }));
  await place.change({ ...expand('root', ['a', 'b'], ['d']), usage, warnings });
  await place.change(complete('a'), complete('a'), fail('b'), { type: 'plan_paused', because: 'user' });
  await place.run(['undo', '--any', '--yes']);
  await place.change(complete('b'), expand('d', ['e']), expand('d', ['f']), complete('e'));
  await place.change({ type: 'goal_reopened', goal: id('b') }, { type: 'goal_reopened', goal: id('d') });
  await place.change({ type: 'plan_archived' }, { type: 'plan_archived' }, { type: 'plan_unarchived' });
  await place.change({ type: 'damage_accepted', damage: [{ mark: '0123abcd-7' }, { mark: '0123abcd-7' }] });
  await place.run(['undo', '--any', '--yes']);
  const exported = (await place.run(['export', '--json'])).json();
  expect(readPlan(place.eventLog)).toEqual(JSON.parse(String(exported.content)));
});

test('and a plan that was claimed, replanned and edited, with what was refused and undone', async () => {
  const place = await newWorkplace();
  const goal = id('a');
  await place.change(expand('root', ['a', 'b', 'c'], ['d']), expand('d', ['e', 'f']));
  await place.change(claim('a', 't1'), claim('a', 't2'), complete('b'));
  await place.change({ type: 'claim_renewed', goal, token: 't1', expires_at: '2099-01-01T00:00:00Z' });
  await place.change({ type: 'goals_merged', goal: id('e'), merged: [id('f')], description: 'Both' });
  await place.change(replan('d', ['e'], ['g', 'h']), replan('root', ['a'], ['i']));
  await place.run(['undo', '--any', '--yes']);
  await place.change({ type: 'goal_moved', goal: id('c'), parent: id('d'), at_index: 0 });
  await place.change({ type: 'goal_edited', goal: id('c'), fields: { description: 'Do it', tags: ['new'] } });
  await place.change({
    type: 'dependencies_changed',
    changes: [{ goal: id('e'), add: [id('b')], remove: [] }],
  });
  await place.change({ type: 'claim_released', goal, forced: true }, { type: 'goal_removed', goal });
  await place.change({ type: 'expansion_rolled_back', goal: id('d') });
  const exported = (await place.run(['export', '--json'])).json();
  expect(readPlan(place.eventLog)).toEqual(JSON.parse(String(exported.content)));
});

test('the worked example of the checksum is right', () => {
  const [, digits, body, line] =
    /is `([0-9a-f]{8})`,\n\n```text\n(.*)\n```\n\nso the line is\n\n```text\n(.*)\n```/.exec(PAGE) ?? [];
  expect(checksumOf(Buffer.from(body ?? ''))).toBe(digits);
  expect(line).toBe(`${body ?? ''},"crc":"${digits ?? ''}"}`);
  expect(decodeEvent(Buffer.from(line ?? ''))).toHaveProperty('event');
});

test('the worked example of the order is right', () => {
  const rows = [...PAGE.matchAll(/^\| \d +\| (\w) +\| (\w+) +\| (\d) +\| \d +\| (\w+) +\|$/gm)];
  const events = rows.map(([, name = '', replica = '', clock]) => ({
    id: name,
    replica,
    clock: Number(clock),
  }));
  expect(events).toHaveLength(6);
  const wanted = rows
    .filter(([, , , , applied]) => applied !== 'never')
    .toSorted((a, b) => Number.parseInt(a[4] ?? '', 10) - Number.parseInt(b[4] ?? '', 10))
    .map(([, name]) => name);
  expect(inOrder(events).map((event: { readonly id: string }) => event.id)).toEqual(wanted);
  const ordered = inCanonicalOrder(events as unknown as PlanEvent[]).map((event) => event.id);
  expect([...new Set(ordered)]).toEqual(wanted);
});

test('the page describes every type of event with every field, and no other type', () => {
  const described = [...PAGE.matchAll(/^\*\*([a-z_]+)\*\*: ([\s\S]*?)(?=\n\n)/gm)];
  const known = eventSchema.options.map(({ shape }) => shape.type.value);
  expect(new Set(described.map(([, type]) => type))).toEqual(new Set(known));
  const stamp = new Set(['id', 'at', 'by', 'replica', 'clock', 'change', 'again', 'type']);
  for (const { shape } of eventSchema.options) {
    const text = described.find(([, type]) => type === shape.type.value)?.[2] ?? '';
    for (const field of Object.keys(shape).filter((name) => !stamp.has(name)))
      expect([shape.type.value, text]).toEqual([shape.type.value, expect.stringContaining(`\`${field}\``)]);
  }
});

test('a plan file’s checksum is what the page says', async () => {
  const bytes = readFileSync(join(EXAMPLE, '8f03b6d4.json'));
  const end = /,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/.exec(bytes.toString('utf8'));
  expect(checksumOf(bytes.subarray(0, bytes.length - (end?.[0].length ?? 0)))).toBe(end?.[1]);
});
