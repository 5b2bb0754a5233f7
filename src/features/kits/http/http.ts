import * as z from 'zod';

import { isJsonList } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Effects, HttpBinding } from '../../actions/tools/bindings.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { callHttp, problemOfHttp } from '../../runs/runners/http.js';
import { concluded, RefusedCall } from '../../runs/runners/outcomes.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import { readArgs } from '../kit.js';
import type { CarriedTool, Kit, KitTool } from '../kit.js';

/** Where a kit may go: an origin of the web. */
export const origin = z
  .string()
  .refine((text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol), {
    message: 'must be an origin, such as https://example.org',
    abort: true,
  })
  .refine((text) => [new URL(text).origin, `${new URL(text).origin}/`].includes(text.toLowerCase()), {
    message: 'must be an origin alone, without a path',
  });

const options = z.strictObject({
  origins: z.array(origin).min(1).max(100).describe('Where requests may go, as https://example.org.'),
});

const input = z.strictObject({
  url: z.string().min(1).describe('Within the origins of the kit.'),
  headers: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'not the name of a header'), z.string())
    .optional(),
  body: z.json().optional().describe('Sent as JSON; a text as it is.'),
});

const output = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  text: z.string(),
  json: z.json().optional().describe('What the text says, where the server calls it JSON.'),
  truncated: z.boolean().optional(),
});

const METHODS: readonly (readonly [HttpBinding['http']['method'], Effects, string])[] = [
  ['GET', 'none', 'Asks a server for something.'],
  ['PUT', 'idempotent', 'Puts something at an address of a server.'],
  ['DELETE', 'idempotent', 'Deletes what is at an address of a server.'],
  ['POST', 'once', 'Sends something to a server.'],
  ['PATCH', 'once', 'Changes something on a server.'],
];

/**
 * Headers that say which server is meant, or where a request ends: with another `Host` a server that several share
 * answers for another origin, and after a length that is too small the rest of a body is read as a request of its own.
 */
const OF_THE_CONNECTION =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|expect|te|trailer)$/i;

/** Requests to servers that the options name. */
export const http: Kit = {
  name: 'http',
  options,
  programs: [],
  tools: METHODS.map(([method, effects, description]): KitTool => {
    const takes = method === 'GET' ? input.omit({ body: true }) : input;
    return {
      name: `http.${method.toLowerCase()}`,
      description,
      effects,
      rev: 2,
      input: takes,
      output,
      carry: (given, call) => carried(method, given, call),
    };
  }),
};

function carried(
  method: HttpBinding['http']['method'],
  { origins }: JsonObject,
  { environment }: KitCall,
): CarriedTool {
  const allowed =
    origins !== undefined && isJsonList(origins) ? origins.filter((one) => typeof one === 'string') : [];
  const base = { method, url: '${url}', origins: allowed } as const;
  return {
    problem: ({ args, later }) =>
      (later.has('headers') ? null : refusalOf(args.headers)) ??
      (later.has('url')
        ? null
        : problemOfHttp({ http: base }, { args: { url: args.url ?? '' }, later: new Set() })),
    call: (call) =>
      concluded(createSecrets({}), async () => {
        const { url, body, headers = {} } = readArgs(input, call.args);
        const refusal = refusalOf(headers);
        if (refusal !== null) throw new RefusedCall('POLICY_DENIED', refusal);
        // What is sent is text of the plan: no value of it is read as a template.
        const named = Object.entries(headers).map(([name, value], index) => ({
          name,
          member: `header${index}`,
          value,
        }));
        const http = {
          ...base,
          ...(body === undefined ? {} : { body: '${body}' }),
          headers: Object.fromEntries(named.map(({ name, member }) => [name, `\${${member}}`])),
        };
        const args = {
          url,
          ...(call.args.body === undefined ? {} : { body: call.args.body }),
          ...Object.fromEntries(named.map(({ member, value }) => [member, value])),
        };
        return callHttp({ http }, { ...call, args }, environment);
      }),
  };
}

/** Why the headers of a step are not sent; null where they may be. */
function refusalOf(headers: unknown): string | null {
  const named = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
  const refused = named.find((name) => OF_THE_CONNECTION.test(name));
  return refused === undefined ? null : `the header ${refused} is set by frctl alone`;
}
