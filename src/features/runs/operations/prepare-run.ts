import { resolve } from 'node:path';

import * as z from 'zod';

import { planDigest } from '../../actions/model/content-hash.js';
import { frctl } from '../../actions/dialects/frctl.js';
import { wordLoss } from '../../actions/convert/lost-before.js';
import { noPolicy } from '../../actions/policy/prepared-policy.js';
import type { PreparedPolicy } from '../../actions/policy/prepared-policy.js';
import { previewText } from '../../actions/model/preview.js';
import { waPlanIdentity } from '../../actions/wa/wa-identity.js';
import type { WaPlanIdentity } from '../../actions/wa/wa-identity.js';
import { RUN_ID_PATTERN } from '../../../plan/run-ids.js';
import type { PreparedRun } from '../model/prepared-run.js';
import type { RunPayloadOf } from '../model/run-events.js';
import type { Run } from '../model/run.js';
import { stepsOfRun } from '../model/steps/run-step.js';
import type { RunSteps } from '../model/steps/run-step.js';
import { folderFingerprint, realFolder } from '../../../host/files/folders.js';
import { readTextFile } from '../../../host/files/text-files.js';
import { PlanError } from '../../../kernel/errors.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { numbersAsText } from '../../../kernel/json/numbers-as-text.js';
import { sha256 } from '../../../kernel/sha256.js';
import { loadPolicy } from '../../actions/operations/load-policy.js';
import { refuseStandardInput } from '../../../operations/shared/named-file.js';
import { dialectOption, standardInput } from '../../actions/operations/plan-fields.js';
import { defineOperation } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { field, planOption, text, texts } from '../../../operations/shared/fields.js';
import { RUNS } from '../parts.js';
import { codesAskedFor, MOST_CODES } from './approving/find-asked.js';
import { hostValues } from './preparing/host-values.js';
import { preconditionsNow } from './preparing/preconditions-now.js';
import type { PreconditionNow } from './preparing/preconditions-now.js';
import { goalOfRun } from './goal-of-run.js';
import { filesOfArguments } from './named-files.js';
import { notAGoal } from './not-a-goal.js';
import { lintForRun, refuseUnrunnable } from './prepare-refusals.js';
import { preparedSchema } from './prepared-schema.js';
import type { PreparedReport } from './prepared-schema.js';
import { policyDigest } from './run-policy.js';
import { panesNow } from './panes-of-run.js';
import { codeOfRun, ownCodeKey } from './run-approvals.js';
import { signCommand } from './run-report.js';
import { readRunSource } from './run-source.js';
import type { RunSource } from './run-source.js';
import { openTools } from './open-tools.js';
import type { ToolsOfRun } from './tools-wanted.js';
import { readDuration } from './durations.js';
import { asksToPrepare } from './approving/granted-steps.js';
import { approversToPrepare } from './approving/approvers.js';
import { inputsOfTools, usedTools, whatEnds } from './prepared-tools.js';
import { idWarnings, withTrueId } from './approving/true-id.js';
import { whyApproval } from './why-approval.js';
import { withWorkflows } from './preparing/workflows.js';
import { refuseOtherWorkspace, workspaceOfRun } from './workspace-of-plan.js';

/** How long a preparation may be approved and begun, and the most that can be asked for, in milliseconds. */
const TTL_MS = 15 * 60_000;
const MOST_TTL_MS = 24 * 60 * 60_000;
/** How often another id is drawn, where one is taken. */
const MOST_DRAWS = 5;

const inputSchema = z.strictObject({
  plan: field(z.string(), 'id of an action plan, a path, or - for standard input', { value: 'action-plan' }),
  input: standardInput('plan'),
  dialect: dialectOption(),
  tools: text('file that says how tools are run (default: .plans/tools.yaml)', 'file'),
  policy: text('what plans may do: a policy in YAML or JSON', 'file'),
  goal: text('the goal that it carries out', 'goal'),
  workspace: field(
    z.string().min(1).optional(),
    'the plan’s name for this workspace, if it is not the path',
    { value: 'id' },
  ),
  vars: text('values that the plan may name as `$vars.NAME`: an object in JSON or YAML', 'file'),
  var: texts('one such value, as text', 'name=value'),
  selection: text('what is selected, as `$vars.selection`: FILE:LINE[:COLUMN]-LINE[:COLUMN]', 'place'),
  cursor: text('where the cursor is, as `$vars.cursor`: FILE:LINE[:COLUMN]', 'place'),
  activeFile: text('the file that is open, as `$vars.activeFilePath`', 'file'),
  ttl: text('how long it can be approved and started: 90s, 2h (default: 15m, at most 24h)', 'time'),
  ofPlan: field(
    planOption(),
    'the plan of the goal (default: that of `plan use`, else the one changed last)',
    {
      value: 'plan',
      flag: 'plan',
    },
  ),
});

/** What was prepared, and the text of it for people. */
export type PreparedResult = PreparedReport & { readonly text: string };

/**
 * Checks a plan, binds its tools, and stores what would run, so that a person can agree to just that.
 * @throws PlanError INVALID_INPUT for a plan that cannot be run, with each problem; E_TOOL_UNTRUSTED, POLICY_INVALID,
 *   E_PLAN_WORKSPACE_MISMATCH, FILE_NOT_FOUND, GOAL_NOT_FOUND, WRONG_STATE
 */
export const prepareRun = defineOperation({
  arguments: ['plan'],
  input: inputSchema,
  output: preparedSchema,
  examples: ['plan prepare release.json', 'plan prepare ap-k3f9x2w8m1 --goal 1.2 --ttl 1h'],
  mutates: true,
  async run(context, input): Promise<PreparedResult> {
    refuseStandardInput(
      input.tools,
      'a tools file is trusted where it is, and read again when the run begins',
    );
    refuseStandardInput(input.policy, 'the policy is read again when the run begins');
    const ttl = input.ttl === undefined ? TTL_MS : readDuration(input.ttl, '--ttl', MOST_TTL_MS);
    const given = await readRunSource(context, input).catch(async (thrown: unknown) => {
      throw await notAGoal(context, input, thrown);
    });
    const source = await withWorkflows(context, given, input.tools);
    const policy = input.policy === undefined ? undefined : await loadPolicy(context, input.policy);
    const findings = lintForRun(source, policy ?? noPolicy());
    const root = realFolder(context.projectFolder() ?? context.environment.workingFolder);
    const here = { root, called: input.workspace };
    refuseOtherWorkspace(source.read.plan, here);
    const host = await hostValues(context, input, source.read.plan, root);
    const steps = stepsOfRun(source.read.plan, source.read.dialect, host);
    const goal = await goalOfRun(context, input, source);
    const tools = await openTools(context, {
      plan: source.read.plan,
      dialect: source.read.dialect,
      file: input.tools,
      confinement: policy?.source,
      run: 'run-prepare',
      host,
      keep: () => Promise.reject(new TypeError('nothing is overwritten while a run is prepared')),
    });
    try {
      refuseUnrunnable(steps, tools, [root, input.workspace]);
      const prepared = await whatWouldRun(context, { source, steps, tools, goal, policy, ttl, here });
      const warnings = [...tools.warnings, ...lostByAsking(steps, whatEnds(prepared.tools, tools.toolbox))];
      const preconditions = await preconditionsNow(steps, tools.toolbox, context.environment.now);
      return await store(
        context,
        { source, warnings, preconditions },
        {
          ...prepared,
          ...(input.policy === undefined || policy === undefined
            ? {}
            : await policyOf(context, input.policy, policy)),
          findings: findings.map(({ rule, severity, message, step }) => ({ rule, severity, message, step })),
        },
      );
    } finally {
      await tools.toolbox.close();
    }
  },
  document: ({ text: _forPeople, plan, ...document }) => ({ ...document, plan: numbersAsText(plan) }),
});

interface Wanted {
  readonly source: RunSource;
  readonly steps: RunSteps;
  readonly tools: ToolsOfRun;
  readonly goal: string | undefined;
  readonly policy: PreparedPolicy | undefined;
  readonly ttl: number;
  readonly here: Parameters<typeof workspaceOfRun>[1];
}

/** All that is fixed, so that nothing else can run. */
async function whatWouldRun(context: Context, wanted: Wanted): Promise<RunPayloadOf<'run_prepared'>> {
  const { source, steps, tools, goal, policy, ttl, here } = wanted;
  const { read, text: body, file, id } = source;
  const { environment } = context;
  const used = usedTools(steps, tools.toolbox);
  const panes = await panesNow(steps, tools.toolbox);
  const named = await filesOfArguments(steps, tools.toolbox);
  const asks = await asksToPrepare(steps, tools.toolbox);
  const losses = source.read.losses.map(wordLoss);
  const because = await whyApproval(context, { steps, used, policy, losses });
  const mark = folderFingerprint(here.root);
  const approvers = await approversToPrepare(context);
  const wa = read.dialect === 'wa' ? waPlanIdentity(read.document.at(read.body) ?? read.document.root) : null;
  return {
    type: 'run_prepared',
    run: '',
    findings: [],
    source: {
      file,
      ...(id === null ? {} : { id }),
      dialect: read.dialect,
      ...(read.sidecar === null ? {} : { sidecar: read.sidecar }),
      ...(file === null ? {} : { sha256: source.sha256 }),
    },
    plan: body,
    digest: planDigest(read.plan, read.dialect),
    ...(wa === null ? {} : { wa_ids: waIds(wa) }),
    ...(goal === undefined ? {} : { goal }),
    workspace: { ...workspaceOfRun(read.plan, here), ...(mark === null ? {} : { mark }) },
    ...used,
    tools_file: tools.file,
    ...(losses.length === 0 ? {} : { losses }),
    inputs: await inputsOfTools(steps, tools.toolbox),
    ...(named.length === 0 ? {} : { named }),
    ...(panes.length === 0 ? {} : { panes }),
    ...(Object.keys(steps.host).length === 0
      ? {}
      : { vars: { values: steps.host, sha256: sha256(canonicalJson(steps.host)) } }),
    ...(asks.length === 0 ? {} : { asks }),
    ...(approvers === null ? {} : { approvers }),
    requires_approval: because.length > 0,
    approval_because: [...because],
    expires_at: new Date(environment.now() + ttl).toISOString(),
  };
}

/** The ids of a plan of wa, and the one of its file where that is false. */
function waIds({ plan_id, plan_hash, stated, holds }: WaPlanIdentity) {
  return { plan_id, plan_hash, ...(holds === 'no' ? { stated } : {}) };
}

async function policyOf(
  { environment }: Context,
  file: string,
  policy: PreparedPolicy,
): Promise<Pick<RunPayloadOf<'run_prepared'>, 'policy' | 'policy_digest'>> {
  const path = resolve(environment.workingFolder, file);
  return { policy: { file: path, text: await readTextFile(path) }, policy_digest: policyDigest(policy) };
}

/** Says what is lost where a step asks in the middle of the run and nobody is there. */
function lostByAsking({ all }: RunSteps, ending: readonly string[]): readonly string[] {
  const asking = all.find(({ step }) => step.requires_approval || step.on_error.strategy === 'approval');
  if (asking === undefined || ending.length === 0) return [];
  return [
    `when ${asking.id} asks for approval, the run stops what it started: ${ending.join(', ')}; \`plan run\` on a terminal, or with --wait 15m, keeps it running`,
  ];
}

/** What is shown beside what is stored. */
interface Shown {
  readonly source: RunSource;
  readonly warnings: readonly string[];
  readonly preconditions: readonly PreconditionNow[];
}

/** Stores what was prepared, under an id that is free, and draws the code that approves it. */
async function store(
  context: Context,
  about: Shown,
  fixed: RunPayloadOf<'run_prepared'>,
): Promise<PreparedResult> {
  await context.storeToWrite();
  const runs = await context.part(RUNS);
  if (fixed.requires_approval) await refuseManyCodes(context, await runs.list('open'));
  for (let draw = 1; ; draw += 1) {
    const run = newRunId(context);
    const isByCode = fixed.requires_approval && fixed.approvers === undefined;
    const asked = isByCode ? await codeOfRun(context, run, fixed.expires_at) : null;
    try {
      const { run: made } = await runs.create({
        ...fixed,
        run,
        ...(asked === null ? {} : { code: asked.stored, code_key: asked.key }),
      });
      return reportOf(made.prepared, about, asked?.code);
    } catch (thrown) {
      const isTaken = thrown instanceof PlanError && thrown.code === 'WRONG_STATE';
      if (!isTaken || draw === MOST_DRAWS) throw thrown;
    }
  }
}

/** Each code that is valid makes it easier to guess one. @throws PlanError WRONG_STATE */
async function refuseManyCodes(
  { environment }: Context,
  { runs }: { readonly runs: readonly Run[] },
): Promise<void> {
  const guess = { now: environment.now(), key: await ownCodeKey(environment) };
  const waiting = runs.filter((run) => codesAskedFor(run, guess) > 0);
  const codes = waiting.reduce((total, run) => total + codesAskedFor(run, guess), 0);
  if (codes < MOST_CODES) return;
  const [oldest] = waiting.toSorted((a, b) => Date.parse(a.prepared_at) - Date.parse(b.prepared_at));
  throw new PlanError('WRONG_STATE', `you have ${codes} valid approval codes, which is the maximum`, {
    hint: {
      commandLine: `Approve or end what waits for one: \`plan runs\` lists it, \`plan abort ${oldest?.id ?? 'RUN'}\` ends the oldest.`,
    },
    details: { waiting: codes, most: MOST_CODES },
  });
}

function newRunId({ environment }: Context): string {
  const id = `run-${environment.ids.eventId().slice(0, 8)}`;
  if (RUN_ID_PATTERN.test(id)) return id;
  throw new TypeError(`${id} is not the id of a run`);
}

function reportOf(
  prepared: PreparedRun,
  { source: { read }, warnings, preconditions }: Shown,
  code: string | undefined,
): PreparedResult {
  const { run, digest, wa_ids, workspace, requires_approval, expires_at } = prepared;
  const { losses = [], approval_because = [], approvers, vars } = prepared;
  return {
    plan_id: run,
    plan_hash: wa_ids?.plan_hash ?? digest,
    plan: frctl.write(read.plan, null),
    requires_approval,
    approval: code === undefined ? null : { code, expires_at, command: `plan approve ${code}` },
    ...(approvers === undefined || !requires_approval
      ? {}
      : { signers: { file: approvers.signers, needed: approvers.min, command: signCommand(run) } }),
    commit_command: `plan run ${run}`,
    run,
    digest,
    ...(wa_ids === undefined ? {} : { wa_ids: { plan_id: wa_ids.plan_id, plan_hash: wa_ids.plan_hash } }),
    dialect: prepared.source.dialect,
    workspace: { id: workspace.id, root: workspace.root },
    ...(prepared.goal === undefined ? {} : { goal: prepared.goal }),
    expires_at,
    approval_because,
    tools: prepared.tools.map(({ name, effects, binding }) => ({ name, effects, binding })),
    findings: prepared.findings.map(({ rule, severity, message, step }) => ({
      rule,
      severity,
      message,
      step,
    })),
    losses,
    inputs: prepared.inputs.map(({ path, sha256: hash }) => ({ path, sha256: hash })),
    ...(vars === undefined ? {} : { vars: { values: vars.values, sha256: vars.sha256 } }),
    preconditions,
    warnings: [...idWarnings(wa_ids), ...warnings],
    text: previewText(withTrueId(read.plan, wa_ids), 'whole'),
  };
}
