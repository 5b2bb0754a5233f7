import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import type { StoreWarning } from '../../src/storage/plan-store.js';
import { openWorkspace } from '../../src/workspace.js';
import type { Workspace } from '../../src/workspace.js';
import { scale } from '../faults/support/scale.js';
import { temporaryFolder } from '../support/folders.js';

/** A store and all that was said about it. */
interface Place {
  readonly folder: string;
  readonly store: string;
  readonly planFile: string;
  readonly eventLog: string;
  /** Texts of changes that were acknowledged and not taken back since, with the goals that have them. */
  readonly kept: Map<string, string>;
  /** Copies that were named. */
  readonly copies: string[];
  /** The plan as another process opens it. */
  readonly open: () => Workspace;
}

function placeIn(folder: string, plan: string, kept = new Map<string, string>()): Place {
  const store = join(folder, '.plans');
  const copies: string[] = [];
  const variables = { XDG_CONFIG_HOME: join(folder, 'config'), FRCTL_BY: 'me' };
  const environment = { workingFolder: folder, homeFolder: folder, variables };
  const onWarning = ({ message }: StoreWarning) => {
    const copy = / is kept as (.*)$/.exec(message)?.[1];
    if (copy !== undefined) copies.push(copy);
  };
  return {
    folder,
    store,
    planFile: join(store, `${plan}.json`),
    eventLog: join(store, `${plan}.events.jsonl`),
    kept,
    copies,
    open: () => openWorkspace({ dir: store, environment, onWarning }),
  };
}

async function newPlace(): Promise<Place> {
  const folder = temporaryFolder();
  const made = placeIn(folder, '');
  const { plan } = await made.open().init({ goal: 'Move house', decompose: false }).result;
  const place = placeIn(folder, plan.id);
  for (const text of ['Pack', 'Drive', 'Unpack']) await add(place, place.open(), text);
  return place;
}

let changes = 0;
const nextText = () => `change-${(changes += 1)}-`;

async function add({ kept }: Place, workspace: Workspace, text = nextText()): Promise<void> {
  const { changes: made } = await workspace.add({ under: 'root', description: text });
  kept.set(text, made.find((change) => JSON.stringify(change).includes(text))?.goal ?? '');
}

/** What somebody may do; what is refused changes nothing. */
const COMMANDS: Readonly<Record<string, (place: Place, workspace: Workspace) => Promise<unknown>>> = {
  add,
  async complete({ kept }, workspace) {
    const { goals } = await workspace.next({});
    const goal = goals[0]?.id;
    if (goal === undefined) return;
    const summary = nextText();
    await workspace.complete({ goal, summary });
    kept.set(summary, goal);
  },
  async edit({ kept }, workspace) {
    const { goals } = await workspace.next({});
    const goal = goals.at(-1)?.id;
    if (goal === undefined) return;
    const detail = nextText();
    await workspace.edit({ goal, detail });
    for (const [text, of] of kept) if (of === `${goal} detail`) kept.delete(text);
    kept.set(detail, `${goal} detail`);
  },
  async undo({ kept }, workspace) {
    const { goals } = await workspace.undo({});
    for (const [text, goal] of kept) if (goals.includes(goal.split(' ')[0] ?? '')) kept.delete(text);
  },
  publish: (_place, workspace) => workspace.publish(),
  archive: (_place, workspace) => workspace.archive(),
  status: (_place, workspace) => workspace.status(),
  list: (_place, workspace) => workspace.list({}),
  doctor: (_place, workspace) => workspace.doctor({}),
  accept: (_place, workspace) => workspace.doctor({ accept: true }),
};

/** What may become of a log on a disk, by where in it. */
const DAMAGE: Readonly<Record<string, (log: Buffer, where: number) => Buffer>> = {
  flip(log, where) {
    const flipped = Buffer.from(log);
    const at = Math.floor(where * log.length);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    return flipped;
  },
  truncate: (log, where) => log.subarray(0, Math.floor(where * log.length)),
  'delete lines': (log, where) => withLine(log, where, () => null),
  'blank a line': (log, where) => withLine(log, where, (line) => '\n'.repeat(line.length)),
  'cut a line': (log, where) => withLine(log, where, (line) => line.slice(0, Math.floor(line.length / 2))),
};

function withLine(log: Buffer, where: number, change: (line: string) => string | null): Buffer {
  const lines = log.toString('utf8').split('\n');
  const filled = lines.flatMap((line, index) => (line === '' ? [] : [index]));
  const chosen = filled[Math.floor(where * filled.length)];
  const changed = lines.flatMap((line, index) => (index === chosen ? (change(line) ?? []) : [line]));
  return Buffer.from(changed.join('\n'));
}

/** Runs a command as a process of its own, or on what is open; only what is acknowledged is noted. */
async function run(place: Place, name: string, workspace = place.open()): Promise<PlanError | null> {
  try {
    await COMMANDS[name]?.(place, workspace);
    return null;
  } catch (thrown) {
    if (thrown instanceof PlanError) return thrown;
    throw thrown;
  }
}

async function fix(place: Place): Promise<void> {
  const { backups } = await place.open().doctor({ fix: true });
  place.copies.push(...backups);
}

/** Everything that the plan, and the copies that were named, say. */
function said({ planFile, copies }: Place): string {
  const textsIn = (path: string): string =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .map((name) => textsIn(join(path, name)))
          .join('\n')
      : readFileSync(path, 'utf8');
  return [planFile, ...copies].map((path) => (existsSync(path) ? textsIn(path) : '')).join('\n');
}

const lostOf = (place: Place) => [...place.kept.keys()].filter((text) => !said(place).includes(text));

describe('a change that was acknowledged', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(COMMANDS)).map((command) => ({ command })) },
    {
      weight: 2,
      arbitrary: fc.record({
        damage: fc.constantFrom(...Object.keys(DAMAGE)),
        // Mostly at the end, where what was done last stands.
        where: fc.oneof(
          fc.double({ min: 0.8, max: 0.999, noNaN: true }),
          fc.double({ min: 0, max: 0.999, noNaN: true }),
        ),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom('copied' as const, 'spoiled' as const) },
  );

  test('is in the plan, or in a copy that was named, whatever becomes of the log and whatever is run then', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 8 }),
        fc.boolean(),
        async (steps, isLive) => {
          let place = await newPlace();
          for (const name of ['complete', 'add', 'complete']) await run(place, name);
          let live = place.open();
          const done: unknown[] = [];
          for (const each of steps) {
            if (each === 'spoiled') {
              appendFileSync(place.planFile, 'x');
              done.push(each);
            } else if (each === 'copied') {
              const folder = join(temporaryFolder(), 'copy');
              cpSync(place.folder, folder, { recursive: true, preserveTimestamps: true });
              const copy = placeIn(folder, place.planFile.slice(-13, -5), place.kept);
              copy.copies.push(...place.copies);
              place = copy;
              live = place.open();
              done.push(each);
            } else if ('command' in each) {
              const error = await run(place, each.command, isLive ? live : undefined);
              done.push([each.command, error?.message ?? 'done']);
            } else {
              const log = readFileSync(place.eventLog);
              writeFileSync(place.eventLog, DAMAGE[each.damage]?.(log, each.where) ?? log);
              done.push(each);
            }
          }
          await fix(place);
          await fix(place);
          expect({ done, lost: lostOf(place) }).toEqual({ done, lost: [] });
        },
      ),
      {
        numRuns: scale(400, 20),
        // A line in the middle is gone, and nothing is damaged.
        examples: [[[{ damage: 'delete lines', where: 0.8 }, { command: 'add' }], false]],
      },
    );
  });
});
