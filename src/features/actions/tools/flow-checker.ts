import type { ActionStep } from '../model/action-plan.js';
import { referenceTarget } from '../model/reference-target.js';
import { scopesOf } from '../model/scopes.js';
import type { ScopedStep } from '../model/scopes.js';
import { referencesOfStep } from '../model/step-references.js';
import { unreachableIn } from '../model/unreachable.js';
import type { Unreachable } from '../model/unreachable.js';
import type { ArgumentChecker } from './argument-checker.js';
import type { DraftFinding } from './draft-finding.js';
import type { Tool } from './tools-file.js';

/** Whether there is a file below a folder of the workspace. */
export type FileThere = (root: string, path: string) => boolean;

/**
 * A checker of what flows from step to step: a reference to a member that no output has, the output of a step that may be
 * skipped, and a file that is replaced and that no step before has read.
 */
export function createFlowChecker(tools: readonly Tool[], isThere: FileThere): ArgumentChecker {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return (plan) =>
    scopesOf(plan).flatMap(({ steps }) => [
      ...steps.flatMap((step) => referenceFindings(step, byName)),
      ...replacedUnread(steps, byName, isThere),
    ]);
}

function referenceFindings(from: ScopedStep, tools: ReadonlyMap<string, Tool>): readonly DraftFinding[] {
  return referencesOfStep(from.step, 'frctl').flatMap(({ reference, pointer }) => {
    const target = referenceTarget(reference, from);
    if (target === null || target === undefined) return [];
    const { step, scope } = target.step;
    const { outputSchema } = tools.get(step.tool) ?? {};
    // The output of a foreach is a list of what its tool gives.
    const path = step.foreach === undefined ? target.path : target.path.slice(1);
    const onError = (step.on_error ?? scope.plan.defaults?.on_error)?.strategy;
    // Of a nested plan or a fallback the last step says what is brought.
    const isCall = step.plan === undefined && onError !== 'fallback';
    const missing = isCall ? unreachableIn(outputSchema, path) : null;
    const told = (rule: string, message: string): DraftFinding => ({
      rule,
      severity: 'error',
      message,
      pointer: `${from.pointer}${pointer}`,
      step: from.step.id,
    });
    return [
      ...(missing === null
        ? []
        : [
            told(
              'UNREACHABLE_REFERENCE',
              `${reference.text}: there is no ${JSON.stringify(missing.key)} in the output of ${step.tool}${there(missing)}`,
            ),
          ]),
      ...(onError === 'skip'
        ? [
            told(
              'USES_SKIPPED',
              `${reference.text}: ${step.id} is skipped when it fails, and then has no output`,
            ),
          ]
        : []),
    ];
  });
}

function* replacedUnread(
  steps: readonly ScopedStep[],
  tools: ReadonlyMap<string, Tool>,
  isThere: FileThere,
): Iterable<DraftFinding> {
  const known = new Set<string>();
  for (const { step, pointer } of steps) {
    const file = tools.get(step.tool)?.file;
    const path = literalPath(step);
    if (file === undefined || path === null) continue;
    const place = `${file.root}\0${path}`;
    if (file.action === 'write' && !known.has(place) && isThere(file.root, path))
      yield {
        rule: 'REPLACED_UNREAD',
        severity: 'error',
        message: `${step.id} overwrites ${path}, which exists, and no earlier step reads it`,
        pointer: `${pointer}/args/path`,
        step: step.id,
      };
    if (file.action === 'read' || file.action === 'write') known.add(place);
  }
}

/** The path that a step names as it is; null where it is made of what other steps bring. */
function literalPath(step: ActionStep): string | null {
  const { path } = step.args;
  return typeof path === 'string' && !path.includes('$') && !path.includes('{') ? path : null;
}

const there = ({ there: names }: Unreachable): string =>
  names.length === 0 ? '' : `, which has ${names.join(', ')}`;
