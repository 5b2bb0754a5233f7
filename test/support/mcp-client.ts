import { resolve } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';

import type { User } from './command.js';
import { UNLINKED } from './unlinked.js';

/** The eras of the protocol: with a handshake, and without. */
export const ERAS = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const;
export type Era = keyof typeof ERAS;

/** A host with the official client, and the server that it has started. */
export interface McpHost {
  readonly client: Client;
  readonly pid: number;
  /** Calls a tool; the text of its answer, and the document where it has one. */
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<Called>;
  readonly close: () => Promise<void>;
}

export interface Called {
  readonly text: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** The answer as it was on the wire, but for what the client adds. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const answerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** Starts `plan mcp` in a user's folder and connects to it. */
export async function startMcp(
  user: User,
  era: Era,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<McpHost> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('dist/cli/plan.js'), 'mcp', ...args],
    cwd: user.folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: user.home,
      XDG_CONFIG_HOME: `${user.home}/.config`,
      ...UNLINKED,
      ...variables,
    },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: ERAS[era] } });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, input = {}) {
      const raw = answerSchema.parse(await client.callTool({ name, arguments: { ...input } }));
      return {
        raw,
        text: raw.content[0]?.text ?? '',
        document: raw.structuredContent ?? {},
        isError: raw.isError === true,
      };
    },
    close: () => client.close(),
  };
}
