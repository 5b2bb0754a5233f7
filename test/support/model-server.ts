import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { resolve } from 'node:path';

import { z } from 'zod';

/** A goal whose expansion the server knows. */
export interface TreeNode {
  readonly description: string;
  readonly atomic: boolean;
  readonly reasoning?: string;
  readonly acceptance?: unknown;
  readonly size?: unknown;
  /** 1-based numbers of earlier siblings. */
  readonly depends_on?: readonly number[];
  readonly children?: readonly TreeNode[];
}

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
  response_format: z.looseObject({ type: z.string() }).optional(),
});

export type RequestBody = z.infer<typeof bodySchema>;

/** A request as the server got it. */
export interface SeenRequest {
  /** From 1, in order of arrival. */
  readonly number: number;
  /** Requests under way when it came, itself included. */
  readonly atOnce: number;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: RequestBody;
  readonly system: string;
  readonly user: string;
  /** The unescaped text of `<goal>…</goal>`. */
  readonly goal: string;
}

/** What is done instead of, or to, the reply of one request. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  | { readonly kind: 'drop'; readonly when: 'before_headers' | 'after_headers' | 'mid_body' }
  | { readonly kind: 'stall'; readonly when?: 'before_headers' | 'mid_body' }
  | {
      readonly kind: 'body';
      readonly body: string | Uint8Array;
      readonly status?: number;
      readonly contentType?: string;
    }
  | {
      readonly kind: 'content';
      readonly content: unknown;
      readonly finish_reason?: string;
      readonly refusal?: string;
    }
  /** The members of the message, as the server has them. */
  | {
      readonly kind: 'message';
      readonly message: Readonly<Record<string, unknown>>;
      readonly finish_reason?: string;
    }
  | { readonly kind: 'wrap'; readonly wrap: (content: string) => string; readonly finish_reason?: string };

export interface ModelServerOptions {
  /** Replies come from this tree, by the text of the goal; a goal it does not hold is atomic. */
  readonly tree?: TreeNode;
  /** Or from here: the content of the reply. */
  readonly respond?: (request: SeenRequest) => unknown;
  /** The fault of a request, or none. */
  readonly faults?: (request: SeenRequest) => Fault | undefined;
  /** Milliseconds before a reply. */
  readonly delay?: number | ((request: SeenRequest) => number);
  /** What is waited for before a reply, besides. */
  readonly until?: (request: SeenRequest) => Promise<unknown>;
  /** What is reported; by default a quarter of the characters. null: no usage at all. */
  readonly usage?: null | ((request: SeenRequest, content: string) => unknown);
  /** Whether a reply is streamed to whoever asks for that, as servers do; true by default. */
  readonly streams?: boolean;
  /** Milliseconds between the pieces of a stream. */
  readonly pause?: number;
  /** Whether it is reached by https; see `CERTIFICATE`. */
  readonly secure?: boolean;
  /** The address that it is reached at; loopback by default. */
  readonly host?: string;
  /** Fields that are answered with 400. */
  readonly refuse?: readonly (
    | 'json_schema'
    | 'json_object'
    | 'temperature'
    | 'max_tokens'
    | 'max_completion_tokens'
    | 'system'
    | 'stream'
    | 'stream_options'
  )[];
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly port: number;
  /** Requests that arrived. */
  readonly count: number;
  /** The most that were under way at once. */
  readonly mostAtOnce: number;
  /** Tokens reported so far, input and output. */
  readonly reportedTokens: number;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** The file of the certificate of secure servers, which is for models.example and loopback. */
export const CERTIFICATE = resolve('test/fixtures/tls/certificate.pem');

function secrets() {
  return { cert: readFileSync(CERTIFICATE), key: readFileSync(resolve('test/fixtures/tls/key.pem')) };
}

/** A server on loopback that speaks the protocol of docs/model-protocol.md, with faults where asked for. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const nodes = new Map<string, TreeNode>();
  if (options.tree !== undefined) index(options.tree, nodes);
  const requests: SeenRequest[] = [];
  let now = 0;
  let most = 0;
  let reported = 0;
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    void (async () => {
      const read = await readRequest(incoming);
      now += 1;
      const request: SeenRequest = { ...read, number: requests.length + 1, atOnce: now };
      requests.push(request);
      most = Math.max(most, now);
      response.on('close', () => (now -= 1));
      await wait(typeof options.delay === 'function' ? options.delay(request) : (options.delay ?? 0));
      await options.until?.(request);
      reported += answer(request, response, options, nodes);
    })().catch((thrown: unknown) => response.destroy(thrown instanceof Error ? thrown : undefined));
  };
  const { host = '127.0.0.1' } = options;
  const server = options.secure === true ? createSecureServer(secrets(), listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    baseUrl: `http${options.secure === true ? 's' : ''}://${host}:${address.port}/v1`,
    port: address.port,
    get count() {
      return requests.length;
    },
    get mostAtOnce() {
      return most;
    },
    get reportedTokens() {
      return reported;
    },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A tree in which every goal above `depth` has `width` sub-goals, each but the first waiting for the one before. */
export function uniformTree(depth: number, width: number, description = 'Build the thing'): TreeNode {
  if (depth === 0) return { description, atomic: true };
  const children = Array.from({ length: width }, (_, index) => ({
    ...uniformTree(depth - 1, width, `${description} / part ${index + 1}`),
    depends_on: index === 0 ? [] : [index],
  }));
  return { description, atomic: false, children };
}

/** The expansion of a node, as a model that knows the tree gives it. */
export function expansionOf(node: TreeNode): unknown {
  return {
    atomic: node.atomic,
    reasoning: node.reasoning ?? 'As the tree says.',
    sub_goals: (node.children ?? []).map((child) => ({
      description: child.description,
      atomic: child.atomic,
      reasoning: child.reasoning ?? 'As the tree says.',
      // As those servers do not send them that know nothing of them.
      ...(child.acceptance === undefined ? {} : { acceptance: child.acceptance }),
      ...(child.size === undefined ? {} : { size: child.size }),
      depends_on: child.depends_on ?? [],
    })),
  };
}

function index(node: TreeNode, nodes: Map<string, TreeNode>): void {
  nodes.set(node.description, node);
  for (const child of node.children ?? []) index(child, nodes);
}

async function readRequest(incoming: IncomingMessage): Promise<Omit<SeenRequest, 'number' | 'atOnce'>> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) text += String(chunk);
  const body = bodySchema.parse(JSON.parse(text));
  const textOf = (role: string): string =>
    body.messages.find((message) => message.role === role)?.content ?? '';
  const goals = [...textOf('user').matchAll(/<goal>([^<]*)<\/goal>/g)];
  if (goals.length !== 1) throw new Error(`the user message holds ${goals.length} goals`);
  const goal = (goals[0]?.[1] ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    system: textOf('system'),
    user: textOf('user'),
    goal,
  };
}

// Returns the tokens it reported.
function answer(
  request: SeenRequest,
  response: ServerResponse,
  options: ModelServerOptions,
  nodes: ReadonlyMap<string, TreeNode>,
): number {
  const fault = options.faults?.(request);
  const refused = refusedField(request, options.refuse ?? []);
  if (fault === undefined && refused !== undefined) {
    sendJson(response, 400, refusalOf(refused));
    return 0;
  }
  const known =
    options.respond?.(request) ??
    expansionOf(nodes.get(request.goal) ?? { description: request.goal, atomic: true });
  const reply = replyOf(typeof known === 'string' ? known : JSON.stringify(known), fault);
  const usage =
    options.usage === null ? undefined : (options.usage ?? quarter)(request, String(reply.message.content));
  const text = JSON.stringify({
    id: `chatcmpl-${request.number}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.body.model,
    choices: [
      {
        index: 0,
        finish_reason: reply.finish_reason,
        message: { role: 'assistant', ...reply.message },
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  });
  if (fault !== undefined && misbehave(fault, text, response)) return 0;
  const { content } = reply.message;
  if (request.body['stream'] === true && options.streams !== false && !Array.isArray(content)) {
    void stream(
      response,
      reply,
      request.body['stream_options'] === undefined ? undefined : usage,
      options.pause,
    );
    return tokensIn(usage);
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  return tokensIn(usage);
}

function refusalOf(field: string): unknown {
  return field === 'system'
    ? {
        object: 'error',
        message: 'System role not supported',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }
    : { error: { message: `Unsupported parameter: '${field}'`, param: null, code: null } };
}

function refusedField(
  { body }: SeenRequest,
  refuse: NonNullable<ModelServerOptions['refuse']>,
): string | undefined {
  return refuse.find(
    (field) =>
      field in body ||
      body.response_format?.type === field ||
      body.messages.some(({ role }) => role === field),
  );
}

async function stream(
  response: ServerResponse,
  { message, finish_reason }: Reply,
  usage: unknown,
  pause = 0,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = async (chunk: unknown): Promise<void> => {
    response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
    await wait(pause);
  };
  const choice = (delta: unknown, finish: string | null = null) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  response.write(': PROCESSING\n\n');
  await send(choice({ role: 'assistant', content: '' }));
  for (const [name, value] of Object.entries(message)) {
    if (typeof value !== 'string') {
      const whole = Array.isArray(value) ? value.map((one, index) => ({ index, ...one })) : value;
      if (value !== null) await send(choice({ [name]: whole }));
      continue;
    }
    const size = Math.max(40, Math.ceil(value.length / 8));
    for (let start = 0; start < value.length; start += size)
      await send(choice({ [name]: value.slice(start, start + size) }));
  }
  await send(choice({}, finish_reason));
  if (usage !== undefined) await send({ object: 'chat.completion.chunk', choices: [], usage });
  await send('[DONE]');
  response.end();
}

interface Reply {
  readonly message: Readonly<Record<string, unknown>>;
  readonly finish_reason: string;
}

function replyOf(content: string, fault: Fault | undefined): Reply {
  const finish_reason =
    (fault !== undefined && 'finish_reason' in fault ? fault.finish_reason : undefined) ?? 'stop';
  if (fault?.kind === 'message') return { message: fault.message, finish_reason };
  if (fault?.kind === 'content')
    return { message: { content: fault.content, refusal: fault.refusal ?? null }, finish_reason };
  const said = fault?.kind === 'wrap' ? fault.wrap(content) : content;
  return { message: { content: said, refusal: null }, finish_reason };
}

// True when the request has been dealt with.
function misbehave(fault: Fault, text: string, response: ServerResponse): boolean {
  if (fault.kind === 'content' || fault.kind === 'message' || fault.kind === 'wrap') return false;
  if (fault.kind === 'status')
    sendJson(response, fault.status, fault.body ?? { error: { message: 'a fault' } }, fault.headers);
  else if (fault.kind === 'body')
    response
      .writeHead(fault.status ?? 200, { 'content-type': fault.contentType ?? 'application/json' })
      .end(fault.body);
  else {
    const when = fault.when ?? 'before_headers';
    if (when !== 'before_headers')
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    if (when === 'after_headers') response.flushHeaders();
    if (when === 'mid_body') response.write(text.slice(0, 20));
    if (fault.kind === 'drop')
      setTimeout(() => response.socket?.destroy(), when === 'before_headers' ? 0 : 20);
  }
  return true;
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function quarter(request: SeenRequest, content: string): unknown {
  const input = Math.ceil((request.system.length + request.user.length) / 4);
  const output = Math.max(1, Math.ceil(content.length / 4));
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

const usageSchema = z.looseObject({
  prompt_tokens: z.number().catch(0),
  completion_tokens: z.number().catch(0),
});

function tokensIn(usage: unknown): number {
  const { prompt_tokens, completion_tokens } = usageSchema.parse(usage ?? {});
  return prompt_tokens + completion_tokens;
}

function wait(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
