import type { ActionStep, Check } from '../../../actions/model/action-plan.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { APPROVAL_CONDITION } from '../../model/steps/run-step.js';
import type { RunSteps } from '../../model/steps/run-step.js';
import type { PrepareProblem } from './prepare-problem.js';

/** What the workspace of a run may be called. */
type Names = readonly (string | undefined)[];

/**
 * Approvals that wa asks for as preconditions, and that are for something else than what they stand at: another workspace,
 * action or pane. An approval of a plan is for one of its steps at least.
 */
export function wrongScopes({ root, all }: RunSteps, workspaces: Names): readonly PrepareProblem[] {
  const steps = all.map(({ raw }) => raw);
  const wrong = (checks: readonly Check[] = [], among: readonly ActionStep[], step: string | null) =>
    checks.flatMap(({ type, args: { scope } }) => {
      const problem =
        type === APPROVAL_CONDITION ? problemOf(isJsonObject(scope) ? scope : {}, among, workspaces) : null;
      return problem === null
        ? []
        : [{ rule: 'WRONG_SCOPE', message: `its approval is for ${problem}`, step }];
    });
  return [
    ...wrong(root.plan.preconditions, steps, null),
    ...all.flatMap(({ raw, id, nested }) => [
      ...wrong(raw.preconditions, [raw], id),
      ...wrong(raw.plan?.preconditions, nested?.steps.map((one) => one.raw) ?? [], id),
    ]),
  ];
}

function problemOf(
  { workspace_id: workspace = '', action_kind: action = '', pane_id: pane = null }: JsonObject,
  among: readonly ActionStep[],
  workspaces: Names,
): string | null {
  if (typeof workspace === 'string' && workspace !== '' && !workspaces.includes(workspace))
    return `the workspace ${workspace}, and this is ${workspaces[0] ?? ''}`;
  const acting = among.filter((step) => action === '' || kindsOf(step).has(words(action)));
  if (acting.length === 0) return `the action ${textOfJson(action)}, which is not what is done here`;
  const isMeant = acting.some(
    ({ args }) => pane === null || args.pane_id === undefined || isSame(args.pane_id, pane),
  );
  return isMeant ? null : `pane ${textOfJson(pane)}, and another one is acted on`;
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return textOfJson(one) === textOfJson(other);
}

/** What wa may call the action of a step: `workflow_run` is an approval for `run_workflow`. */
function kindsOf({ tool, plan }: ActionStep): ReadonlySet<string> {
  const type = plan === undefined ? tool.replace(/^wa:/, '') : 'nested_plan';
  return new Set([words(type), ...(tool.startsWith('wa:') || plan !== undefined ? [] : [words('custom')])]);
}

function words(kind: JsonValue): string {
  return typeof kind === 'string' ? kind.split('_').toSorted().join('_') : '';
}
