import * as z from 'zod';

import type { ServerError } from './error-text.js';

const FORMATS = ['json_schema', 'json_object', 'none'] as const;
const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens', 'none'] as const;
const STREAMS = ['usage', 'plain', 'none'] as const;

export const capabilitiesSchema = z.object({
  format: z.enum(FORMATS),
  outputLimit: z.enum(OUTPUT_LIMITS),
  temperature: z.boolean(),
  /** A `reasoning_effort`, which is sent where the settings have one. */
  reasoning: z.boolean(),
  /** A message of the role `system`; its text is put before the user's where there is none. */
  system: z.boolean(),
  /** A reply in pieces as it is written, with its usage at the end, so that silence can be told from work. */
  stream: z.enum(STREAMS),
});

/** What of a request's optional fields a model's server accepts; everything until it says otherwise. */
export type Capabilities = Readonly<z.infer<typeof capabilitiesSchema>>;

export const ALL_CAPABILITIES: Capabilities = {
  format: 'json_schema',
  outputLimit: 'max_tokens',
  temperature: true,
  reasoning: true,
  system: true,
  stream: 'usage',
};

/**
 * The capabilities that are left after a server refused a request sent with `sent`; undefined when the refusal is
 * about something else. Each step gives something up, so at most nine refusals of one request are ever followed.
 */
export function withoutRefused(
  sent: Capabilities,
  error: ServerError,
  inTrouble = false,
): Capabilities | undefined {
  const named = namedField(error);
  // A server in trouble is believed only where it names what fails while a request is prepared.
  if (inTrouble && named !== 'system' && named !== 'format') return undefined;
  if (named === 'stream' && sent.stream !== 'none') return { ...sent, stream: after(STREAMS, sent.stream) };
  if (named === 'system' && sent.system) return { ...sent, system: false };
  if (named === 'format' && sent.format !== 'none') return { ...sent, format: after(FORMATS, sent.format) };
  if (named === 'outputLimit' && sent.outputLimit !== 'none')
    return { ...sent, outputLimit: after(OUTPUT_LIMITS, sent.outputLimit) };
  if (named === 'reasoning' && sent.reasoning) return { ...sent, reasoning: false };
  if (named === 'temperature' && sent.temperature) return { ...sent, temperature: false };
  return undefined;
}

/**
 * The capabilities that both sets have. Calls in flight learn side by side, and none may bring back what another
 * saw refused.
 */
export function common(a: Capabilities, b: Capabilities): Capabilities {
  return {
    format: later(FORMATS, a.format, b.format),
    outputLimit: later(OUTPUT_LIMITS, a.outputLimit, b.outputLimit),
    temperature: a.temperature && b.temperature,
    reasoning: a.reasoning && b.reasoning,
    system: a.system && b.system,
    stream: later(STREAMS, a.stream, b.stream),
  };
}

const FIELDS: readonly (readonly [keyof Capabilities, RegExp])[] = [
  [
    'system',
    /system (?:role|message|prompt|instruction)s?[^]{0,30}(?:not|un)\s?-?(?:supported|enabled|allowed)|developer instruction|not support 'system'|roles? must alternate|only user[^]{0,20}assistant[^]{0,20}roles?/i,
  ],
  ['format', /response_format|json_schema|json_object|structured.?outputs?|json.?mode|guided_json|grammar/i],
  ['outputLimit', /max_tokens|max_completion_tokens/i],
  ['reasoning', /reasoning[_. ]?effort/i],
  ['temperature', /temperature/i],
];

const STREAM = /\bstream(?:s|ing|_options)?\b|include_usage/i;

function namedField({ message, code, param }: ServerError): keyof Capabilities | undefined {
  // A format that is not streamed is a matter of the stream, for that costs nothing to give up.
  if ([param, message, code].some((text) => text !== undefined && STREAM.test(text))) return 'stream';
  return fieldIn(param) ?? fieldIn(message) ?? fieldIn(code);
}

function fieldIn(text: string | undefined): keyof Capabilities | undefined {
  return text === undefined ? undefined : FIELDS.find(([, pattern]) => pattern.test(text))?.[0];
}

function after<T>(steps: readonly T[], step: T): T {
  return steps[steps.indexOf(step) + 1] ?? step;
}

function later<T>(steps: readonly T[], a: T, b: T): T {
  return steps.indexOf(a) > steps.indexOf(b) ? a : b;
}
