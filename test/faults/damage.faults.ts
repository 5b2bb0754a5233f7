import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import type { PlanEvent } from '../../src/plan/events.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { PlanLog, PlanStore } from '../../src/storage/plan-store.js';
import { newFileStore } from '../support/stores.js';
import { completion, PLAN, preparePlan, reopening, textOf } from './support/plans.js';
import { scale } from './support/scale.js';

/** A line of a log: its event and the bytes that are its own, without the newlines around it. */
interface Line {
  readonly event: PlanEvent;
  readonly from: number;
  readonly to: number;
}

/** A plan with a history of so many events, its log, and the log's lines. */
async function prepareHistory(events: number) {
  const prepared = await preparePlan(3);
  const { log, eventLog } = prepared;
  for (let index = 0; index < events - 2; index += 1)
    await log.append([(index % 2 === 0 ? completion : reopening)(Math.floor(index / 2) % 3)]);
  const bytes = readFileSync(eventLog);
  const all = await log.events();
  let offset = 0;
  const lines: Line[] = bytes
    .toString('latin1')
    .split('\n')
    .flatMap((text) => {
      const from = offset;
      offset += text.length + 1;
      return text === '' ? [] : [{ from, to: from + text.length }];
    })
    // What makes the plan is there twice.
    .map((range, index) => ({ ...range, event: all[Math.max(0, index - 1)] as PlanEvent }));
  return { ...prepared, bytes, lines };
}

describe('a log that is cut off', () => {
  const LAST = 2000;
  const STEP = scale(1, 61);

  test('at every byte of its last 2,000: the plan file makes up for the end, or what is left is the plan', async () => {
    const { folder, log, eventLog, planFile, bytes, lines } = await prepareHistory(14);
    await log.publish('now');
    const whole = textOf(log);
    const published = readFileSync(planFile);
    expect(bytes.length).toBeGreaterThan(LAST);
    for (let cut = bytes.length - LAST; cut < bytes.length; cut += STEP) {
      writeFileSync(eventLog, bytes.subarray(0, cut));
      writeFileSync(planFile, published);
      const withView = await (await newFileStore(folder)).open(PLAN);
      expect({ cut, text: textOf(withView) }).toEqual({ cut, text: whole });
      if (withView.isCutOff) {
        await expect(withView.append([completion(2)])).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
        expect(readFileSync(eventLog).length).toBe(cut);
      }

      rmSync(planFile);
      const left = idsOfLines(lines.filter(({ to }) => to <= cut));
      const store = await newFileStore(folder);
      const opened = await store.open(PLAN);
      expect({ cut, left: await idsOf(opened) }).toEqual({ cut, left });
      const [outcome] = await opened.append([{ type: 'plan_paused', because: 'user' }]);
      await opened.publish('now');
      expect({ cut, left: await idsOf(await store.open(PLAN)) }).toEqual({
        cut,
        left: [...left, outcome?.event.id],
      });
      const torn = lines.find(({ from, to }) => from < cut && cut < to);
      expect({ cut, damage: opened.damage.length }).toEqual({ cut, damage: torn === undefined ? 0 : 1 });
    }
  });
});

describe('a log with a flipped byte', () => {
  const STEP = scale(1, 17);

  test.each([0x01, 0x80])(
    'each byte in turn, by %i: only the events it destroyed are gone, and they are named',
    async (mask) => {
      const { folder, eventLog, planFile, bytes, lines } = await prepareHistory(6);
      copyFileSync(planFile, join(folder, 'kept'));
      for (let at = 0; at < bytes.length; at += STEP) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ mask;
        writeFileSync(eventLog, flipped);
        copyFileSync(join(folder, 'kept'), planFile);
        const hit = lines.filter(({ from, to }) => from <= at && at < to);
        expect(hit.length).toBeLessThanOrEqual(1);
        const store = await newFileStore(folder);
        const opened = await store.open(PLAN, 'log');
        const { damage } = opened;
        const left = idsOfLines(lines.filter((line) => !hit.includes(line)));
        expect({ at, left: await idsOf(opened) }).toEqual({ at, left });
        expect(checkInvariants(toPlanFile(opened.plan))).toEqual([]);
        expect({ at, damage: damage.map(({ kind }) => kind) }).toEqual({
          at,
          damage: hit.map(() => 'damaged'),
        });
        expect(await store.findDamage(PLAN, 'checksums')).toEqual(damage);
        for (const { event, from, to } of hit)
          expectNamed(damage[0]?.reason ?? '', event, bytes, at, { from, to });
        await expectUsable(store);
      }
    },
  );

  function expectNamed(
    reason: string,
    event: PlanEvent,
    bytes: Buffer,
    at: number,
    line: { from: number; to: number },
  ) {
    for (const name of ['id', 'type'] as const) {
      const text = `"${name}":"${event[name]}"`;
      const place = bytes.indexOf(text, line.from);
      const legible = at < place || at >= place + text.length;
      if (legible)
        expect({ at, reason }).toEqual({ at, reason: expect.stringContaining(`${name} ${event[name]}`) });
    }
  }

  /** However the log is damaged, the plan is read from its view, or a clear error says that it cannot be. */
  async function expectUsable(store: PlanStore) {
    const viewed = await store.open(PLAN).catch((thrown: unknown) => thrown);
    if (viewed instanceof PlanError) expect(viewed.code).toBe('STORE_DAMAGED');
    else expect(checkInvariants(toPlanFile((viewed as PlanLog).plan))).toEqual([]);
  }
});

async function idsOf(log: PlanLog): Promise<readonly string[]> {
  return (await log.events()).map(({ id }) => id);
}

function idsOfLines(lines: readonly Line[]): readonly string[] {
  return [...new Set(lines.map(({ event }) => event.id))];
}
