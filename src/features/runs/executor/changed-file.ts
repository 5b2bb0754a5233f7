import { PlanError } from '../../../kernel/errors.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { RunStep } from '../model/steps/run-step.js';
import { argumentsKnownLater } from '../model/steps/step-references.js';
import type { NamedFileState, Tool, ToolFailure } from '../model/tool.js';
import { fileChanged } from './named-files.js';
import type { Session } from './session.js';

/** A call that is to be made. */
interface Call {
  readonly step: RunStep;
  readonly tool: Tool;
  readonly args: JsonObject;
}

/** Returns why a call is not made for a file that its arguments name; null where each is what it was. */
export async function changedFile(session: Session, { step, tool, args }: Call): Promise<ToolFailure | null> {
  let named: readonly NamedFileState[];
  try {
    named = (await tool.named?.({ args, later: new Set() })) ?? [];
  } catch (thrown) {
    if (thrown instanceof PlanError)
      return { code: 'VALIDATION_ERROR', message: thrown.message, retryable: false };
    throw thrown;
  }
  const isKnown = argumentsKnownLater(step, session.steps.dialect).size === 0;
  const path = await session.named.changed(named, isKnown);
  return path === null ? null : fileChanged(step.step.tool, path);
}
