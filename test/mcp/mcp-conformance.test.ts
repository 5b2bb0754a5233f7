import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { startBridge } from '../support/mcp-bridge.js';

const VERSIONS = ['2025-11-25', '2026-07-28'];

/** Why what a check found is nothing that `plan mcp` does wrong, by what the suite says; the texts are those of docs/mcp.md. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(test_[a-z0-9_]+|json_schema_2020_12_tool)\b|test:\/\/|x-mcp-header|InputRequiredResult/,
    'does not apply: needs a server made for the suite',
  ],
  [
    /Method not found/,
    'does not apply: completion, logging and subscriptions to resources are not offered, as the capabilities say',
  ],
  [/HTTP|Host\/Origin|HeaderMismatch/, 'does not apply: it is about HTTP, and here there is none'],
  [/stream|frames/, 'not seen: the bridge hands on no message that answers no request'],
];

const checksSchema = z.array(
  z.looseObject({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

/** Runs all scenarios for servers of a version of the protocol; what each came to, a text for each thing that it found. */
async function runSuite(version: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const user = newUser();
  await user.run(['init', 'Open a bakery', '--expander', 'rules']);
  const bridge = await startBridge(user);
  onTestFinished(() => bridge.close());
  const out = temporaryFolder();
  const suite = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const args = ['--import', resolve('test/support/mcp/glob-sync.mjs'), suite, 'server'];
  await new Promise<void>((done) => {
    execFile(
      process.execPath,
      [...args, '--url', bridge.url, '--suite', 'all', '--spec-version', version, '-o', out],
      { maxBuffer: 1e9 },
      // It ends with 1, for not everything applies.
      () => done(),
    );
  });
  return new Map(
    readdirSync(out).map((folder) => {
      const name = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
      const checks = checksSchema.parse(JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')));
      return [name, outcomes(checks)] as const;
    }),
  );
}

function outcomes(checks: z.output<typeof checksSchema>): readonly string[] {
  const found = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const reasons = found.map(({ id, errorMessage = '' }) => {
    const reason = REASONS.find(([pattern]) => pattern.test(errorMessage))?.[1];
    return reason ?? `FAILS: ${id}: ${errorMessage}`;
  });
  const passed = checks.filter(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid').length;
  const seen = passed === 0 ? [] : found.length === 0 ? ['passes'] : ['passes in part'];
  return [...seen, ...new Set(reasons)];
}

test('the conformance suite finds nothing that applies and does not hold, and docs/mcp.md says what it found', async () => {
  const rows = new Set<string>();
  const runs = await Promise.all(
    VERSIONS.map(async (version) => ({ version, results: await runSuite(version) })),
  );
  for (const { version, results } of runs)
    for (const [outcome, names] of grouped(results))
      rows.add(`| ${version} | ${names.map((name) => `\`${name}\``).join(', ')} | ${outcome} |`);
  expect([...rows].filter((row) => row.includes('FAILS'))).toEqual([]);
  const squeezed = readFileSync('docs/mcp.md', 'utf8').replaceAll(/ +\|/g, ' |');
  const told = squeezed.split('\n').filter((line) => /^\| 20\d\d-/.test(line));
  expect(told.toSorted()).toEqual([...rows].toSorted());
});

/** The scenarios that came to the same. */
function grouped(results: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, found] of results) {
    const outcome = found.length === 0 ? 'nothing is tried' : found.join('; ');
    groups.set(outcome, [...(groups.get(outcome) ?? []), name].toSorted());
  }
  return groups;
}
