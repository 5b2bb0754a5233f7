import { join } from 'node:path';

import * as z from 'zod';

import { makeFolder } from '../../../host/files/make-folder.js';
import { appendToPlainFileNow, openPlainFile } from '../../../host/files/plain-file.js';
import { errorCode } from '../../../host/files/storage-error.js';
import { readStoredTextIfAny } from '../../../host/files/text-files.js';
import { messageOf } from '../../../kernel/errors.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { concluded, RefusedCall } from '../../runs/runners/outcomes.js';
import type { ToolCall } from '../../runs/model/tool.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import { asJson, readArgs } from '../kit.js';
import type { CarriedTool, KitTool } from '../kit.js';

/** Where data of plans is written down, relative to the project. */
const FILE = '.plans/wa-data.jsonl';
/** A longer file is not searched for what an earlier attempt has written. */
const MOST_SEARCHED = 64 * 1024 * 1024;

const dataInput = z.strictObject({
  key: z.string().min(1).max(500),
  value: z.json().describe('What is kept under the key.'),
});
const eventInput = z.strictObject({ event_id: z.int() });

/** The tools that write down, a line of JSON each, what a plan of wa keeps. */
export const WA_DATA_TOOLS: readonly KitTool[] = [
  {
    name: 'wa:store_data',
    description: `Writes a value down, a line in ${FILE}.`,
    effects: 'idempotent',
    rev: 1,
    input: dataInput,
    output: z.strictObject({ key: z.string() }),
    carry: (_, call) => writing(dataInput, call, ({ key }) => ({ key })),
  },
  {
    name: 'wa:mark_event_handled',
    description: `Writes down that an event was handled, a line in ${FILE}. frctl itself has no such events.`,
    effects: 'idempotent',
    rev: 1,
    input: eventInput,
    output: z.strictObject({ event_id: z.int(), notes: z.array(z.string()) }),
    carry: (_, call) =>
      writing(eventInput, call, ({ event_id }) => ({
        event_id,
        notes: [`frctl has no events: it stands in ${FILE} alone`],
      })),
  },
];

function writing<Schema extends z.ZodObject>(
  input: Schema,
  { environment: { root } }: KitCall,
  output: (args: z.output<Schema>) => object,
): CarriedTool {
  return {
    call: (call) =>
      concluded(createSecrets({}), async () => {
        const read = readArgs(input, call.args);
        await writeDown(root, call);
        return { outcome: 'succeeded', output: asJson(output(read)) };
      }),
  };
}

/** Writes the arguments of a call down, once for all its attempts, and waits for the disk. */
async function writeDown(root: string, { args, key, attempt }: ToolCall): Promise<void> {
  const file = join(root, FILE);
  const line = `{"step":${JSON.stringify(key)},${textOfJson(args).slice(1)}\n`;
  if (!attempt.endsWith('/1') && (await holdsLine(file, line))) return;
  try {
    await makeFolder(join(root, '.plans'));
    appendToPlainFileNow(file, (await isCutOff(file)) ? `\n${line}` : line);
    const handle = await openPlainFile(file);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new RefusedCall('NOT_WRITTEN', `${FILE} cannot be written to: ${messageOf(cause)}`);
  }
}

async function holdsLine(file: string, line: string): Promise<boolean> {
  const text = await readStoredTextIfAny(file, MOST_SEARCHED).catch(() => null);
  return text !== null && (text.startsWith(line) || text.includes(`\n${line}`));
}

/** Whether the last line has no end, such as after a full disk. */
async function isCutOff(file: string): Promise<boolean> {
  const handle = await openPlainFile(file).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return null;
    throw cause;
  });
  if (handle === null) return false;
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size > 0 && buffer[0] !== 10;
  } finally {
    await handle.close();
  }
}
