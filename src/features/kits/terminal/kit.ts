import * as z from 'zod';

import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Condition, Panes } from '../../runs/model/tool.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import type { Kit } from '../kit.js';
import { PANE_CONDITIONS } from './conditions.js';
import type { PaneCondition } from './conditions.js';
import type { RunPanes } from './panes.js';
import { PROJECT_PATH, readRules, rulesIn, workflowsIn } from './rules.js';
import { sendInput, sendOutput, sendText } from './send-text.js';
import type { Terminal } from './terminal.js';
import { WA_DATA_TOOLS } from './wa-data.js';
import { waitFor, waitInput, waitOutput } from './wait-for.js';

const optionsSchema = z.strictObject({
  rules: z
    .string()
    .regex(PROJECT_PATH, 'must be a path within the project')
    .optional()
    .describe('The file that says what rules of plans look for, relative to the project.'),
  socket: z.string().min(1).max(500).optional().describe('The socket of its server: a name, or a path.'),
  enter: z.literal('as_written').optional().describe('No Enter follows a text.'),
  alt_screen: z
    .literal('unknown_is_off')
    .optional()
    .describe('A pane of which nobody can tell counts as without a full-screen program.'),
});

/** Returns the kit of a program that has panes. @param open its panes, by the socket of its server */
export function terminalKit(
  name: string,
  programs: readonly string[],
  open: (socket: string | undefined, call: KitCall) => Terminal,
): Kit {
  const runs = new WeakMap<KitCall, RunPanes>();
  // All tools of a run know the same panes.
  const panesOf = (options: JsonObject, call: KitCall): RunPanes => {
    const known = runs.get(call);
    if (known !== undefined) return known;
    const socket = typeof options.socket === 'string' ? options.socket : undefined;
    const made: RunPanes = {
      terminal: open(socket, call),
      rules: rulesIn(options),
      met: new Map(),
      notes: new Map(),
      marks: new Map(),
      pictures: new Map(),
      now: () => performance.now(),
    };
    runs.set(call, made);
    return made;
  };
  return {
    name,
    options: optionsSchema,
    programs,
    settled: readRules,
    tools: [
      {
        name: 'wa:send_text',
        description: 'Sends a text to a pane of a terminal, and Enter.',
        effects: 'once',
        rev: 1,
        input: sendInput,
        output: sendOutput,
        carry: (options, call) =>
          sendText(panesOf(options, call), {
            isAsWritten: options.enter === 'as_written',
            isUnknownOff: options.alt_screen === 'unknown_is_off',
          }),
      },
      {
        name: 'wa:wait_for',
        description: 'Waits until something is seen in a pane, or it is idle, or a signal is given.',
        effects: 'none',
        rev: 1,
        input: waitInput,
        output: waitOutput,
        carry: (options, call) => waitFor(panesOf(options, call)),
      },
      ...WA_DATA_TOOLS,
    ],
    conditions: Object.entries(PANE_CONDITIONS).map(([type, condition]) => ({
      type,
      rev: 1,
      carry: (options, call) => carried(condition, panesOf(options, call)),
    })),
    workflows: workflowsIn,
    panes: (options, call) => panesIn(name, options, panesOf(options, call)),
  };
}

function carried({ check, look }: PaneCondition, panes: RunPanes): Omit<Condition, 'definition'> {
  return {
    problem(args) {
      try {
        check(args, panes.rules);
        return null;
      } catch (thrown) {
        if (thrown instanceof RefusedCall) return thrown.message;
        throw thrown;
      }
    },
    look: (call) => look(call, panes),
  };
}

function panesIn(kit: string, options: JsonObject, panes: RunPanes): Panes {
  const definition = {
    name: 'panes',
    description: '',
    inputSchema: true,
    effects: 'none',
    binding: { kit, rev: 1, options },
  } as const;
  return {
    definition: () => definition,
    async identityOf(pane) {
      const state = await panes.terminal.state(Number(pane));
      if (state === null || state.isDead) return null;
      panes.met.set(Number(pane), state.identity);
      return state.identity;
    },
  };
}
