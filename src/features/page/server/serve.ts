import { spawn } from 'node:child_process';
import process from 'node:process';

import { messageOf, PlanError } from '../../../kernel/errors.js';
import { findHelper, helperPath } from '../../../host/processes/find-helper.js';
import { legibleLine } from '../../../kernel/text/legible.js';
import { pageAssets } from '../watching/page-assets.js';
import type { Feature } from '../../../feature.js';
import type { OperationTable } from '../../../operations/registered-operation.js';
import { createContext } from '../../../operations/shared/context.js';
import type { StoreWarning } from '../../../operations/shared/context.js';
import { defaultEnvironment } from '../../../operations/shared/default-environment.js';
import type { Environment } from '../../../operations/shared/environment.js';
import { writeOpeningFile } from './opening-file.js';
import type { OpeningFile } from './opening-file.js';
import { startPageServer } from './page-server.js';
import type { PageServer } from './page-server.js';
import { CODE_MS } from './session.js';

export interface ServeOptions {
  readonly features: readonly Feature[];
  /** Every operation that a page may ask for, by name. */
  readonly operations: OperationTable;
  /** The store's folder, named outright. */
  readonly folder: string | undefined;
  /** Whether people read what is printed: then it is said how to go on. */
  readonly forPeople: boolean;
  /** As it was given; nothing for any port that is free. */
  readonly port: unknown;
  readonly open: boolean;
  readonly write: boolean;
}

/**
 * Serves the page until the process is asked to end, which is no failure.
 * @param print takes the document for `--json` and the line for people, once the server answers
 * @throws PlanError STORE_NOT_FOUND, INVALID_INPUT, REFUSED where the port is taken
 */
export async function serve(
  { features, operations, folder, forPeople, port, open, write }: ServeOptions,
  print: (document: unknown, text: string) => void,
): Promise<void> {
  const asked = askedToEnd();
  const warn = warnedOnce();
  const environment = defaultEnvironment();
  const context = createContext({ environment, folder, features, warn });
  const server = await startPageServer({
    port: portOf(port),
    write,
    operations,
    newContext: () => context.newChange(),
    assets: await pageAssets(),
  });
  const { url } = server;
  print({ url, port: server.port, pid: process.pid }, `${url}\n`);
  // Standard output holds the address and nothing else.
  if (forPeople)
    process.stderr.write(
      `${write ? '' : 'The page is read-only; --write turns editing on. '}Ctrl-C ends it.\n`,
    );
  const opening = open ? await openInBrowser(server, environment) : null;
  await asked;
  await opening?.remove();
  await server.close();
  await context.close();
}

/** Tells on standard error what the store warns of, of each file once: every request opens it anew. */
function warnedOnce(): (warning: StoreWarning) => void {
  const told = new Set<string>();
  return ({ code, file, message }) => {
    const name = `${code} ${file}`;
    if (told.has(name)) return;
    told.add(name);
    process.stderr.write(`warning: ${legibleLine(message)}\n`);
  };
}

function portOf(given: unknown): number {
  if (given === undefined) return 0;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= 65_535) return given;
  throw new PlanError('INVALID_INPUT', `--port must be between 0 and 65535, not ${JSON.stringify(given)}`);
}

async function askedToEnd(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
  });
}

/**
 * Has the browser open the page by a file that nobody else can read, since others on the machine can read command lines. It
 * is there until the page has exchanged its code, and no longer than that is good. Where it cannot be, the user is told.
 */
async function openInBrowser(server: PageServer, environment: Environment): Promise<OpeningFile | null> {
  let file: OpeningFile | null = null;
  const url = server.newOpeningUrl(() => void file?.remove());
  try {
    file = await writeOpeningFile(environment, url, CODE_MS);
  } catch (thrown) {
    tellNotOpened(`: ${legibleLine(messageOf(thrown))}`);
    return null;
  }
  const [program, args] = openerOf(process.platform);
  const search = { variables: process.env, folder: process.cwd() };
  // It needs all that a browser needs of the user's variables, and is a script that looks for others.
  const env = { ...process.env, PATH: helperPath(search) };
  const opener = findHelper(program, search);
  if (opener === null) tellNotOpened('');
  else
    spawn(opener, [...args, file.path], { stdio: 'ignore', detached: true, env })
      .on('error', () => tellNotOpened(''))
      .unref();
  setTimeout(() => void file?.remove(), CODE_MS).unref();
  return file;
}

function tellNotOpened(why: string): void {
  process.stderr.write(`The browser could not be opened${why}; open the address above yourself.\n`);
}

function openerOf(platform: NodeJS.Platform): readonly [string, readonly string[]] {
  if (platform === 'darwin') return ['open', []];
  return platform === 'win32' ? ['explorer.exe', []] : ['xdg-open', []];
}
