import { plainClause } from './clauses/clause-words.js';
import { fillSteps, type RuleStep } from './fill-steps.js';
import { matchMethod, type Method } from './methods.js';
import { phraseOf } from '../../planning/documents/english/phrase.js';
import { opensAddress, readRequest, type RequestProblem } from './requests/read-request.js';
import { readGoalSlots } from './read-slots.js';

/** The steps that the rules know for a goal, or what of it they cannot read. */
export type StepsByRules =
  | {
      readonly kind: 'steps';
      readonly steps: readonly RuleStep[];
      /** What the steps come from, in a sentence. */
      readonly reasoning: string;
      /** Whether they were read from a browser request, whose texts mean themselves. */
      readonly isRequest: boolean;
    }
  | { readonly kind: 'problems'; readonly problems: readonly RequestProblem[] };

/**
 * The steps of an atomic goal without a model: as a browser request when the goal, or one above it, opens a web address;
 * else those of the method that fits it best. Null when no method with steps fits. Deterministic.
 *
 * @param above descriptions of the goals above it
 */
export function stepsByRules(
  description: string,
  above: readonly string[],
  methods: readonly Method[],
): StepsByRules | null {
  if ([description, ...above].some((text) => opensAddress(text, methods)))
    return requestSteps(description, methods);
  const method = matchMethod(description, methods)?.method;
  if (method?.steps === undefined) return null;
  const reading = readGoalSlots(plainClause(phraseOf(description)), method);
  if (reading.kind === 'problem')
    return { kind: 'problems', problems: [{ number: 1, clause: description, message: reading.message }] };
  const steps = fillSteps(method, reading.slots);
  if (steps.length === 0) return null;
  return { kind: 'steps', steps, isRequest: false, reasoning: `Method ${method.name}: ${method.reasoning}` };
}

/** The steps of a text that is known to be a browser request. */
export function requestSteps(text: string, methods: readonly Method[]): StepsByRules {
  const { steps, problems } = readRequest(text, methods);
  if (problems.length > 0) return { kind: 'problems', problems };
  return { kind: 'steps', steps, isRequest: true, reasoning: 'Read as a browser request, clause by clause.' };
}
