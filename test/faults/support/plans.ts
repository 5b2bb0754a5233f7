import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { EventPayload } from '../../../src/plan/events.js';
import { validatePlanFile } from '../../../src/plan/invariants.js';
import { stringifyPlanFile, toPlanFile } from '../../../src/plan/snapshot/plan-file.js';
import type { FilePlanLog } from '../../../src/storage/file/log/file-plan-log.js';
import type { PlanLog, PlanStore } from '../../../src/storage/plan-store.js';
import { temporaryFolder } from '../../support/folders.js';
import { creationOf, expansionOf } from '../../support/store-contract.js';
import { newFileStore } from '../../support/stores.js';

export const PLAN = '0398a958';

export interface Prepared {
  readonly folder: string;
  readonly store: PlanStore;
  readonly log: PlanLog;
  readonly eventLog: string;
  readonly planFile: string;
}

/** A store with a published plan of a root and so many atomic goals, `g0` and on. */
export async function preparePlan(
  goals: number,
  folder: string = join(temporaryFolder(), '.plans'),
): Promise<Prepared> {
  const store = await newFileStore(folder);
  const ids = Array.from({ length: goals }, (_, index) => goalId(index));
  const log = await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, ids)]);
  await log.publish('now');
  return { folder, store, log, ...filesOf(folder) };
}

export function filesOf(folder: string): { readonly eventLog: string; readonly planFile: string } {
  return { eventLog: join(folder, `${PLAN}.events.jsonl`), planFile: join(folder, `${PLAN}.json`) };
}

export function goalId(index: number): string {
  return `${PLAN}-g${index}`;
}

export function completion(index: number): EventPayload {
  return { type: 'goal_completed', goal: goalId(index) };
}

export function reopening(index: number): EventPayload {
  return { type: 'goal_reopened', goal: goalId(index) };
}

export function textOf(log: PlanLog): string {
  return stringifyPlanFile(toPlanFile(log.plan));
}

/** Opens the plan anew, both ways, and sees that it is valid, the same, and has these events. */
export async function expectKept(folder: string, acknowledged: readonly string[]): Promise<FilePlanLog> {
  const store = await newFileStore(folder);
  const opened = await store.open(PLAN);
  expect(validatePlanFile(toPlanFile(opened.plan)).problems).toEqual([]);
  expect(textOf(await store.open(PLAN, 'log'))).toBe(textOf(opened));
  const kept = new Set((await opened.events()).map(({ id }) => id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  return opened;
}

/** The published plan file is a whole and valid plan. */
export function expectValidFile(path: string): void {
  expect(validatePlanFile(JSON.parse(readFileSync(path, 'utf8'))).problems).toEqual([]);
}
