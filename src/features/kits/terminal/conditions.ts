import * as z from 'zod';

import type { JsonObject } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { ConditionCall, ConditionResult } from '../../runs/model/tool.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { readArgs } from '../kit.js';
import { holdsTerm, readExpression } from './expression.js';
import { livePane, liveScreen, lookForPattern, lookForRest, lookUntil, paneMeant } from './panes.js';
import type { RunPanes } from './panes.js';
import { linesOf } from './marks.js';
import { matches } from './rules.js';
import type { PaneRules } from './rules.js';
import { paneId } from './send-text.js';

/** A condition of panes. */
export interface PaneCondition {
  /** Why such a look could never tell anything. @throws RefusedCall */
  readonly check: (args: JsonObject, rules: PaneRules) => void;
  /** @throws RefusedCall for what cannot be looked at, which does not hold */
  readonly look: (call: ConditionCall, panes: RunPanes) => Promise<ConditionResult>;
}

/** Why a rule cannot be looked for; null where it can. */
export function ruleProblem(rule: string, rules: PaneRules): string | null {
  if (rules.has(rule)) return null;
  const where =
    rules.file === null
      ? 'give the kit a file: `rules` of tmux or wezterm in the tools file'
      : `add it to ${rules.file}`;
  return `UNKNOWN_RULE: no pattern is known for the rule ${JSON.stringify(truncate(rule, 100))}; ${where}`;
}

const onePane = z.looseObject({ pane_id: paneId });
const oneRule = z.looseObject({ pane_id: paneId.nullish(), rule_id: z.string() });
const idle = z.looseObject({ pane_id: paneId.nullish(), idle_threshold_ms: z.int().min(0) });
const stateOf = onePane.extend({
  expected_agent: z.string().nullish(),
  expected_domain: z.string().nullish(),
});
const custom = z.looseObject({ expression: z.string().max(2000) });

function patternCondition(isWanted: boolean): PaneCondition {
  return {
    check(args, rules) {
      refuseUnknown(readArgs(oneRule, args).rule_id, rules);
    },
    async look({ args, earlier }, panes) {
      const { pane_id: given, rule_id: rule } = readArgs(oneRule, args);
      const pane = await paneMeant(given, panes, earlier);
      const { found, seen } = await lookForPattern(pane, rule, panes, earlier);
      const detail =
        found === null ? `${rule} is not seen: ${seen}` : `${rule} is seen: ${truncate(found, 200)}`;
      return { ok: (found !== null) === isWanted, detail };
    },
  };
}

function refuseUnknown(rule: string, rules: PaneRules): void {
  const problem = ruleProblem(rule, rules);
  if (problem !== null) throw new RefusedCall('UNKNOWN_RULE', problem.replace('UNKNOWN_RULE: ', ''));
}

/** The conditions of panes, by their types. */
export const PANE_CONDITIONS: Readonly<Record<string, PaneCondition>> = {
  'wa:pane_exists': {
    check: (args) => void readArgs(onePane, args),
    async look({ args }, panes) {
      const { pane_id: pane } = readArgs(onePane, args);
      await livePane(pane, panes);
      return { ok: true, detail: `pane ${pane} is there` };
    },
  },
  'wa:pane_state': {
    check(args, rules) {
      const { expected_agent: agent } = readArgs(stateOf, args);
      if (agent == null || rules.agent(agent) !== undefined) return;
      throw new RefusedCall(
        'UNKNOWN_AGENT',
        `${rules.file ?? 'the rules'} does not say by what the agent ${truncate(agent, 100)} is known`,
      );
    },
    async look({ args }, panes) {
      const { pane_id: pane, expected_agent: agent, expected_domain: domain } = readArgs(stateOf, args);
      const screen = await liveScreen(pane, panes);
      const { state } = screen;
      if (domain != null && domain !== 'local' && domain !== state.domain)
        return { ok: false, detail: `pane ${pane} belongs to ${state.domain}` };
      const known = agent == null ? {} : panes.rules.agent(agent);
      if (known === undefined) return { ok: false, detail: 'the agent is not known' };
      const shown = linesOf(screen).slice(-state.height).join('\n');
      const held = [
        ['command', known.command, state.command],
        ['title', known.title, state.title],
        ['screen', known.screen, shown],
      ] as const;
      for (const [member, pattern, seen] of held)
        if (pattern !== undefined && !matches(pattern, seen))
          return { ok: false, detail: `the ${member} of pane ${pane} is not that of ${agent ?? ''}` };
      return { ok: true, detail: `pane ${pane} runs ${state.command}` };
    },
  },
  'wa:pattern_matched': patternCondition(true),
  'wa:pattern_not_matched': patternCondition(false),
  'wa:pattern_match': patternCondition(true),
  'wa:pattern_absent': patternCondition(false),
  'wa:pane_idle': {
    check: (args) => void readArgs(idle, args),
    async look({ args, timeoutMs, signal, earlier }, panes) {
      const { pane_id: given, idle_threshold_ms: forMs } = readArgs(idle, args);
      const pane = await paneMeant(given, panes, earlier);
      let isOver = false;
      const { last } = await lookUntil(
        async () => {
          const look = await lookForRest(pane, { forMs, atPrompt: true }, panes, earlier);
          // What does not wait at a prompt now is told at once; whoever asks looks again.
          isOver = look.found === null && !look.mayCome;
          return isOver ? { ...look, found: look.seen } : look;
        },
        panes,
        { untilMs: Math.min(timeoutMs, forMs + 1000), signal },
      );
      return {
        ok: last.found !== null && !isOver,
        detail: isOver ? `it is not idle: ${last.seen}` : last.seen,
      };
    },
  },
  'wa:custom': {
    check: (args) => void readExpression(readArgs(custom, args).expression),
    async look({ args, earlier }, panes) {
      for (const term of readExpression(readArgs(custom, args).expression)) {
        const pane = await paneMeant(term.pane, panes, earlier);
        const screen = await liveScreen(pane, panes);
        if (!holdsTerm(term, screen, panes.rules))
          return { ok: false, detail: `${term.field} of pane ${pane} is not as it should be` };
      }
      return { ok: true, detail: 'all terms hold' };
    },
  },
};
