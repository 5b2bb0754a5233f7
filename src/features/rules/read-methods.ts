import type { Method } from './methods.js';
import type { Context } from '../../operations/shared/context.js';
import type { Emit } from '../../operations/planning/planning-progress.js';
import { methodsInEffect, tellEffects } from '../../operations/planning/repository-effects.js';

/** Reads every method there is, those of the project first; that there are such is told. @throws PlanError INVALID_METHOD */
export async function readMethods(context: Context, emit: Emit): Promise<readonly Method[]> {
  const { browserMethods, builtInMethods, parseMethod } = await import('./methods.js');
  const files = (await (await context.documents())?.supplied('methods')) ?? [];
  tellEffects(methodsInEffect(files.map(({ name }) => name)), emit);
  return [
    ...files.map(({ location, text }) => parseMethod(text, location)),
    ...builtInMethods(),
    ...browserMethods(),
  ];
}
