import * as z from 'zod';

import { isJsonObject, isJsonValue } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { RUN_ID_PATTERN } from '../../../../plan/run-ids.js';

export const runId = z.string().regex(RUN_ID_PATTERN, 'must be run- and 8 of 0-9a-z');

/** A step instance: `note`, `note[3]`, `note/fallback/ask`, `sub/plan/a`. */
export const instance = z
  .string()
  .min(1)
  .describe('A step instance: note, note[3] (an item of foreach, from 0), note/fallback/ask, sub/plan/a.');

export const attempt = z.int().positive().describe('Which attempt of the instance, from 1.');

export const effects = z
  .enum(['none', 'idempotent', 'once'])
  .describe('What the call does to the world: nothing, what may be done again, what must happen once.');

export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** A file of the workspace at some time; null where there was none. */
export const fileState = z.looseObject({ path: z.string(), sha256: hash.nullable() });

/** Whose key a code was drawn, or given, with. */
export const codeKey = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

export const time = z.iso.datetime({ offset: true });

export const jsonObject: z.ZodType<JsonObject> = z
  .unknown()
  .refine((value) => isJsonObject(value) && isJsonValue(value), 'must be an object')
  .pipe(z.custom<JsonObject>())
  .meta({ type: 'object' });

const jsonValue: z.ZodType<JsonValue> = z
  .unknown()
  .refine((value) => isJsonValue(value), 'must be JSON')
  .pipe(z.custom<JsonValue>());

/** What a call brought: as it is where it is short, else by the file that holds it. */
export const outputFields = {
  output: jsonValue.optional().describe('What it brought, where that is at most 64 kB of JSON.'),
  output_file: hash.optional().describe('Longer output: the file in the folder of the run, by its SHA-256.'),
  output_digest: hash.optional().describe('SHA-256 of the output as it is written in JSON.'),
};

export const failure = z
  .looseObject({
    code: z.string().min(1),
    message: z.string(),
    retryable: z.boolean().describe('Whether the same call may succeed later.'),
  })
  .describe('Why it did not succeed. It holds no secret.');

/** Why an attempt, or a step, did not succeed. */
export type RunFailure = z.infer<typeof failure>;
