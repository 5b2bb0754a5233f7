import type { ActionStep } from '../model/action-plan.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';

/** A tool that a step calls, and what it gives it. */
export interface Call {
  readonly tool: string;
  readonly args: JsonValue;
  /** Places below the step. */
  readonly toolAt: JsonPointer;
  readonly argsAt: JsonPointer;
}

/** The tools that carry out another one, which their arguments name; their payload is what that one is given. */
const WRAPPERS: Readonly<Record<string, string>> = { 'wa:custom': 'action_type', 'soul:Custom': 'name' };

/**
 * What a step calls: its tool and, where that is only a system's word for a tool of the host, the tool that is meant. A rule
 * that looks at tools looks at both, so that a name cannot be hidden behind the word.
 */
export function callsOf({ tool, args }: ActionStep): readonly Call[] {
  const own: Call = { tool, args, toolAt: '/tool', argsAt: '/args' };
  const key = Object.hasOwn(WRAPPERS, tool) ? WRAPPERS[tool] : undefined;
  const name = key !== undefined && Object.hasOwn(args, key) ? args[key] : undefined;
  if (typeof name !== 'string' || name === '') return [own];
  const payload = (Object.hasOwn(args, 'payload') ? args.payload : undefined) ?? null;
  return [own, { tool: name, args: payload, toolAt: `/args/${key ?? ''}`, argsAt: '/args/payload' }];
}
