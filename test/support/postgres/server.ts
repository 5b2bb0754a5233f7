import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';

import { postgresBinaries } from './binaries.js';

/** A PostgreSQL server of this process, on a free port, with its data in a temporary folder. */
export interface PostgresServer {
  /** Of its database `postgres`. */
  readonly url: string;
  /** Starts it again where it was stopped: the same port, the same data. */
  start(): Promise<void>;
  /** Stops it, breaking off whatever is under way, as a restart does. */
  stop(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

// When this process is gone, however it ended, its end of the pipe is closed: then the server is stopped.
const WHILE_STDIN_IS_OPEN = '"$@" </dev/null & server=$!; cat >/dev/null; kill -INT $server; wait $server';

/**
 * @param durable whether the disk is waited for, as in real life; a test need not
 * @param also a further address of this machine that it is reached at, from its network
 */
export async function newPostgresServer({
  durable = false,
  also,
}: { readonly durable?: boolean; readonly also?: string } = {}): Promise<PostgresServer> {
  const binaries = postgresBinaries();
  const owner = ownerOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'frctl-postgres-'));
  chmodSync(folder, 0o755);
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...options, stdio: 'pipe' },
  );
  if (also !== undefined) appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet trust\n');
  const port = await freePort();
  const settings = [
    ['listen_addresses', ['127.0.0.1', ...(also === undefined ? [] : [also])].join(',')],
    ['port', String(port)],
    ['unix_socket_directories', ''],
    ['max_connections', '300'],
    ...(durable ? [] : [['fsync', 'off']]),
  ].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let running: ChildProcess | null = null;

  const server: PostgresServer = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      const words = ['-c', WHILE_STDIN_IS_OPEN, 'sh', join(binaries, 'postgres'), '-D', data, ...settings];
      running = spawn('sh', words, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
      await isReady(running);
    },
    async stop() {
      const stopped = running;
      running = null;
      if (stopped === null || stopped.exitCode !== null) return;
      const ended = new Promise((resolve) => stopped.once('exit', resolve));
      stopped.stdin?.end();
      await ended;
    },
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Whom a server runs as: neither PostgreSQL nor pgbouncer runs as the administrator. */
export function ownerOfServer(): { readonly uid: number; readonly gid: number } | null {
  if (getuid?.() !== 0) return null;
  const idOf = (user: string, which: '-u' | '-g') =>
    Number(execFileSync('id', [which, user], { encoding: 'utf8', stdio: 'pipe' }));
  for (const user of ['postgres', 'nobody'])
    try {
      return { uid: idOf(user, '-u'), gid: idOf(user, '-g') };
    } catch {
      // There is no such user.
    }
  throw new Error('PostgreSQL cannot be run as root, and there is no user `postgres` or `nobody`');
}

/** A port that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isReady(running: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    running.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString('utf8');
      if (said.includes('ready to accept connections')) resolve();
    });
    running.once('exit', () => reject(new Error(`PostgreSQL does not start: ${said}`)));
  });
}
