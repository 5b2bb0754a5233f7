import { truncate } from '../../../kernel/text/truncate.js';
import type { AgentConfig } from '../../../operations/settings/work-config.js';
import { PlanError } from '../../../kernel/errors.js';

/** An agent that can be started. */
export interface Agent extends AgentConfig {
  readonly name: string;
  /** The option that bounds the dollars of a run. */
  readonly budget?: string;
}

/** What is known of agents of others. They have not been tried with an account. */
export const PRESETS: Readonly<Record<string, Omit<Agent, 'name'>>> = {
  claude: {
    command: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--setting-sources',
      'user',
      '--strict-mcp-config',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Edit,Write,Bash',
    ],
    output: 'claude',
    budget: '--max-budget-usd',
    env: ['ANTHROPIC_API_KEY'],
    home: ['.claude', '.claude.json'],
  },
  codex: {
    command: ['codex', 'exec', '--json', '--sandbox', 'workspace-write', '--ignore-user-config', '-'],
    output: 'codex',
    env: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    home: ['.codex'],
  },
  gemini: {
    command: ['gemini', '--output-format', 'json', '--approval-mode', 'yolo', '--skip-trust'],
    output: 'gemini',
    env: ['GEMINI_API_KEY'],
    home: ['.gemini'],
  },
};

/** Returns an agent that is told how many dollars it may spend, where it takes such an option. */
export function within(agent: Agent, dollars: number | null): Agent {
  if (dollars === null || agent.budget === undefined) return agent;
  return { ...agent, command: [...agent.command, agent.budget, Math.max(dollars, 0.01).toFixed(2)] };
}

/** Returns the agent of a name: the user's own, else a preset. @throws PlanError INVALID_INPUT */
export function agentNamed(name: string | undefined, own: Readonly<Record<string, AgentConfig>> = {}): Agent {
  const names = [...new Set([...Object.keys(own), ...Object.keys(PRESETS)])].join(', ');
  const found = name === undefined ? undefined : (entryOf(own, name) ?? entryOf(PRESETS, name));
  if (name !== undefined && found !== undefined) return { name, ...found };
  const what =
    name === undefined ? 'no agent is named' : `there is no agent ${JSON.stringify(truncate(name, 40))}`;
  throw new PlanError('INVALID_INPUT', what, {
    hint: { commandLine: `Give --with one of ${names}, or set work.with in your own config.` },
  });
}

function entryOf<Each>(table: Readonly<Record<string, Each>>, name: string): Each | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
