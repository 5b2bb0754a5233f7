import type { Method } from '../../rules/methods.js';
import type { Context } from '../shared/context.js';
import type { Emit } from './planning-progress.js';
import { methodsInEffect, tellEffects } from './repository-effects.js';

/** Reads every method there is, those of the project first; that there are such is told. @throws PlanError INVALID_METHOD */
export async function readMethods(context: Context, emit: Emit): Promise<readonly Method[]> {
  const { browserMethods, builtInMethods, parseMethod } = await import('../../rules/methods.js');
  const files = (await (await context.documents())?.supplied('methods')) ?? [];
  tellEffects(methodsInEffect(files.map(({ name }) => name)), emit);
  return [
    ...files.map(({ location, text }) => parseMethod(text, location)),
    ...builtInMethods(),
    ...browserMethods(),
  ];
}
