import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import * as z from 'zod';

import { messageOf } from '../../../kernel/errors.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { findPath, listVault, rootOf } from './paths.js';
import type { Vault } from './paths.js';
import { bytesOf, noteText } from './text.js';
import { vaultTool } from './vault-tool.js';

export const listFiles = vaultTool({
  name: 'vault.listFiles',
  description: 'Lists files and folders, by code unit.',
  effects: 'none',
  input: z.strictObject({
    prefix: z.string().default('').describe('A folder; the vault when left out.'),
    recursive: z.boolean().default(false),
    extensions: z.array(z.string()).optional().describe('Such as md; folders are left out then.'),
    limit: z.int().min(1).max(10_000).default(1000),
    offset: z.int().min(0).default(0),
  }),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(['file', 'folder']),
        sizeBytes: z.int(),
        mtimeMs: z.number(),
      }),
    ),
    truncated: z.boolean(),
    nextOffset: z.int().nullable(),
  }),
  paths: { prefix: 'folder' },
  async work({ prefix, recursive, extensions, limit, offset }, vault) {
    const folder = await findPath(prefix, 'folder', vault);
    if (folder.kind === null) throw new RefusedCall('NOT_FOUND', `there is no folder ${folder.within}`);
    if (folder.kind === 'file') throw new RefusedCall('NOT_A_FOLDER', `${folder.within} is a file`);
    const wanted = extensions?.map((one) => `.${one.replace(/^\./, '').toLowerCase()}`);
    const all = (await listVault(vault, folder.within, recursive)).filter(
      ({ kind, within }) =>
        wanted === undefined ||
        (kind === 'file' && wanted.some((ending) => within.toLowerCase().endsWith(ending))),
    );
    const items = await Promise.all(
      all.slice(offset, offset + limit).map(async ({ within, kind }) => {
        const { size, mtimeMs } = await stat(join(rootOf(vault), within));
        const sizeBytes = kind === 'file' ? size : 0;
        return { path: within, kind, sizeBytes, mtimeMs: Math.trunc(mtimeMs) };
      }),
    );
    const next = offset + items.length;
    return { items, truncated: next < all.length, nextOffset: next < all.length ? next : null };
  },
});

const searching = z.strictObject({
  query: z.string().min(1),
  mode: z.enum(['plain', 'regex']).default('plain').describe('regex: in the syntax of RE2.'),
  paths: z.array(z.string()).optional().describe('Notes and folders to look in.'),
  caseSensitive: z.boolean().default(false),
  limit: z.int().min(1).max(1000).default(50),
  snippetLength: z.int().min(1).max(2000).default(120),
});

interface Match {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly snippet: string;
}

export const searchText = vaultTool({
  name: 'vault.searchText',
  description: 'Finds a text or a pattern in notes.',
  effects: 'none',
  input: searching,
  output: z.strictObject({
    matches: z.array(
      z.strictObject({
        path: z.string(),
        line: z.int().describe('From 1.'),
        start: z.int().describe('The column where it begins, from 0, in UTF-16 units.'),
        end: z.int(),
        snippet: z.string(),
      }),
    ),
    truncated: z.boolean(),
  }),
  async work(args, vault) {
    const matches: Match[] = [];
    const pattern = patternOf(args);
    for (const path of await notesOf(args.paths, vault)) {
      const bytes = await bytesOf(join(rootOf(vault), path), path).catch(() => null);
      if (bytes === null) continue;
      for (const match of matchesIn(path, bytes, pattern, args.snippetLength)) {
        if (matches.length === args.limit) return { matches, truncated: true };
        matches.push(match);
      }
    }
    return { matches, truncated: false };
  },
});

function patternOf({ query, mode, caseSensitive }: z.output<typeof searching>): RE2JS {
  try {
    const source = mode === 'regex' ? query : RE2JS.quote(query);
    return RE2JS.compile(source, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (thrown) {
    throw new RefusedCall('VALIDATION_ERROR', `query is not a pattern of RE2: ${messageOf(thrown)}`);
  }
}

async function notesOf(paths: readonly string[] | undefined, vault: Vault): Promise<readonly string[]> {
  const all = (await listVault(vault)).filter(
    ({ kind, within }) => kind === 'file' && /\.(?:md|txt)$/i.test(within),
  );
  if (paths === undefined) return all.map(({ within }) => within);
  const wanted = await Promise.all(
    paths.map(async (path) => {
      const folder = await findPath(path, 'folder', vault);
      return folder.kind === 'folder' ? `${folder.within}/` : (await findPath(path, 'file', vault)).within;
    }),
  );
  return all
    .map(({ within }) => within)
    .filter((within) =>
      wanted.some((one) => one === '/' || within === one || (one.endsWith('/') && within.startsWith(one))),
    );
}

function* matchesIn(path: string, bytes: Buffer, pattern: RE2JS, length: number): Generator<Match> {
  let text: string;
  try {
    ({ text } = noteText(bytes, path));
  } catch {
    return;
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const matcher = pattern.matcher(line);
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      const from = Math.max(0, start - Math.floor(Math.max(0, length - (end - start)) / 2));
      yield { path, line: index + 1, start, end, snippet: wellFormed(line.slice(from, from + length)) };
    }
  }
}
