import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { TestProject } from 'vitest/node';

import { newPostgresServer } from './server.js';
import type { PostgresServer } from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the URL of the PostgreSQL server of this run of tests. */
    readonly postgresOnDemand: string;
  }
}

/** One PostgreSQL server for all tests of a run, started when the first of them asks for it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | null = null;
  const given = process.env.FRCTL_TEST_DATABASE_URL ?? '';
  const answers = createServer((_, response) => {
    const url = given === '' ? (started ??= newPostgresServer()).then((server) => server.url) : given;
    void Promise.resolve(url).then(
      (text) => response.end(text),
      (reason: unknown) => response.writeHead(500).end(String(reason)),
    );
  });
  await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve));
  answers.unref();
  provide('postgresOnDemand', `http://127.0.0.1:${(answers.address() as AddressInfo).port}/`);
  return async () => {
    answers.close();
    await (await started?.catch(() => null))?.remove();
  };
}
