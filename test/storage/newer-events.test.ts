import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { withFileChecksum } from '../../src/storage/log/checksum.js';
import { readEvents, inOrder } from '../support/format-reader.js';
import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

/** A line as another version writes it. */
function lineOf(event: object): string {
  const body = JSON.stringify(event).slice(0, -1);
  return `\n${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}\n`;
}

const newer = (clock: number, replica = 'rnew') => ({
  id: `newer${clock}`,
  at: '2026-03-01T00:00:00Z',
  by: 'ana',
  replica,
  clock,
  type: 'plan_frozen',
  until: 'spring',
});

describe('an event of a type that only a newer version knows', () => {
  async function withNewer(clock: number): Promise<Workplace> {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    appendFileSync(place.eventLog, lineOf(newer(clock)));
    return place;
  }

  test('changes nothing, and what is written after it comes after it', async () => {
    const place = await withNewer(50);
    const [outcome] = await place.change(complete('a'));
    expect([outcome?.refused, outcome?.event.clock]).toEqual([null, 51]);
    const order = inOrder(readEvents(readFileSync(place.eventLog))).map(
      ({ type }: { readonly type: string }) => type,
    );
    expect(order.slice(-2)).toEqual(['plan_frozen', 'goal_completed']);
    expect((await place.run(['show', id('a'), '--json'])).json()).toMatchObject({
      goal: { status: 'complete' },
    });
  });

  test('is named by the plan file that passes over it, for versions that know it', async () => {
    const place = await withNewer(50);
    await place.change(complete('a'));
    const file = join(place.store, `${PLAN}.json`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      log: { unknown: ['plan_frozen'], clocks: { rnew: 50 } },
    });
    expect((await place.run(['doctor'])).out).toContain('plan_frozen');
  });

  test('a plan file of a version that passed over what this one knows does not count', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), { type: 'plan_archived' });
    const file = join(place.store, `${PLAN}.json`);
    // As a version publishes it that knows of no archiving.
    const text = readFileSync(file, 'utf8')
      .replace(/,\n {2}"archived_at": "[^"]*"/, '')
      .replace(/(\n {4}"clocks": \{)/, '\n    "unknown": ["plan_archived"],$1')
      .replace(/,\n {2}"crc": "[0-9a-f]{8}"\n\}\n$/, '');
    expect(text).not.toContain('archived_at');
    writeFileSync(file, Buffer.concat([...withFileChecksum([text])]));
    expect((await place.open()).archived).toBe(true);
    expect((await place.run(['list', '--archived'])).out).toContain(PLAN);
    expect((await place.run(['status', PLAN])).out).toContain('archived');
  });
});
