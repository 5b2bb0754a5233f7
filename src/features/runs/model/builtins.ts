import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { LOCK_NAMES, lockConditions, lockTools } from './lock-tools.js';
import type { LocksOfRun } from './lock-tools.js';
import { APPROVAL_CONDITION } from './steps/run-step.js';
import type { Condition, Outcome, Tool, Toolbox } from './tool.js';

/** Where SoulBrowser’s notes have their text, the first that is there. */
const NOTE_MEMBERS = ['message', 'note', 'detail', 'title'];

/** What plans may name without a binding, since it does nothing to the world. */
const BUILT_IN_TOOLS: readonly Tool[] = [
  builtIn('agent.note', 'Notes something; nothing is done.', (args) => ({
    outcome: 'succeeded',
    output: { text: textAt(args) },
  })),
  builtIn('soul:Done', 'Ends the plan: as it says, well or not.', ({ success, text }) => {
    const said = typeof text === 'string' ? text : '';
    if (success !== false) return { outcome: 'succeeded', output: { text: said } };
    const message = said === '' ? 'the plan says that it failed' : said;
    return { outcome: 'failed', error: { code: 'DONE_FAILED', message, retryable: false } };
  }),
];

const ALWAYS: Condition = {
  definition: () => definitionOf('wa:none', 'Nothing is looked at.'),
  look: async () => ({ ok: true, detail: 'nothing to look at' }),
};
/** The step asks a person itself, before its call. */
const ASKED: Condition = {
  definition: () => definitionOf(APPROVAL_CONDITION, 'A person is asked.'),
  look: async () => ({ ok: true, detail: 'a person is asked before the call' }),
};
const BUILT_IN_CONDITIONS: ReadonlyMap<string, Condition> = new Map([
  ['wa:none', ALWAYS],
  [APPROVAL_CONDITION, ASKED],
]);

/** The names of the built-in tools and conditions, which need no binding. */
export function builtInNames(): ReadonlySet<string> {
  return new Set([
    ...BUILT_IN_TOOLS.map((tool) => tool.definition().name),
    ...BUILT_IN_CONDITIONS.keys(),
    ...LOCK_NAMES,
  ]);
}

/** A toolbox with what needs no binding; what is bound outranks it. @param locks those of the run, where it has some */
export function withBuiltins(toolbox: Toolbox, locks: LocksOfRun | null = null): Toolbox {
  const own = [...BUILT_IN_TOOLS, ...(locks === null ? [] : lockTools(locks))];
  const conditions = locks === null ? [] : lockConditions(locks);
  return {
    ...toolbox,
    tools: new Map([...own.map((tool) => [tool.definition().name, tool] as const), ...toolbox.tools]),
    conditions: new Map([...BUILT_IN_CONDITIONS, ...conditions, ...toolbox.conditions]),
  };
}

function builtIn(name: string, description: string, work: (args: JsonObject) => Outcome): Tool {
  return { definition: () => definitionOf(name, description), call: async ({ args }) => work(args) };
}

function definitionOf(name: string, description: string) {
  return { name, description, inputSchema: true, effects: 'none', binding: { built_in: name } } as const;
}

function textAt(args: JsonObject): JsonValue {
  const value: JsonValue | undefined = NOTE_MEMBERS.map((name) => args[name]).find(
    (one) => one !== undefined,
  );
  return value === undefined || isJsonObject(value) ? '' : value;
}
