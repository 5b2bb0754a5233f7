import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { expect, test } from 'vitest';

import { beginPlanReading, readRow } from '../../src/features/teams/postgres/plan-reading.js';
import { readingOf } from '../../src/features/runs/storage/log/run-reading.js';
import { runLinesInFile } from '../../src/features/runs/storage/file/run-lines-in-file.js';
import { fileIdentity } from '../../src/host/files/file-identity.js';
import { findDamage } from '../../src/storage/file/log/log-damage.js';
import { temporaryFolder } from '../support/folders.js';

const IO = '/proc/self/io';

function damagedLog(lines: number): string {
  const path = join(temporaryFolder(), 'x.events.jsonl');
  writeFileSync(path, Array.from({ length: lines }, (_, index) => `x${index} {\n`).join(''));
  return path;
}

/** The times that this process has asked the system to read something. */
function reads(): number {
  return Number(/^syscr: (\d+)$/m.exec(readFileSync(IO, 'utf8'))?.[1]);
}

test.skipIf(!existsSync(IO))(
  'numbering damaged lines asks the system for pieces of the log, not for each line (where Linux counts that)',
  async () => {
    const path = damagedLog(20_000);
    const before = reads();
    const damage = await findDamage(path, 'events');
    expect(damage.map(({ line }) => line)).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
    expect(reads() - before).toBeLessThan(2000);
  },
);

/** Linear work takes 4 times as long, with noise less than 9 times; copies of what was found before take far longer. */
async function growth(read: (damaged: number) => Promise<unknown>): Promise<number> {
  const cost = async (damaged: number) => {
    const start = process.cpuUsage();
    await read(damaged);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  await cost(1000);
  const short = await cost(4000);
  return (await cost(16_000)) / short;
}

test('damaged lines of a run are read in a time that grows with their number alone', async () => {
  const read = async (lines: number) => {
    const path = damagedLog(lines);
    const file = await fileIdentity(path);
    if (file === null) throw new Error('no log');
    const reading = readingOf(runLinesInFile('run-a', path, file));
    await reading.readOn();
    expect(reading.damage).toHaveLength(lines);
  };
  expect(await growth(read)).toBeLessThan(9);
});

test('damaged rows of a database are read in a time that grows with their number alone', async () => {
  const read = async (rows: number) => {
    let reading = beginPlanReading();
    for (let seq = 1; seq <= rows; seq += 1)
      reading = readRow(reading, { seq, id: `e${seq}`, body: '{}', size: 2 });
    expect(reading.damage).toHaveLength(rows);
  };
  expect(await growth(read)).toBeLessThan(9);
});
