import * as z from 'zod';

import { textOfJson } from '../../../kernel/json/json-text.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import type { FileCall } from '../../runs/runners/file.js';
import { sha256 } from '../../../kernel/sha256.js';
import { findPath } from '../vault/paths.js';
import type { Vault } from '../vault/paths.js';
import { bytesOf } from '../vault/text.js';
import { vaultTool, writeNote } from '../vault/vault-tool.js';
import type { KitTool } from '../kit.js';
import type { BrowserSession } from './session.js';

const output = z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string() });

async function written(name: string, content: Buffer, vault: Vault, call: FileCall) {
  const file = await findPath(name, 'file', vault);
  if (file.kind === 'folder') throw new RefusedCall('NOT_A_FILE', `${file.within} is a folder`);
  const before = file.kind === null ? null : await bytesOf(file.path, file.within);
  await writeNote(file, before, content, call, vault);
  return { path: file.within, bytes: content.length, sha256: sha256(content) };
}

/** Returns the tool that keeps a picture of the page as a file of the project. */
export function screenshotOf(
  session: (call: KitCall) => BrowserSession,
): Pick<KitTool, 'carry'> & typeof SCREENSHOT {
  return {
    ...SCREENSHOT,
    carry: (_, call) =>
      vaultTool({
        ...SCREENSHOT,
        paths: { path: 'file' },
        changes: async ({ path }, vault) => [await findPath(withEnd(path, '.png'), 'file', vault)],
        async work({ path, full_page: fullPage }, vault, made) {
          const picture = await session(call).page().screenshot({ fullPage, timeout: made.timeoutMs });
          return written(withEnd(path, '.png'), picture, vault, made);
        },
      }).carry({}, call),
  };
}

const SCREENSHOT = {
  name: 'take-screenshot',
  description: 'Keeps a picture of the page as a file of the project.',
  effects: 'idempotent',
  rev: 1,
  input: z.strictObject({
    path: z.string().min(1).describe('Relative to the project.'),
    full_page: z.boolean().default(false),
  }),
  output,
} as const;

/** Writes what a step brought as a file of the project. */
export const deliver = vaultTool({
  name: 'data.deliver.structured',
  description: 'Writes what a step brought as a file of JSON.',
  effects: 'idempotent',
  input: z.looseObject({
    filename: z.string().min(1).describe('Relative to the project.'),
    source_step_id: z.string().min(1).describe('The step whose output is written.'),
    schema: z.string().optional(),
    artifact_label: z.string().optional(),
  }),
  output,
  paths: { filename: 'file' },
  changes: async ({ filename }, vault) => [await findPath(withEnd(filename, '.json'), 'file', vault)],
  async work({ filename, source_step_id: step }, vault, call) {
    const value = await call.outputOf?.(step);
    if (value === undefined) throw new RefusedCall('NOT_FOUND', `the step ${step} has brought nothing`);
    const text = `${textOfJson(value, '  ')}\n`;
    return written(withEnd(filename, '.json'), Buffer.from(text, 'utf8'), vault, call);
  },
});

function withEnd(name: string, end: string): string {
  return /\.[^./\\]+$/.test(name) ? name : name + end;
}
