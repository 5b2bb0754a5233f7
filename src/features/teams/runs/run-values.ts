import { PlanError } from '../../../kernel/errors.js';
import { readJsonDocument } from '../../../kernel/json/json-document.js';
import { valueOfTree } from '../../../kernel/json/json-tree.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import { readBytes } from '../postgres/bounded-bytes.js';
import type { Database } from '../postgres/database.js';

/** Keeps bytes of a run, named by their SHA-256. @throws PlanError STORAGE_FAILED */
export async function storeRunBytes(database: Database, run: string, content: Buffer): Promise<string> {
  const digest = sha256(content);
  await database.query(
    `insert into frctl_run_value (run, digest, body) values ($1, $2, $3) on conflict do nothing`,
    [run, digest, content],
  );
  return digest;
}

/** Reads a value that was kept. @throws PlanError STORAGE_FAILED, STORE_DAMAGED where it is not what was kept */
export async function readRunValueRow(database: Database, run: string, digest: string): Promise<JsonValue> {
  const body = await readBytes(database, {
    table: 'frctl_run_value',
    where: 'run = $1 and digest = $2',
    values: [run, digest],
    name: `the output ${digest} of ${run}`,
  });
  if (body === null || sha256(body) !== digest)
    throw new PlanError('STORE_DAMAGED', `the output ${digest} of ${run} is gone`, { details: { run } });
  return valueOfTree(readJsonDocument(body.toString('utf8')).root);
}
