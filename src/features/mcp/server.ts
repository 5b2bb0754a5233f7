import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { VERSION } from '../../kernel/version.js';
import { libraryOf } from '../../operations/library.js';
import { OPERATIONS } from '../../operations/registry.js';
import type { Context } from '../../operations/shared/context.js';
import { wireAnswer, errorAnswer } from './answer.js';
import type { WireAnswer } from './answer.js';
import { parseToolInput } from './tool.js';
import type { PlanTool, ToolWorld } from './tool.js';
import { toolJsonSchema } from './tool-schemas.js';
import { TOOLS } from './tools.js';

export interface ServerOptions {
  /** A world for each call, so that nothing is kept between two. */
  readonly newContext: () => Context;
  readonly background: ToolWorld['background'];
  readonly failures: ToolWorld['failures'];
  readonly ending: ToolWorld['ending'];
  /** Takes each call of a tool, which never fails: what was begun comes to its end also when the host is gone. */
  readonly called: (call: Promise<unknown>) => void;
  /** Adds the schemas of documents to the list of tools. */
  readonly outputSchemas: boolean;
}

/** The longest input of a call, in characters of JSON. */
const LONGEST_INPUT = 4 * 1024 * 1024;
/** The deepest, which is more than steps in steps can be. */
const DEEPEST_INPUT = 200;
/** Lists do not change while the server runs. */
const LISTS = { ttlMs: 3_600_000, cacheScope: 'private' as const };

/** Makes the server: eight tools, two templates of resources, two prompts. One serves one connection of either generation of the protocol. */
export function createServer(options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'frctl', version: VERSION },
    {
      instructions:
        'Plans: trees of goals. plan_start, then plan_answer until nothing is left; goal_take and goal_done work it off.',
      cacheHints: { 'tools/list': LISTS, 'prompts/list': LISTS, 'resources/templates/list': LISTS },
    },
  );
  for (const tool of TOOLS) addTool(server, tool, options);
  addResources(server, options);
  addPrompts(server);
  return server;
}

function addTool(server: McpServer, tool: PlanTool, options: ServerOptions): void {
  const { name, description, annotations, output } = tool;
  const listed = options.outputSchemas && output !== undefined;
  server.registerTool(
    name,
    {
      description,
      annotations,
      inputSchema: asPublished(tool.input, 'input'),
      ...(listed ? { outputSchema: asPublished(output, 'output') } : {}),
    },
    async (given, call) => {
      const token = call.mcpReq._meta?.progressToken;
      const answer = callTool(tool, given, {
        ...options,
        signal: call.mcpReq.signal,
        progress: async (progress, total) => {
          if (token === undefined) return;
          await call.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: token, progress, total },
          });
        },
      });
      options.called(answer);
      return answer;
    },
  );
}

async function callTool(
  tool: PlanTool,
  given: unknown,
  {
    newContext,
    background,
    failures,
    ending,
    signal,
    progress,
  }: Pick<ServerOptions, 'newContext' | 'background' | 'failures' | 'ending'> &
    Pick<ToolWorld, 'signal' | 'progress'>,
): Promise<WireAnswer> {
  try {
    // One that was cancelled before it began is not begun.
    signal.throwIfAborted();
    if (isDeeper(given, DEEPEST_INPUT))
      throw new PlanError('INVALID_INPUT', `the arguments are nested more than ${DEEPEST_INPUT} levels deep`);
    if (JSON.stringify(given ?? {}).length > LONGEST_INPUT)
      throw new PlanError('INVALID_INPUT', `the arguments have more than ${LONGEST_INPUT} characters`, {
        hint: ['Give long texts as a file.'],
      });
    const parsed = parseToolInput(tool, given ?? {});
    const context = newContext();
    const world: ToolWorld = {
      library: libraryOf(context, OPERATIONS),
      context: { ...context, emit: () => undefined },
      signal,
      background,
      failures,
      ending,
      progress,
    };
    return wireAnswer(await tool.run(world, parsed));
  } catch (thrown) {
    return errorAnswer(thrown);
  }
}

/** Whether there are values in values more than so many levels deep. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let deep = 0; level.length > 0; deep += 1) {
    if (deep > levels) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** A schema that is shown as it is published and accepts everything, for the tool itself says what is wrong. */
function asPublished(schema: z.ZodObject, io: 'input' | 'output') {
  const shown = () => ({ ...toolJsonSchema(schema, io) });
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'frctl',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: shown, output: shown },
    },
  };
}

const MARKDOWN = 'text/markdown';
const MOST_LISTED = 50;
const RESOURCE_TOKENS = 9000;

/** Plans as documents and goals as what is needed to do them; they cost no tokens until they are read. */
function addResources(server: McpServer, { newContext }: ServerOptions): void {
  const list = async () => {
    const plans = await libraryOf(newContext(), OPERATIONS)
      .list()
      .then(
        (listed) => listed.plans,
        () => [],
      );
    return {
      resources: plans.slice(0, MOST_LISTED).map(({ id, description }) => ({
        uri: `plan:///${id}`,
        name: id,
        description: truncate(description, 200),
        mimeType: MARKDOWN,
      })),
    };
  };
  server.registerResource(
    'plan',
    new ResourceTemplate('plan:///{id}', { list }),
    { description: 'A plan as a Markdown outline', mimeType: MARKDOWN },
    async (uri, { id }) => {
      const { planOutline } = await import('../../operations/reading/plan-outline.js');
      const text = await planOutline(newContext(), { plan: named(id), maxTokens: RESOURCE_TOKENS });
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
    },
  );
  server.registerResource(
    'goal',
    new ResourceTemplate('goal:///{id}', { list: undefined }),
    { description: 'All that is needed to do a goal', mimeType: MARKDOWN },
    async (uri, { id }) => {
      const { markdown } = await libraryOf(newContext(), OPERATIONS).context(named(id), {
        maxTokens: RESOURCE_TOKENS,
      });
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text: markdown }] };
    },
  );
}

function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'plan',
    { description: 'Plan a goal', argsSchema: z.object({ goal: z.string() }) },
    ({ goal }) =>
      say(
        `Plan this goal with frctl. Call plan_start with it and planner "agent", then answer the questions with plan_answer, as \`how\` says, until left is 0. Show me the tree with plan_show.\n\n<goal>${xmlText(goal)}</goal>`,
      ),
  );
  server.registerPrompt(
    'work',
    { description: 'Work a plan off', argsSchema: z.object({ plan: z.string().optional() }) },
    ({ plan }) =>
      say(
        `Work ${plan === undefined ? 'the open plan' : `plan ${xmlText(plan)}`} off with frctl: goal_take, do what it says, goal_done with its result, and repeat until goal_take answers nothing. End a goal that cannot be done with outcome failed and the reason.`,
      ),
  );
}

/** What stands for a variable of a template. */
function named(id: string | string[] | undefined): string {
  return [id].flat()[0] ?? '';
}

/** A prompt of one message. */
function say(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
