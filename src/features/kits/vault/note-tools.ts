import { stringify } from 'yaml';
import * as z from 'zod';

import { makeFolder } from '../../../host/files/make-folder.js';
import { sha256 } from '../../../kernel/sha256.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { propertiesEnd } from './links.js';
import { findPath } from './paths.js';
import type { Vault, VaultPath } from './paths.js';
import { bytesOf, bytesOfText, frontmatterOf, noteText, withLineEnds } from './text.js';
import { factsOf, vaultTool, writeNote } from './vault-tool.js';

const path = z.string().min(1).describe('Relative to the vault; .md is added where the name has no dot.');
const facts = { path: z.string(), etag: z.string(), mtimeMs: z.number() };
const STRATEGIES = ['error', 'create-unique', 'overwrite'] as const;

/** Returns the bytes of a file that must be there. @throws RefusedCall NOT_FOUND, NOT_A_FILE */
async function present(file: VaultPath): Promise<Buffer> {
  if (file.kind === 'folder') throw new RefusedCall('NOT_A_FILE', `${file.within} is a folder`);
  const bytes = file.kind === null ? null : await bytesOf(file.path, file.within);
  if (bytes === null) throw new RefusedCall('NOT_FOUND', `there is no file ${file.within}`);
  return bytes;
}

const oneFile = async ({ path: name }: { readonly path: string }, vault: Vault) => [
  await findPath(name, 'file', vault),
];

export const ensureFolder = vaultTool({
  name: 'vault.ensureFolder',
  description: 'Makes a folder, with those above it, unless it is there.',
  effects: 'idempotent',
  input: z.strictObject({ path: z.string().min(1).describe('Relative to the vault.') }),
  output: z.strictObject({ path: z.string(), created: z.boolean() }),
  paths: { path: 'folder' },
  async work({ path: name }, vault) {
    const folder = await findPath(name, 'folder', vault);
    if (folder.kind === 'file') throw new RefusedCall('NOT_A_FOLDER', `${folder.within} is a file`);
    if (folder.kind === null) await makeFolder(folder.path);
    return { path: folder.within, created: folder.kind === null };
  },
});

const creation = z.strictObject({
  path,
  content: z.string(),
  ifNotExists: z.boolean().default(true),
  collisionStrategy: z
    .enum(STRATEGIES)
    .optional()
    .describe(
      'What is done where a file is there; error when left out, or overwrite where ifNotExists is false.',
    ),
  frontmatter: z.record(z.string(), z.json()).optional().describe('The properties of the note.'),
});

function strategyOf({ collisionStrategy, ifNotExists }: z.output<typeof creation>) {
  return collisionStrategy ?? (ifNotExists ? 'error' : 'overwrite');
}

export const createFile = vaultTool({
  name: 'vault.createFile',
  description: 'Makes a note, with its folders.',
  effects: 'once',
  effectsOf: (args) => (strategyOf(args) === 'create-unique' ? 'once' : 'idempotent'),
  input: creation,
  output: z.strictObject({ ...facts, created: z.boolean() }),
  paths: { path: 'file' },
  changes: async (args, vault) => (strategyOf(args) === 'create-unique' ? [] : oneFile(args, vault)),
  // The path is promised when the attempt is written down, so that it can be found again.
  async watches(args, vault) {
    if (strategyOf(args) !== 'create-unique') return [];
    const names = promisedIn(vault);
    // No other call comes between looking and promising.
    return [await freePath(args.path, vault, (name) => !names.has(name) && names.add(name).has(name))];
  },
  async settled(args, vault, before) {
    const file = await freePath(args.path, vault, (name) => before.has(name), 'file');
    const bytes = await present(file);
    const isMade = bytes.equals(Buffer.from(contentOf(args), 'utf8'));
    return isMade ? { ...(await factsOf(file, bytes)), created: true } : null;
  },
  async work(args, vault, call) {
    const strategy = strategyOf(args);
    const content = Buffer.from(contentOf(args), 'utf8');
    const wanted = await findPath(args.path, 'file', vault);
    if (wanted.kind === 'folder') throw new RefusedCall('ALREADY_EXISTS', `${wanted.within} is a folder`);
    const before = wanted.kind === null ? null : await bytesOf(wanted.path, wanted.within);
    if (before !== null && strategy !== 'create-unique' && before.equals(content))
      return { ...(await factsOf(wanted, content)), created: false };
    if (before !== null && strategy === 'error')
      throw new RefusedCall('ALREADY_EXISTS', `${wanted.within} is there and holds something else`);
    if (strategy !== 'create-unique')
      return { ...(await writeNote(wanted, before, content, call, vault)), created: before === null };
    const own = call.before?.[0]?.path;
    const names = promisedIn(vault);
    const free = await freePath(args.path, vault, (name) => name === own || !names.has(name));
    try {
      return { ...(await writeNote(free, null, content, call, vault)), created: true };
    } finally {
      if (own !== undefined) names.delete(own);
    }
  },
});

function contentOf({ content, frontmatter }: z.output<typeof creation>): string {
  if (frontmatter === undefined) return content;
  if (propertiesEnd(content) > 0)
    throw new RefusedCall(
      'TWO_FRONTMATTERS',
      'the content begins with properties, and frontmatter has others',
    );
  return `---\n${stringify(frontmatter, { lineWidth: 0 })}---\n${content}`;
}

/** So many numbers are tried behind a name. */
const MOST_NUMBERS = 10_000;

/** Names that calls of a run have promised and not made yet. */
const PROMISED = new WeakMap<Vault['environment'], Set<string>>();

function promisedIn({ environment }: Vault): Set<string> {
  const names = PROMISED.get(environment) ?? new Set();
  PROMISED.set(environment, names);
  return names;
}

/** Returns a path that nothing has, and that is meant: as it is named, else with a number before its ending. */
async function freePath(
  path: string,
  vault: Vault,
  isMeant: (name: string) => boolean,
  kind: VaultPath['kind'] = null,
): Promise<VaultPath> {
  const { within } = await findPath(path, 'file', vault);
  const [, stem = within, ending = ''] = /^(.+?)(\.[^./]+)?$/.exec(within) ?? [];
  for (let number = 0; number <= MOST_NUMBERS; number += 1) {
    const found = await findPath(number === 0 ? within : `${stem} ${number}${ending}`, 'file', vault);
    if (found.kind === kind && isMeant(found.name)) return found;
  }
  throw new RefusedCall('ALREADY_EXISTS', `${within} is there with ${MOST_NUMBERS} numbers`);
}

export const readFile = vaultTool({
  name: 'vault.readFile',
  description: 'Reads a note.',
  effects: 'none',
  input: z.strictObject({
    path,
    maxBytes: z.int().positive().optional(),
    range: z
      .strictObject({ start: z.int().min(0), end: z.int().min(0) })
      .optional()
      .describe('Characters of the content, from 0; the end is not part of it.'),
    as: z.enum(['text', 'base64']).default('text'),
  }),
  output: z.strictObject({
    ...facts,
    content: z.string(),
    encoding: z.enum(['utf-8', 'base64']),
    frontmatter: z.record(z.string(), z.json()).nullable(),
    truncated: z.boolean().optional(),
  }),
  paths: { path: 'file' },
  async work({ path: name, maxBytes = Number.POSITIVE_INFINITY, range, as }, vault) {
    const file = await findPath(name, 'file', vault);
    const bytes = await present(file);
    const known = await factsOf(file, bytes);
    const cut = bytes.length > maxBytes ? { truncated: true } : {};
    if (as === 'base64') {
      const content = bytes.subarray(0, Math.min(maxBytes, bytes.length)).toString('base64');
      return { ...known, content, encoding: 'base64', frontmatter: null, ...cut };
    }
    const { text } = noteText(bytes, file.within);
    const kept = firstBytes(text, maxBytes);
    const content = range === undefined ? kept : kept.slice(range.start, range.end);
    return { ...known, content, encoding: 'utf-8', frontmatter: frontmatterOf(text), ...cut };
  },
});

/** Returns the beginning of a text, of whole characters. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return text;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}

export const writeFile = vaultTool({
  name: 'vault.writeFile',
  description: 'Writes a note over, or adds to its end.',
  effects: 'once',
  effectsOf: ({ mode }) => (mode === 'append' ? 'once' : 'idempotent'),
  input: z.strictObject({
    path,
    content: z.string(),
    mode: z.enum(['overwrite', 'append']).default('overwrite'),
    expectedEtag: z.string().optional().describe('What readFile said of it; another one is CONFLICT.'),
  }),
  output: z.strictObject({ ...facts, bytesWritten: z.int() }),
  paths: { path: 'file' },
  changes: oneFile,
  async work({ path: name, content, mode, expectedEtag }, vault, call) {
    const file = await findPath(name, 'file', vault);
    if (file.kind === 'folder') throw new RefusedCall('NOT_A_FILE', `${file.within} is a folder`);
    const before = file.kind === null ? null : await bytesOf(file.path, file.within);
    const etag = before === null ? null : sha256(before);
    if (expectedEtag !== undefined && expectedEtag !== etag)
      throw new RefusedCall('CONFLICT', `${file.within} is not what it was when it was read`);
    const like = before === null ? null : noteText(before, file.within);
    const added = withLineEnds(content, like);
    const text = mode === 'append' ? (like?.text ?? '') + added : added;
    const written = await writeNote(file, before, bytesOfText(text, like), call, vault);
    return { ...written, bytesWritten: Buffer.byteLength(added) };
  },
  async settled({ path: name, content, mode }, vault, before) {
    const file = await findPath(name, 'file', vault);
    if (mode !== 'append' || file.kind !== 'file') return null;
    const now = await present(file);
    const like = noteText(now, file.within);
    // What was there decided over the line ends; what was added may have made them otherwise.
    const added = [content, withLineEnds(content, { isCrlf: true })].find((one) => {
      if (!like.text.endsWith(one)) return false;
      const kept = like.text.slice(0, like.text.length - one.length);
      const hash = sha256(bytesOfText(kept, like));
      return hash === before.get(file.name) || (kept === '' && before.get(file.name) === null);
    });
    if (added === undefined) return null;
    return { ...(await factsOf(file, now)), bytesWritten: Buffer.byteLength(added) };
  },
});

export const patchFile = vaultTool({
  name: 'vault.patchFile',
  description: 'Replaces a text in a note, which must be there so many times.',
  effects: 'once',
  input: z.strictObject({
    path,
    find: z.string().min(1),
    text: z.string(),
    count: z.int().positive().default(1).describe('How many times the text must be there; all are replaced.'),
  }),
  output: z.strictObject({ path: z.string(), etag: z.string(), applied: z.int() }),
  paths: { path: 'file' },
  changes: oneFile,
  async work({ path: name, find, text, count }, vault, call) {
    const file = await findPath(name, 'file', vault);
    const before = await present(file);
    const like = noteText(before, file.within);
    const pieces = like.text.split(withLineEnds(find, like));
    const applied = pieces.length - 1;
    if (applied === 0) throw new RefusedCall('NOT_FOUND', `the text is not in ${file.within}`);
    if (applied !== count)
      throw new RefusedCall('COUNT', `the text is ${applied} times in ${file.within}, not ${count} times`);
    const content = bytesOfText(pieces.join(withLineEnds(text, like)), like);
    const { path: within, etag } = await writeNote(file, before, content, call, vault);
    return { path: within, etag, applied };
  },
  async settled({ path: name, find, text, count }, vault, before) {
    const file = await findPath(name, 'file', vault);
    const now = await present(file);
    const like = noteText(now, file.within);
    const put = withLineEnds(text, like);
    const was = put === '' ? like.text : like.text.replaceAll(put, () => withLineEnds(find, like));
    if (sha256(bytesOfText(was, like)) !== before.get(file.name)) return null;
    return { path: file.within, etag: sha256(now), applied: count };
  },
});
