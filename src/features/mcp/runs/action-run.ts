import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { isActionPlanId } from '../../actions/operations/read-action-plan-file.js';
import { waitField } from '../fields.js';
import { defineTool } from '../tool.js';
import type { ToolWorld } from '../tool.js';
import { runLibrary } from './run-library.js';
import { prepareSteps, runSteps, statusOfRun, stopRun } from './run-steps.js';

const input = z.object({
  op: z.enum(['check', 'prepare', 'run', 'status', 'stop']),
  id: z.string().optional(),
  goal: z.string().optional(),
  steps: z.array(z.looseObject({ id: z.string(), tool: z.string(), args: z.looseObject({}) })).optional(),
  wait_s: waitField(),
});

type Input = z.output<typeof input>;

/** Steps with tools: checked and run, never approved from here. */
export const actionRun = defineTool({
  name: 'action_run',
  description:
    'Steps with tools that do a goal. check: lint `steps` or a stored plan; prepare: store, show what will run, ask a person to approve; run: start an approved one; status, stop. A person approves, outside of this server.',
  input,
  output: z.looseObject({}),
  annotations: { destructiveHint: true, openWorldHint: true },
  async run(world, given) {
    const { op, id, wait_s } = given;
    if (op === 'check' || op === 'prepare') refuseOtherThanStored(given);
    if (op === 'check') return { document: await check(world, given) };
    if (op === 'prepare') return { document: await prepareSteps(world, given) };
    if (id === undefined)
      throw new PlanError('USAGE', 'no run is named', { hint: ['Give the run of op prepare as id.'] });
    if (op === 'run') return { document: await runSteps(world, id, wait_s) };
    if (op === 'stop') return { document: await stopRun(world, id) };
    return { document: await statusOfRun(world, id, wait_s) };
  },
});

/** What an agent names may be what a text that it read told it to: no file of this machine is a stored plan. */
function refuseOtherThanStored({ id, steps }: Input): void {
  if (id === undefined && steps === undefined)
    throw new PlanError('USAGE', 'neither steps nor the id of a stored plan is given');
  if (id !== undefined && steps !== undefined)
    throw new PlanError('USAGE', 'both steps and the id of a stored plan are given');
  if (id !== undefined && !isActionPlanId(id))
    throw new PlanError(
      'INVALID_INPUT',
      `${JSON.stringify(truncate(id, 200))} is not the id of a stored plan`,
      {
        hint: ['Such an id begins with ap-; give what is in a file as steps.'],
      },
    );
}

/** Holds steps, or a stored action plan, to every rule. */
async function check(world: ToolWorld, { steps, id }: Input): Promise<Record<string, unknown>> {
  const library = runLibrary(world);
  const report = await (id === undefined
    ? library.lint(['-'], { input: JSON.stringify({ schema_version: '1.0', steps }) })
    : library.lint([id]));
  if (!('files' in report)) throw new TypeError('plans were checked, and no rule was explained');
  const [unreadable] = report.unreadable;
  if (unreadable !== undefined) throw new PlanError(unreadable.code, unreadable.message, { details: { id } });
  const findings = report.files.flatMap(({ findings: found }) =>
    found.map(({ rule, severity, message, pointer, step }) => ({ rule, severity, message, pointer, step })),
  );
  const risk = report.files.find((file) => file.risk.reached)?.risk;
  return {
    clean: report.clean,
    findings: findings.slice(0, 50),
    ...(risk === undefined ? {} : { risk }),
  };
}
