import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';

const limits = {
  checks: z.array(z.string().min(1)).max(50).optional().describe('Tools that must succeed for every goal.'),
  setup: z.string().min(1).optional().describe('A tool that runs before the checks.'),
  protect: z
    .array(z.string().min(1))
    .max(200)
    .optional()
    .describe('Globs of files that a person decides about.'),
  parallel: z.int().min(1).max(16).optional().describe('Most agents at once.'),
  review: z.enum(['none', 'needed', 'each']).optional().describe('What a person is asked about.'),
};

/** What a project says of the work of agents: nothing that names a command. */
export const projectWorkSchema = z.strictObject(limits);

const agentSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1).describe('The program, word by word; no shell reads it.'),
  output: z.enum(['claude', 'codex', 'gemini', 'text']).optional().describe('How its output is read.'),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'not the name of a variable'))
    .optional()
    .describe('Variables that it gets.'),
  home: z
    .array(z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/, 'not a path below your home'))
    .optional()
    .describe('Files and folders of your home that it may read and write.'),
});

/** What users say of the agents that they let work. */
export const userWorkSchema = z.strictObject({
  ...limits,
  with: z.string().min(1).optional().describe('The agent that is started when none is named.'),
  sandbox: z.enum(['workspace', 'none']).optional().describe('Whether agents run in a sandbox (they do).'),
  copy: z
    .record(z.string(), z.array(z.string().min(1)))
    .optional()
    .describe('Ignored files that each agent gets, by the folder of the repository.'),
  agents: z.record(z.string().regex(/^[\w-]{1,40}$/, 'not a name'), agentSchema).optional(),
});

/** An agent as its user describes it. */
export type AgentConfig = z.infer<typeof agentSchema>;

const OWN_ALONE = ['with', 'agents', 'sandbox', 'copy'];

/**
 * Refuses a config of a repository that says which command is started as an agent, or what it can reach.
 * @throws PlanError UNTRUSTED_COMMAND
 */
export function refuseCommandsOfRepository(config: Readonly<Record<string, unknown>>, place: string): void {
  const { work } = config;
  if (typeof work !== 'object' || work === null) return;
  const name = OWN_ALONE.find((one) => Object.hasOwn(work, one));
  if (name === undefined) return;
  throw new PlanError(
    'UNTRUSTED_COMMAND',
    `${place} holds work.${name}, which only your own config can set`,
    {
      hint: { commandLine: `Remove it, and set it in your own config: \`plan config set work … --user\`.` },
      details: { place, name: `work.${name}` },
    },
  );
}
