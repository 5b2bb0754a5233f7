import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { validatePlanFile } from '../../src/plan/invariants.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { decodeEvent, encodeEvent } from '../../src/storage/log/event-line.js';
import { findStore } from '../../src/storage/file/store-paths.js';
import { withFileChecksum } from '../../src/storage/log/checksum.js';
import type { PlanLog } from '../../src/storage/plan-store.js';
import { temporaryFolder } from '../support/folders.js';
import { examplePlan } from '../support/plans.js';
import { creationOf, expansionOf } from '../support/store-contract.js';
import { newFileStore } from '../support/stores.js';

const ID = '0398a958';

async function storeWithPlan(goals = ['a', 'b', 'c']) {
  const folder = join(temporaryFolder(), '.plans');
  const store = await newFileStore(folder);
  const log = await store.create(creationOf(ID), [
    expansionOf(
      `${ID}-root`,
      goals.map((suffix) => `${ID}-${suffix}`),
    ),
  ]);
  return {
    folder,
    store,
    log,
    eventLog: join(folder, `${ID}.events.jsonl`),
    planFile: join(folder, `${ID}.json`),
  };
}

const complete = (suffix: string) => ({ type: 'goal_completed' as const, goal: `${ID}-${suffix}` });
const stateOf = (log: PlanLog) => stringifyPlanFile(toPlanFile(log.plan));

describe('on disk', () => {
  test('a store has what git needs, and nothing that is temporary', async () => {
    const { folder, log } = await storeWithPlan();
    await log.publish('now');
    expect(readdirSync(folder).toSorted()).toEqual([
      '.gitattributes',
      '.gitignore',
      '.replica',
      `${ID}.events.jsonl`,
      `${ID}.json`,
      'index.json',
      'journal',
    ]);
    expect(readFileSync(join(folder, '.gitattributes'), 'utf8')).toContain('*.events.jsonl merge=union');
  });

  test('every event is a line of its own with a newline on either side and a checksum at its end', async () => {
    const { log, eventLog } = await storeWithPlan();
    await log.append([complete('a')]);
    const text = readFileSync(eventLog, 'utf8');
    expect(text).toMatch(/^(\n\{.*,"crc":"[0-9a-f]{8}"\}\n){4}$/);
  });

  test('the plan file is a valid plan that says how much of the log it reflects', async () => {
    const { log, planFile, eventLog } = await storeWithPlan();
    await log.append([complete('a')]);
    await log.publish('now');
    const { file, problems } = validatePlanFile(JSON.parse(readFileSync(planFile, 'utf8')));
    expect(problems).toEqual([]);
    expect(file?.log).toMatchObject({
      bytes: statSync(eventLog).size,
      event: (await log.events()).at(-1)?.id,
    });
  });

  test('the nearest store upward is found', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.plans'));
    mkdirSync(join(root, 'a', 'b'), { recursive: true });
    expect(findStore(join(root, 'a', 'b'))).toBe(join(root, '.plans'));
    expect(findStore(temporaryFolder())).toBeNull();
  });

  test.each(['../../etc/passwd', '0398A958', '__proto__', '0398a95', ''])(
    '%j never becomes part of a path',
    async (id) => {
      const { store } = await storeWithPlan();
      await expect(store.open(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.purge(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  );
});

describe('looking at a plan', () => {
  const withNewChecksum = (text: string) =>
    Buffer.concat([...withFileChecksum([text.replace(/,\n {2}"crc": "[0-9a-f]{8}"\n\}\n/, '')])]);
  test.each<[string, (files: { planFile: string; eventLog: string }) => void]>([
    ['has no plan file', ({ planFile }) => rmSync(planFile)],
    ['has no log', ({ eventLog }) => rmSync(eventLog)],
    [
      'was edited by hand',
      ({ planFile }) =>
        writeFileSync(planFile, readFileSync(planFile, 'utf8').replace('Do 0398a958-b', 'Do x')),
    ],
    ['was cut off', ({ planFile }) => truncateSync(planFile, 500)],
    ['has a byte more', ({ planFile }) => appendFileSync(planFile, ' ')],
    ['has a torn line after it in the log', ({ eventLog }) => appendFileSync(eventLog, '\n{"id":"torn')],
    ['has lost the end of its log', ({ eventLog }) => truncateSync(eventLog, statSync(eventLog).size - 1)],
    [
      'reflects another event than stands there',
      ({ planFile }) =>
        writeFileSync(
          planFile,
          withNewChecksum(readFileSync(planFile, 'utf8').replace(/("event": ")[^"]*/, '$1other')),
        ),
    ],
    [
      'is of a later format',
      ({ planFile }) =>
        writeFileSync(
          planFile,
          withNewChecksum(readFileSync(planFile, 'utf8').replace('"id"', '"schema_version": "2.0",\n  "id"')),
        ),
    ],
    [
      'has a checksum that fits and goals that do not',
      ({ planFile }) =>
        writeFileSync(
          planFile,
          withNewChecksum(
            readFileSync(planFile, 'utf8').replace(
              /("description": "Do 0398a958-b",[^[]*"child_ids": )\[\]/,
              `$1["${ID}-root"]`,
            ),
          ),
        ),
    ],
  ])('that %s is left to opening it', async (_, change) => {
    const { store, log, planFile, eventLog } = await storeWithPlan();
    await log.append([complete('a')]);
    await log.publish('now');
    expect(await store.view(ID)).not.toBeNull();
    change({ planFile, eventLog });
    expect(await store.view(ID)).toBeNull();
  });

  test('sees what others have written since the plan file was', async () => {
    const { store, log } = await storeWithPlan();
    await log.publish('now');
    await log.append([complete('a')]);
    expect((await store.view(ID))?.counts.complete).toBe(1);
    await log.publish('now');
    expect((await store.view(ID))?.counts.complete).toBe(1);
  });
});

describe('reading a plan', () => {
  test.each([
    ['is missing', (file: string) => rmSync(file)],
    ['is empty', (file: string) => truncateSync(file, 0)],
    ['is cut off', (file: string) => truncateSync(file, 200)],
    [
      'holds merge markers',
      (file: string) =>
        writeFileSync(file, `<<<<<<< ours\n${readFileSync(file, 'utf8')}=======\n>>>>>>> theirs\n`),
    ],
    ['is of an older state', (file: string) => writeFileSync(file, readFileSync(`${file}.old`))],
    [
      'points into the middle of an event',
      (file: string) =>
        writeFileSync(file, readFileSync(file, 'utf8').replace(/"bytes": \d+/, '"bytes": 100')),
    ],
    [
      'names another event',
      (file: string) =>
        writeFileSync(file, readFileSync(file, 'utf8').replace(/"event": "event/, '"event": "other')),
    ],
    [
      'has a broken tree',
      (file: string) =>
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace('"child_ids": [', `"child_ids": ["${ID}-zz",`),
        ),
    ],
  ])('the log makes up for a plan file that %s', async (_name, damage) => {
    const { store, log, planFile } = await storeWithPlan();
    await log.publish('now');
    copyFileSync(planFile, `${planFile}.old`);
    await log.append([complete('a'), complete('b')]);
    await log.publish('now');
    damage(planFile);
    expect(stateOf(await store.open(ID))).toBe(stateOf(log));
  });

  test('a torn line of a killed writer is passed over, and the next event stands by itself', async () => {
    const { store, log, eventLog } = await storeWithPlan();
    appendFileSync(eventLog, '\n{"id":"torn","at":"2026-01-01T00:00:00Z","by":"x","type":"goal_comp');
    const [outcome] = await log.append([complete('a')]);
    expect(outcome?.refused).toBeNull();
    const reopened = await store.open(ID);
    expect(reopened.plan.counts.complete).toBe(1);
    expect(reopened.damage).toHaveLength(1);
  });

  test('a flipped byte costs only the event it is in', async () => {
    const { store, log, eventLog } = await storeWithPlan();
    await log.append([complete('a')]);
    await log.append([complete('b')]);
    const bytes = readFileSync(eventLog);
    const at = bytes.indexOf('goal_completed');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(eventLog, bytes);
    const reopened = await store.open(ID);
    expect(
      [...reopened.plan.goals.values()].filter(({ status }) => status === 'complete').map(({ id }) => id),
    ).toEqual([`${ID}-b`]);
    expect(reopened.damage[0]?.reason).toContain('checksum');
  });

  test('a plan file without a log is accepted, and becomes the first event of a new log', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    writeFileSync(join(folder, 'a1b2c3d4.json'), stringifyPlanFile(toPlanFile(examplePlan())));
    const log = await store.open('a1b2c3d4');
    expect(existsSync(join(folder, 'a1b2c3d4.events.jsonl'))).toBe(false);
    await log.append([{ type: 'goal_completed', goal: 'a1b2c3d4-g2' }]);
    expect((await log.events()).map(({ type }) => type)).toEqual(['plan_imported', 'goal_completed']);
    expect((await store.open('a1b2c3d4')).plan.counts.complete).toBe(2);
  });

  test('a line of the log may be of any length', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    const { header, goals } = examplePlan();
    const description = 'x'.repeat(3_000_000);
    const plan = makePlan({ ...header, description }, goals.values());
    writeFileSync(join(folder, 'a1b2c3d4.json'), stringifyPlanFile(toPlanFile(plan)));
    const log = await store.open('a1b2c3d4');
    await log.append([{ type: 'goal_completed', goal: 'a1b2c3d4-g2' }]);
    await log.publish('now');
    expect((await store.open('a1b2c3d4')).plan.counts.complete).toBe(2);
    rmSync(join(folder, 'a1b2c3d4.json'));
    expect((await store.open('a1b2c3d4')).plan.header.description).toBe(description);
  });

  test('unknown fields of a plan, a goal and an event survive', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    const file = toPlanFile(examplePlan());
    const root = file.goals['a1b2c3d4-root'];
    const odd = {
      ...file,
      colour: { deep: [1] },
      goals: { ...file.goals, 'a1b2c3d4-root': { ...root, shape: 'round' } },
    };
    writeFileSync(join(folder, 'a1b2c3d4.json'), JSON.stringify(odd));
    const log = await store.open('a1b2c3d4');
    await log.append([{ type: 'goal_completed', goal: 'a1b2c3d4-g2', mood: 'good' }]);
    await log.publish('now');
    const text = readFileSync(join(folder, 'a1b2c3d4.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      colour: { deep: [1] },
      goals: { 'a1b2c3d4-root': { shape: 'round' } },
    });
    expect((await store.open('a1b2c3d4')).plan.header).toMatchObject({ colour: { deep: [1] } });
    expect((await log.events()).at(-1)).toMatchObject({ mood: 'good' });
  });

  test('a plan of a later format is refused with the version that wrote it', async () => {
    const { store, log, planFile } = await storeWithPlan();
    await log.publish('now');
    writeFileSync(
      planFile,
      readFileSync(planFile, 'utf8').replace('"max_depth": 1,', '"max_depth": 1, "schema_version": "2.0",'),
    );
    await expect(store.open(ID)).rejects.toMatchObject({
      code: 'UNSUPPORTED_VERSION',
      message: expect.stringContaining('2.0') as string,
    });
  });
});

describe('a plan file without a log', () => {
  const withExample = async (change: (text: string) => string | Buffer) => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    const planFile = join(folder, 'a1b2c3d4.json');
    writeFileSync(planFile, change(stringifyPlanFile(toPlanFile(examplePlan()))));
    return { store, planFile };
  };

  test('that is not UTF-8 is refused with the place, and nothing is read in its stead', async () => {
    const { store, planFile } = await withExample((text) => {
      const at = text.indexOf('"description": "') + '"description": "'.length;
      const [before, after] = [text.slice(0, at), text.slice(at)].map((part) => Buffer.from(part));
      return Buffer.concat(
        [before ?? '', Buffer.from('ä\uFFFD'), Buffer.of(0xe4), after ?? ''].map((part) => Buffer.from(part)),
      );
    });
    const offset = readFileSync(planFile).indexOf(Buffer.of(0xbd, 0xe4)) + 1;
    await expect(store.open('a1b2c3d4')).rejects.toMatchObject({
      code: 'STORE_DAMAGED',
      message: expect.stringContaining(`byte ${offset}`) as string,
    });
  });

  test.each(['"__proto__"', '"__pr\\u006fto__"', '"\\u005f_proto__"', '"__\\u0070roto__"'])(
    'that has a member called %s is refused with the place, since it could not be kept',
    async (name) => {
      const { store } = await withExample((text) =>
        text.replace('"graph_node_id"', `"x": [1, { ${name}: { "a": 1 } }], "graph_node_id"`),
      );
      await expect(store.open('a1b2c3d4')).rejects.toMatchObject({
        code: 'STORE_DAMAGED',
        message: expect.stringContaining('__proto__') as string,
        details: {
          problems: [{ code: 'LOST_MEMBER', path: '$.goals["a1b2c3d4-root"].x[1].__proto__' }],
        },
      });
    },
  );

  test('may speak of __proto__', async () => {
    const { store } = await withExample((text) =>
      text.replace('"description": "', '"description": "Remove __proto__ \\u005f: '),
    );
    expect((await store.open('a1b2c3d4')).plan.header.description).toContain('__proto__ _');
  });
});

describe('listing', () => {
  test('a bad plan hides no good one and is named', async () => {
    const { folder, store } = await storeWithPlan();
    writeFileSync(join(folder, 'ffffffff.json'), 'not json');
    const { plans, problems } = await store.list();
    expect(plans.map(({ id }) => id)).toEqual([ID]);
    expect(problems).toMatchObject([
      { file: join(folder, 'ffffffff.json'), message: expect.stringContaining('not JSON') as string },
    ]);
  });

  test('the index is only a cache: without it, or with a false one, the list is the same', async () => {
    const { folder, store, log } = await storeWithPlan();
    await log.publish('now');
    const before = await store.list();
    rmSync(join(folder, 'index.json'));
    expect(await store.list()).toEqual(before);
    writeFileSync(join(folder, 'index.json'), '{"plans": "what"}');
    expect(await store.list()).toEqual(before);
    expect(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))).toMatchObject({
      plans: [{ id: ID }],
    });
  });

  test('a change that was not published is listed all the same', async () => {
    const { store, log } = await storeWithPlan();
    await log.publish('now');
    await store.list();
    await log.append([complete('a')]);
    expect((await store.list()).plans[0]?.complete_goals).toBe(1);
  });

  test('what the index knows does not hide that a file is gone, or that a link stands in its place', async () => {
    const { folder, store, log, eventLog, planFile } = await storeWithPlan();
    await log.append([complete('a')]);
    await log.publish('now');
    await store.list();
    renameSync(planFile, join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), planFile);
    expect((await store.list()).problems).toMatchObject([{ file: planFile, code: 'STORAGE_FAILED' }]);
    rmSync(planFile);
    expect((await store.list()).plans).toMatchObject([{ id: ID, complete_goals: 1 }]);
    rmSync(eventLog);
    expect(await store.list()).toEqual({ plans: [], problems: [], perhapsNewest: [] });
  });

  test('a log without its end is listed as its plan file has it, and anew when that changes', async () => {
    const { store, log, eventLog, planFile } = await storeWithPlan();
    const { size } = statSync(eventLog);
    await log.append([complete('a')]);
    await log.publish('now');
    truncateSync(eventLog, size);
    expect((await store.list()).plans).toMatchObject([{ complete_goals: 1 }]);
    writeFileSync(planFile, readFileSync(planFile, 'utf8').replace('Do 0398a958-b', 'Do more'));
    expect((await store.list()).plans).toMatchObject([{ complete_goals: 0 }]);
  });
});

describe('trouble', () => {
  test('temporary files of a killed process that had the same id are in nobody’s way', async () => {
    const { store, log, planFile, eventLog } = await storeWithPlan();
    for (let count = 0; count < 200; count += 1) {
      for (const path of [planFile, eventLog, eventLog.replace(ID, 'ffffffff')])
        writeFileSync(`${path}.${process.pid}-${count}.tmp`, 'left');
    }
    await log.publish('now');
    expect(existsSync(planFile)).toBe(true);
    await store.create(creationOf('ffffffff'));
    expect((await store.open('ffffffff')).plan.counts.total).toBe(1);
  });

  test('files that merely end like temporary ones are left alone', async () => {
    const { folder, store, log } = await storeWithPlan();
    await log.publish('now');
    for (const name of ['notes.tmp', `${ID}.json.12-3.tmp`, `${ID}.json.12-3-k3f9x2.tmp`]) {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), 0, 0);
    }
    await store.list();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual(['notes.tmp']);
  });

  test('a log that vanished under a writer is an error, not a new empty log', async () => {
    const { log, eventLog } = await storeWithPlan();
    rmSync(eventLog);
    await expect(log.append([complete('a')])).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(existsSync(eventLog)).toBe(false);
  });

  test('a log that was replaced under a writer, as git does, gets the change too', async () => {
    const { store, log, eventLog } = await storeWithPlan();
    copyFileSync(eventLog, `${eventLog}.copy`);
    await log.append([complete('a')]);
    renameSync(`${eventLog}.copy`, eventLog);
    await log.append([complete('b')]);
    expect((await store.open(ID)).plan.goals.get(`${ID}-b`)?.status).toBe('complete');
    expect(log.plan.goals.get(`${ID}-a`)?.status).toBe('complete');
  });

  test.skipIf(process.getuid?.() === 0)(
    'a folder that cannot be written to is named with the reason',
    async () => {
      const { folder, log } = await storeWithPlan();
      chmodSync(folder, 0o500);
      await expect(log.publish('now')).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringContaining('permission') as string,
      });
      chmodSync(folder, 0o700);
    },
  );

  test('an import that nobody could read leaves no log behind', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    const plan = toPlanFile(examplePlan());
    const deep: unknown = JSON.parse(`${'['.repeat(498)}${']'.repeat(498)}`);
    await expect(store.create({ type: 'plan_imported', plan: { ...plan, deep } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('nested too deep') as string,
    });
    expect(readdirSync(folder).filter((name) => name.startsWith(plan.id))).toEqual([]);
  });

  test('an event line that is read again is the event that was written, whatever text it holds', () => {
    const event = {
      id: 'e',
      at: '2026-01-01T00:00:00Z',
      by: 'x,"crc":"00000000"}',
      replica: 'r',
      clock: 1,
      type: 'goal_completed' as const,
      goal: `${ID}-a`,
      note: '\u2028\n\u0000 ",\\"crc\\":"',
    };
    const line = encodeEvent(event).trim();
    expect(decodeEvent(Buffer.from(line))).toEqual({ event });
    expect(decodeEvent(Buffer.from(`${line}\r`))).toEqual({ event });
    expect(decodeEvent(Buffer.from(line.slice(0, -1)))).toHaveProperty('damage');
  });
});
