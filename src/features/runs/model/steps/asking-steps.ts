import { isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { redactedMembers } from '../../../actions/model/redact.js';
import { nestedCall } from '../values/nested-call.js';
import { iterationToResolve, NO_ITERATION, resolverOf } from '../values/resolve.js';
import type { Iteration, Resolving } from '../values/resolve.js';
import { secretOfArgument } from '../values/secret-argument.js';
import { instanceName } from './instance-names.js';
import type { RunStep, RunSteps, StepList } from './run-step.js';

/** As many steps as somebody looks at before he agrees to all of them. */
const MOST_GRANTED = 100;

/** As many instances as are looked at to find those. */
const MOST_LOOKED_AT = 5000;

/** A step instance that asks a person while its run is carried out. */
export interface AskingStep {
  readonly name: string;
  readonly step: RunStep;
  readonly iteration: Iteration;
  /** What it will be called with; null where that is not known, or is not granted before it asks. */
  readonly args: JsonObject | null;
  /** Why it is not; empty where it is. */
  readonly because: string;
}

/** Finds the steps that ask a person, with the arguments that are known before anything has run. */
export async function askingSteps(steps: RunSteps): Promise<readonly AskingStep[]> {
  const found: AskingStep[] = [];
  let lookedAt = 0;
  await collect(steps.root, NO_ITERATION, true);
  return found;

  async function collect(list: StepList, iteration: Iteration, isKnown: boolean): Promise<void> {
    for (const step of list.steps.filter(asksWithin))
      for (const at of await instancesOf(step, iteration, isKnown)) {
        lookedAt += 1;
        const one = { name: instanceName(step, at.iteration.indices), step, iteration: at.iteration };
        if (step.step.requires_approval) found.push({ ...one, ...(await argumentsOf(step, at)) });
        if (step.step.on_error.strategy === 'approval')
          found.push({ ...one, args: null, because: 'it asks if it fails' });
        for (const below of [step.nested, step.fallback])
          if (below !== null) await collect(below, at.iteration, at.isKnown);
      }
  }

  async function instancesOf(step: RunStep, iteration: Iteration, isKnown: boolean): Promise<readonly At[]> {
    if (step.raw.foreach === undefined || !isKnown) return [{ iteration, isKnown }];
    const { value: items, isWhole } = await known((resolving) =>
      resolverOf(resolving, step, iteration).items(),
    );
    if (!isWhole || 'error' in items) return [{ iteration, isKnown: false }];
    const { length } = items.value;
    if (found.length + length > MOST_GRANTED || lookedAt + length > MOST_LOOKED_AT)
      return [{ iteration, isKnown: false }];
    return items.value.map((item, index) => ({
      iteration: iterationToResolve(iteration, step, index, item),
      isKnown,
    }));
  }

  async function argumentsOf(step: RunStep, { iteration, isKnown }: At) {
    if (!isKnown) return later('its list is not known yet, or is too long');
    if (found.length >= MOST_GRANTED) return later(`more than ${MOST_GRANTED} steps ask`);
    const { value, isWhole } = await known(async (resolving) => {
      if (step.nested !== null) return nestedCall(resolving, step.nested, iteration);
      const resolved = await resolverOf(resolving, step, iteration).object(step.raw.args, '/args');
      return 'error' in resolved ? null : resolved.value;
    });
    if (value === null || !isWhole || namesOutput(value)) return later('its arguments are not known yet');
    return hasSecret(value) ? later('its arguments hold a secret') : { args: value, because: '' };
  }

  /** Resolves something, and tells whether that took no output of a step, of which there is none yet. */
  async function known<Value>(resolve: (resolving: Resolving) => Promise<Value>) {
    let isWhole = true;
    const of = () => {
      isWhole = false;
      return Promise.resolve(undefined);
    };
    const value = await resolve({ steps, outputs: { of } });
    return { value, isWhole };
  }
}

function later(because: string): Pick<AskingStep, 'args' | 'because'> {
  return { args: null, because };
}

interface At {
  readonly iteration: Iteration;
  readonly isKnown: boolean;
}

/** Whether a step asks, or one below it does. */
function asksWithin({ step, nested, fallback }: RunStep): boolean {
  return (
    step.requires_approval ||
    step.on_error.strategy === 'approval' ||
    [nested, fallback].some((list) => list?.steps.some(asksWithin) === true)
  );
}

/** Whether an argument names a step whose output is used, which no reference does. */
function namesOutput(value: JsonValue): boolean {
  return someMember(value, (key) => key === 'source_step_id');
}

/** Whether a value holds what looks like a secret, or what stands for one of a kit. */
function hasSecret(args: JsonObject): boolean {
  return textOfJson(redactedMembers(args)) !== textOfJson(args) || someMember(args, standsForSecret);
}

function standsForSecret(_key: string, value: JsonValue): boolean {
  return typeof value === 'string' && secretOfArgument(value) !== undefined;
}

function someMember(value: JsonValue, test: (key: string, value: JsonValue) => boolean): boolean {
  if (isJsonList(value)) return value.some((item) => test('', item) || someMember(item, test));
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([key, member]) => test(key, member) || someMember(member, test))
  );
}
