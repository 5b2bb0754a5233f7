import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { freePort, ownerOfServer } from './server.js';

const PATHS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** Whether the machine has pgbouncer. */
export const hasPgbouncer = PATHS.some((path) => existsSync(path));

/** A real pgbouncer before a database. @returns the URL through it */
export async function newPgbouncer(url: string, mode: 'transaction' | 'session'): Promise<string> {
  const server = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'frctl-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
* = host=${server.hostname} port=${server.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
`,
  );
  const child = spawn(PATHS.find((path) => existsSync(path)) ?? '', [config], {
    ...ownerOfServer(),
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await isOpen(port))) await wait(20);
  server.port = String(port);
  return server.href;
}

async function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
