import { describe, expect, test } from 'vitest';

import type { RunStore } from '../../src/features/runs/storage/run-store.js';
import { wrongCodesOfRun } from '../../src/features/runs/model/run.js';
import { numberFromText } from '../../src/kernel/json/json-value.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { approvedWith, attemptOf, preparedWith, startedWith } from './runs.js';

const RUN = 'run-0000abcd';
const PREPARED = preparedWith({ expires_at: '2999-01-01T00:00:00Z' });

/** A store of runs, and the same once more. */
interface Runs {
  readonly store: RunStore;
  readonly open: () => RunStore;
}

/**
 * What every store of runs must do.
 * @param open opens the same store once more, as another process would; each call of `make` is a new one
 */
export function runStoreContract(name: string, make: () => Runs | Promise<Runs>): void {
  describe(`${name} keeps runs`, () => {
    test('a run that was made is there for whoever opens it', async () => {
      const { store, open } = await make();
      const log = await store.create(PREPARED);
      await log.append([startedWith()]);
      const again = await open().open(RUN);
      expect(again.run.prepared).toMatchObject({ run: RUN, plan: '{}' });
      expect(again.run.running).toBe(true);
      expect((await again.events()).map(({ type }) => type)).toEqual(['run_prepared', 'run_started']);
    });

    test('a run of that id is made once', async () => {
      const { store, open } = await make();
      await store.create(PREPARED);
      await expect(open().create(PREPARED)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    });

    test('what there is not cannot be opened or purged, nor can what is no id', async () => {
      const { store } = await make();
      for (const run of ['run-00000000', '', '..', '../../etc', 'run-0000ABCD', 'run-0000abcd/x']) {
        await expect(store.open(run)).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
        await expect(store.purge(run)).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
      }
    });

    test('an append tells which events were refused, and keeps them', async () => {
      const { store } = await make();
      const log = await store.create(PREPARED);
      const outcomes = await log.append([startedWith(), startedWith(), attemptOf('a', 2)]);
      expect(outcomes.map(({ refused }) => refused?.code)).toEqual([undefined, 'run_taken', 'run_taken']);
      expect(await log.events()).toHaveLength(4);
    });

    test('of two that start a run at once the first does', async () => {
      const { store, open } = await make();
      const one = await store.create(PREPARED);
      const two = await open().open(RUN);
      const outcomes = await Promise.all([one.append([startedWith()]), two.append([startedWith()])]);
      expect(outcomes.flat().filter(({ refused }) => refused === null)).toHaveLength(1);
      await Promise.all([one.refresh(), two.refresh()]);
      expect(one.run.executor?.id).toBe(two.run.executor?.id);
    });

    test('what others have written is read when it is asked for, and before what is appended', async () => {
      const { store, open } = await make();
      const one = await store.create(PREPARED);
      const two = await open().open(RUN);
      await two.append([approvedWith()]);
      expect((await one.refresh()).approvals).toHaveLength(1);
      await two.append([{ type: 'abort_requested', reason: 'no' }]);
      await one.append([{ type: 'code_refused' }]);
      expect(one.run.abort_requested).toBe('no');
    });

    test('calls at once are all written, each told of its own', async () => {
      const { store } = await make();
      const log = await store.create(PREPARED);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, () => log.append([{ type: 'code_refused' }])),
      );
      expect(new Set(outcomes.flat().map(({ event }) => event.id)).size).toBe(40);
      expect(wrongCodesOfRun(log.run, undefined)).toBe(40);
    });

    test('each event has the clock after that of the one before it, also of those that are written at once', async () => {
      const { store, open } = await make();
      const log = await store.create(PREPARED);
      const refused = { type: 'code_refused' } as const;
      await Promise.all([
        log.append([refused, refused]),
        log.append([refused]),
        log.append([refused, refused]),
      ]);
      await log.append([refused]);
      const other = await open().open(RUN);
      await other.append([refused]);
      expect((await other.events()).map(({ clock }) => clock)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });

    test('values and bytes are found again by their hash, numbers as they were written', async () => {
      const { store, open } = await make();
      const log = await store.create(PREPARED);
      // In an object literal `__proto__` would be no member.
      const value = {
        ...(JSON.parse('{"__proto__":1,"":{"__proto__":{"polluted":true}}}') as JsonObject),
        big: numberFromText('12345678901234567890'),
        text: 'x'.repeat(100_000),
      };
      expect(Object.keys(value)).toContain('__proto__');
      const digest = await log.keep(value);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(await log.keep(value)).toBe(digest);
      const read = await (await open().open(RUN)).read(digest);
      expect(JSON.stringify(read)).toBe(JSON.stringify(value));
      expect(String((read as { big: unknown }).big)).toBe('12345678901234567890');
      expect(await log.keepBytes(Buffer.from([0, 255]))).toMatch(/^[0-9a-f]{64}$/);
    });

    test('a long output is not held with the state, and is read again from its event', async () => {
      const { store, open } = await make();
      const log = await store.create(PREPARED);
      const [started] = await log.append([startedWith()]);
      const long = { text: 'ä'.repeat(5000) };
      const begun = attemptOf('a', 1, { executor: started?.event.id ?? '' });
      const ended = {
        type: 'attempt_ended',
        step: 'a',
        attempt: 1,
        outcome: 'succeeded',
        output: long,
      } as const;
      // Written together with others, and alone.
      await log.append([begun, ended, { type: 'code_refused' }]);
      for (const one of [log, await open().open(RUN)]) {
        const output = one.run.instances.get('a')?.output;
        expect(JSON.stringify(output).length).toBeLessThan(200);
        expect(await one.output((output as { event: string }).event)).toEqual(long);
        await expect(one.output('nothing')).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
      }
    });

    test('every run is listed, and one that was purged is gone, also for who has it open', async () => {
      const { store, open } = await make();
      const log = await store.create(PREPARED);
      await store.create({ ...PREPARED, run: 'run-00000002' });
      expect((await open().list()).runs.map(({ id }) => id).toSorted()).toEqual(
        [RUN, 'run-00000002'].toSorted(),
      );
      await open().purge(RUN);
      expect((await store.list()).runs.map(({ id }) => id)).toEqual(['run-00000002']);
      await expect(log.append([{ type: 'code_refused' }])).rejects.toMatchObject({
        code: 'E_PLAN_NOT_FOUND',
      });
      await expect(log.refresh()).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
      await expect(store.open(RUN)).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
    });

    test('those that are not over can be listed alone', async () => {
      const { store, open } = await make();
      const ended = await store.create(PREPARED);
      await store.create({ ...PREPARED, run: 'run-00000002' });
      const looked = await store.create({ ...PREPARED, run: 'run-00000003' });
      await ended.append([{ type: 'run_ended', outcome: 'aborted' }]);
      await looked.append([
        { type: 'run_ended', outcome: 'aborted' },
        { type: 'checked', kind: 'precondition', index: 0, ok: true, detail: 'x'.repeat(9000) },
      ]);
      expect((await open().list('open')).runs.map(({ id }) => id)).toEqual(['run-00000002']);
      expect((await open().list()).runs).toHaveLength(3);
    });

    test('N9: a lock is of one run until that gives it back or is over, and then of another', async () => {
      const { store, open } = await make();
      const log = await store.create(PREPARED);
      const other = await store.create({ ...PREPARED, run: 'run-00000002' });
      expect(await open().locks.holder('a')).toBeNull();
      const takers = await Promise.all([store.locks.take('a', RUN), open().locks.take('a', 'run-00000002')]);
      const [winner, loser] = takers[0] === RUN ? [RUN, 'run-00000002'] : ['run-00000002', RUN];
      expect(takers).toEqual([winner, winner]);
      expect(await store.locks.take('a', winner)).toBe(winner);
      await store.locks.giveBack('a', loser);
      expect(await store.locks.holder('a')).toBe(winner);
      expect(await store.locks.take('b', winner)).toBe(winner);
      await store.locks.giveBack('a', winner);
      expect(await open().locks.take('a', loser)).toBe(loser);
      // Its end gives back what it holds.
      await (winner === RUN ? log : other).append([{ type: 'run_ended', outcome: 'aborted' }]);
      expect(await open().locks.holder('b')).toBeNull();
      await open().purge(loser);
      expect(await store.locks.take('a', 'run-00000003')).toBe('run-00000003');
    });

    test('an event that nobody could read is not written', async () => {
      const { store } = await make();
      const log = await store.create(PREPARED);
      await expect(log.append([attemptOf('', 1)])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(await log.events()).toHaveLength(1);
    });

    test('an event that nobody could read holds up no other that is written with it', async () => {
      const { store } = await make();
      const log = await store.create(PREPARED);
      const calls = [[attemptOf('', 1)], [startedWith()], [attemptOf('', 1)]];
      const outcomes = await Promise.allSettled(calls.map((payloads) => log.append(payloads)));
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
      expect(log.run.running).toBe(true);
    });
  });
}
