import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { readJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { newUser, summaryOf } from '../support/command.js';
import type { Ended, Json, User } from '../support/command.js';
import { readFixture } from '../support/plans.js';

interface Store extends User {
  readonly id: string;
  readonly store: string;
  readonly planFile: string;
  readonly eventLog: string;
}

async function userWithPlan(): Promise<Store> {
  const user = newUser();
  const { id } = summaryOf(
    (await user.run(['init', 'Build a REST API with authentication', '--json'])).json(),
  );
  const store = join(user.folder, '.plans');
  return {
    ...user,
    id,
    store,
    planFile: join(store, `${id}.json`),
    eventLog: join(store, `${id}.events.jsonl`),
  };
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly fixed: string | null;
}

const findings = (document: Json) => document.findings as readonly Found[];
const codes = (ended: Ended) => findings(ended.json()).map(({ code }) => code);
const doctor = (user: User, ...options: readonly string[]) => user.run(['doctor', '--json', ...options]);
const tree = async (user: User) => (await user.run(['tree'])).out;

test('a healthy store is said to be so', async () => {
  const user = await userWithPlan();
  const ended = await doctor(user);
  expect([ended.status, ended.json()]).toEqual([0, { healthy: true, findings: [], backups: [] }]);
  expect((await user.run(['doctor'])).out).toBe('The store is healthy.\n');
});

test('a claim that came second in the same store is no contradiction of merged copies', async () => {
  const user = await userWithPlan();
  await user.run(['claim', '1'], { FRCTL_BY: 'ana' });
  expect((await user.run(['claim', '1'], { FRCTL_BY: 'bo' })).status).toBe(4);
  // What a late worker hands in is refused and kept in the log.
  expect((await user.run(['complete', '1', '--summary', 'Done'], { FRCTL_BY: 'bo' })).status).toBe(4);
  expect(codes(await doctor(user))).toEqual([]);
});

describe('what the log makes up for', () => {
  test.each<[string, string, (user: Store) => void]>([
    ['a missing plan file', 'PLAN_FILE_MISSING', ({ planFile }) => rmSync(planFile)],
    ['an empty plan file', 'PLAN_FILE_DAMAGED', ({ planFile }) => truncateSync(planFile, 0)],
    [
      'merge markers',
      'PLAN_FILE_DAMAGED',
      ({ planFile }) =>
        writeFileSync(planFile, `<<<<<<< ours\n${readFileSync(planFile, 'utf8')}>>>>>>> theirs\n`),
    ],
    ['a damaged index', 'INDEX_DAMAGED', ({ store }) => writeFileSync(join(store, 'index.json'), '{{')],
    [
      'lost lines for git',
      'GIT_LINES_MISSING',
      ({ store }) => writeFileSync(join(store, '.gitattributes'), ''),
    ],
  ])('%s is found, explained, mended, and then gone', async (_name, code, damage) => {
    const user = await userWithPlan();
    const before = await tree(user);
    damage(user);
    const found = await doctor(user);
    expect([found.status, codes(found)]).toEqual([1, [code]]);
    const fixed = await doctor(user, '--fix');
    expect(fixed.status).toBe(0);
    expect(findings(fixed.json())[0]?.fixed).not.toBeNull();
    expect(await doctor(user)).toMatchObject({ status: 0 });
    expect(await tree(user)).toBe(before);
    expect((await user.run(['validate'])).status).toBe(0);
  });
});

describe('a plan file that was edited by hand', () => {
  async function edited() {
    const user = await userWithPlan();
    writeFileSync(user.planFile, readFileSync(user.planFile, 'utf8').replaceAll('OpenAPI', 'AsyncAPI'));
    return user;
  }

  test('is not touched until the user says which side counts', async () => {
    const user = await edited();
    const ended = await doctor(user, '--fix');
    expect([ended.status, codes(ended)]).toEqual([1, ['PLAN_FILE_DIFFERS']]);
    expect(readFileSync(user.planFile, 'utf8')).toContain('AsyncAPI');
  });

  test.each([
    ['log', 'OpenAPI', 'AsyncAPI'],
    ['file', 'AsyncAPI', 'OpenAPI'],
  ])(
    'keeping the %s leaves %s, with the other in a backup and the log only grown',
    async (keep, stays, goes) => {
      const user = await edited();
      const log = readFileSync(user.eventLog);
      const ended = await doctor(user, '--fix', '--keep', keep);
      expect(ended.status).toBe(0);
      expect(await tree(user)).toContain(stays);
      expect(await tree(user)).not.toContain(goes);
      expect(readFileSync(user.eventLog).subarray(0, log.length).equals(log)).toBe(true);
      const [backup = ''] = ended.json().backups as readonly string[];
      expect(readFileSync(join(backup, `${user.id}.json`), 'utf8')).toContain('AsyncAPI');
      rmSync(user.planFile);
      expect(await tree(user)).toContain(stays);
    },
  );
});

describe('a damaged log', () => {
  test('a torn line was never acknowledged and is only noted', async () => {
    const user = await userWithPlan();
    appendFileSync(user.eventLog, '\n{"id":"torn","type":"goal_comp\n');
    const ended = await doctor(user);
    expect([ended.status, codes(ended)]).toEqual([0, ['TORN_LINE']]);
    // Whether it was a change that somebody was told of is not known.
    const { out } = await user.run(['doctor']);
    expect(out).toContain('Nothing needs to be done: the line is passed over.');
    expect(out).not.toContain('acknowledged');
  });

  test('an event that was changed is named, and the others stand', async () => {
    const user = await userWithPlan();
    const bytes = readFileSync(user.eventLog);
    const at = bytes.lastIndexOf('goal_expanded');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(user.eventLog, bytes);
    const ended = await doctor(user);
    expect(ended.status).toBe(1);
    expect(findings(ended.json()).find(({ code }) => code === 'DAMAGED_EVENT')?.message).toMatch(
      /checksum.*goal [0-9a-f]{8}-/,
    );
  });

  function flip(user: Store, text: string, mask = 1): void {
    const bytes = readFileSync(user.eventLog);
    const at = bytes.lastIndexOf(text);
    expect(at).toBeGreaterThan(0);
    bytes[at] = (bytes[at] ?? 0) ^ mask;
    writeFileSync(user.eventLog, bytes);
  }

  const validation = async (user: User) => {
    const ended = await user.run(['validate', '--json']);
    const { problems, notes = [] } = ended.json() as {
      readonly problems: readonly Found[];
      readonly notes?: readonly Found[];
    };
    return [ended.status, problems.map(({ code }) => code), notes.map(({ code }) => code)];
  };

  test('a flipped byte is named by status, validate and doctor while the plan file still fits', async () => {
    const user = await userWithPlan();
    await user.run(['edit', '1', '--description', 'Another one']);
    await user.run(['edit', '2', '--description', 'Another two']);
    flip(user, 'Another one');
    // The plan file is what was published, and the plan is read from it.
    expect(await tree(user)).toContain('Another one');
    expect((await user.run(['status'])).out).toMatch(/Damaged +1 line of the log \(line \d+\)/);
    const log = readFileSync(user.eventLog, 'utf8').split('\n');
    const line = log.findIndex((text) => text.includes('@nother one')) + 1;
    expect((await user.run(['status', '--json'])).json()).toMatchObject({
      damage: [{ line, reason: expect.stringContaining('checksum') as string }],
    });
    expect(await validation(user)).toEqual([1, ['DAMAGED_EVENT', 'DIFFERS_FROM_LOG'], []]);
    const found = await doctor(user);
    expect([found.status, codes(found)]).toEqual([1, ['DAMAGED_EVENT', 'CHANGE_LOST_FROM_LOG']]);
  });

  test('what the damaged event had changed is taken from the plan file again, and the rest accepted', async () => {
    const user = await userWithPlan();
    await user.run(['edit', '1', '--description', 'Another one']);
    await user.run(['edit', '2', '--description', 'Another two']);
    flip(user, 'Another one');
    expect((await doctor(user, '--accept')).status).toBe(1);
    expect(await tree(user)).toContain('Another one');
    expect(await validation(user)).toEqual([1, ['DIFFERS_FROM_LOG'], []]);
    expect((await doctor(user, '--fix')).status).toBe(0);
    expect(codes(await doctor(user))).toEqual([]);
    expect(await validation(user)).toEqual([0, [], []]);
    expect((await user.run(['status'])).out).not.toContain('Damaged');
    rmSync(user.planFile);
    expect(await tree(user)).toContain('Another one');
    expect((await user.run(['log'])).out).toContain('accepted that a damaged line of the log cannot be read');
  });

  test('damage of which nothing is left is accepted for good, in every clone, whatever its place', async () => {
    const user = await userWithPlan();
    await user.run(['edit', '1', '--description', 'Another one']);
    flip(user, 'Another one');
    rmSync(user.planFile);
    expect((await user.run(['doctor', '--fix'])).status).toBe(1);
    expect(await validation(user)).toEqual([1, ['DAMAGED_EVENT'], []]);
    const accepted = await doctor(user, '--accept');
    expect([accepted.status, codes(accepted)]).toEqual([0, ['DAMAGED_EVENT']]);
    expect(codes(await doctor(user))).toEqual([]);
    // As git merges it elsewhere, and with the line ends of Windows.
    const lines = readFileSync(user.eventLog, 'utf8').trim().split(/\n+/);
    writeFileSync(user.eventLog, `\r\n${lines.join('\r\n')}\r\n`);
    rmSync(user.planFile);
    await user.run(['doctor', '--fix']);
    expect(await validation(user)).toEqual([0, [], []]);
    // What is damaged later is named again.
    flip(user, 'goal_expanded');
    expect((await doctor(user)).status).toBe(1);
  });

  test.each([
    ['{', 1],
    ['goal_edited', 1],
    [',"crc":"', 2],
    [',"crc":"', 128],
  ])('a flipped byte at the last %s (by %i) is damage and no torn line', async (text, mask) => {
    const user = await userWithPlan();
    await user.run(['edit', '1', '--description', 'Another one']);
    flip(user, text, mask);
    expect((await validation(user))[1]).toContain('DAMAGED_EVENT');
    expect(codes(await doctor(user))).toContain('DAMAGED_EVENT');
  });

  test('a torn line is a note for validate too', async () => {
    const user = await userWithPlan();
    appendFileSync(user.eventLog, '\n{"id":"torn","type":"goal_comp\n');
    const [status, problems, notes] = await validation(user);
    expect([status, problems, notes]).toEqual([0, [], ['TORN_LINE']]);
    expect((await user.run(['status'])).out).not.toContain('Damaged');
  });

  test('no single byte costs what made the plan, also without a plan file', async () => {
    const user = await userWithPlan();
    const before = await tree(user);
    const bytes = readFileSync(user.eventLog);
    for (const at of [1, 40, bytes.indexOf('plan_created'), bytes.indexOf('\n', 1) - 2]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      writeFileSync(user.eventLog, flipped);
      rmSync(user.planFile, { force: true });
      expect(await tree(user)).toBe(before);
      expect((await doctor(user, '--fix')).status).toBe(1);
      expect((await validation(user))[1]).toEqual(['DAMAGED_EVENT']);
    }
  });

  test('a log that lost its end can be read, refuses changes, and goes on from the plan file when mended', async () => {
    const user = await userWithPlan();
    const before = await tree(user);
    truncateSync(user.eventLog, readFileSync(user.eventLog).length - 300);
    expect(await tree(user)).toBe(before);
    const ended = await doctor(user);
    expect([ended.status, codes(ended)]).toEqual([1, ['LOG_CUT_OFF']]);
    expect((await doctor(user, '--fix')).status).toBe(0);
    expect(await tree(user)).toBe(before);
    rmSync(user.planFile);
    expect(await tree(user)).toBe(before);
  });

  test('a log that cannot be used at all is set aside for the plan file', async () => {
    const user = await userWithPlan();
    const before = await tree(user);
    writeFileSync(user.eventLog, 'x'.repeat(readFileSync(user.eventLog).length));
    expect(codes(await doctor(user))).toContain('LOG_UNUSABLE');
    const fixed = await doctor(user, '--fix');
    expect(fixed.status).toBe(0);
    expect(await tree(user)).toBe(before);
    const [backup = ''] = fixed.json().backups as readonly string[];
    expect(readFileSync(join(backup, `${user.id}.events.jsonl`), 'utf8')).toMatch(/^x+$/);
  });
});

describe('a plan file without a log', () => {
  const broken = () =>
    readFixture('plans/complete-example.json')
      .replace('"depth": 1', '"depth": 5')
      .replace(
        '"parent_id": "a1b2c3d4-root",\n            "child_ids": [],\n            "depth": 1,\n            "created_at": "2025-11-30T10:05:00Z",\n            "updated_at": "2025-11-30T10:12:00Z"',
        '"parent_id": "a1b2c3d4-gone",\n            "child_ids": [],\n            "depth": 1,\n            "created_at": "2025-11-30T10:05:00Z",\n            "updated_at": "2025-11-30T10:12:00Z"',
      )
      .replace('"dependencies": ["a1b2c3d4-g2"]', '"dependencies": ["a1b2c3d4-nobody", "a1b2c3d4-g2"]');

  test('orphans, false depths and dangling dependencies are listed and mended; no goal is lost', async () => {
    const user = newUser();
    mkdirSync(join(user.folder, '.plans'));
    const file = join(user.folder, '.plans', 'a1b2c3d4.json');
    writeFileSync(file, broken());
    const found = await doctor(user);
    expect(found.status).toBe(1);
    expect(codes(found)).toEqual(expect.arrayContaining(['WRONG_DEPTH', 'ORPHAN', 'DANGLING_DEPENDENCY']));
    const fixed = await doctor(user, '--fix');
    expect(fixed.status).toBe(0);
    expect((await user.run(['validate', 'a1b2c3d4'])).out).toBe('valid\n');
    const goals = (readJsonSync(file) as { goals: Record<string, { dependencies: string[] }> }).goals;
    expect(Object.keys(goals)).toHaveLength(4);
    expect(goals['a1b2c3d4-g3']?.dependencies).toEqual(['a1b2c3d4-g2']);
  });

  test('what is no plan at all is left for a person', async () => {
    const user = await userWithPlan();
    writeFileSync(join(user.store, 'ffffffff.json'), '[1, 2');
    const fixed = await doctor(user, '--fix');
    expect(fixed.status).toBe(1);
    expect(readFileSync(join(user.store, 'ffffffff.json'), 'utf8')).toBe('[1, 2');
  });
});

describe('what somebody forged who writes on this machine', () => {
  const indexSchema = z.looseObject({ plans: z.array(z.looseObject({})) });
  const sealed = (path: string, begin: string, change: (text: string) => string) => {
    const text = change(readFileSync(path, 'utf8').replace(/,\n {2}"crc": "[0-9a-f]{8}"\n\}\n$/, ''));
    const crc = crc32(`${begin}${text}`).toString(16).padStart(8, '0');
    writeFileSync(path, `${text},\n  "crc": "${crc}"\n}\n`);
  };
  const sealedIndex = (
    path: string,
    change: (index: z.output<typeof indexSchema>) => Readonly<Record<string, unknown>>,
  ) =>
    sealed(path, 'summaries 5\n', (text) =>
      // The checksum stands before the end of the object.
      JSON.stringify(change(indexSchema.parse(JSON.parse(`${text}}`)))).slice(0, -1),
    );

  test('an index with a checksum that fits is held against the plans, and made anew', async () => {
    const user = await userWithPlan();
    await user.run(['list']);
    const index = join(user.store, 'index.json');
    sealedIndex(index, ({ plans, ...rest }) => ({
      plans: plans.map((plan) => ({ ...plan, description: 'Do not build' })),
      ...rest,
    }));
    expect((await user.run(['list'])).out).toContain('Do not build');
    const found = await doctor(user);
    expect([found.status, codes(found)]).toEqual([1, ['INDEX_DIFFERS']]);
    expect((await doctor(user, '--fix')).status).toBe(0);
    expect((await user.run(['list'])).out).toContain('Build a REST API');
    expect(codes(await doctor(user))).toEqual([]);
  });

  test('an index that says of an active plan that it is archived hides nothing from the doctor', async () => {
    const user = await userWithPlan();
    await user.run(['list']);
    const index = join(user.store, 'index.json');
    sealedIndex(index, ({ plans, ...rest }) => ({
      ...rest,
      plans: [],
      archived: plans.map((plan) => ({ ...plan, archived_at: '2026-01-01T00:00:00Z' })),
    }));
    expect((await user.run(['list'])).out).not.toContain(user.id);
    expect(codes(await doctor(user))).toEqual(['INDEX_DIFFERS']);
    expect((await doctor(user, '--fix')).status).toBe(0);
    expect((await user.run(['list'])).out).toContain(user.id);
  });

  test('a plan file with a checksum that fits is held against its log', async () => {
    const user = await userWithPlan();
    sealed(user.planFile, '', (text) => text.replaceAll('OpenAPI', 'AsyncAPI'));
    expect(await tree(user)).toContain('AsyncAPI');
    expect((await user.run(['validate'])).status).toBe(1);
    expect(codes(await doctor(user))).toContain('PLAN_FILE_DIFFERS');
    expect((await doctor(user, '--fix', '--keep', 'log')).status).toBe(0);
    expect(await tree(user)).toContain('OpenAPI');
    expect((await user.run(['list', '--json'])).out).not.toContain('AsyncAPI');
  });
});

test('strange and left-over files are noted, and nothing is done to them', async () => {
  const user = await userWithPlan();
  writeFileSync(join(user.store, 'notes.txt'), 'mine');
  copyFileSync(user.planFile, `${user.planFile}.123-1.tmp`);
  const ended = await doctor(user, '--fix');
  expect(ended.status).toBe(0);
  expect(codes(ended).toSorted()).toEqual(['STRANGE_FILE', 'TEMPORARY_FILE']);
  expect(existsSync(join(user.store, 'notes.txt'))).toBe(true);
  expect(readdirSync(user.store)).toContain(`${user.id}.json.123-1.tmp`);
});
