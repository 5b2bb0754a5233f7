import { dirname, relative, resolve, sep } from 'node:path';

import * as z from 'zod';

import type { DialectName } from '../model/dialect.js';
import { baselineOf, siftFindings } from '../lint/baseline.js';
import type { Baseline } from '../lint/baseline.js';
import { checkPlan } from '../lint/check-plan.js';
import type { KnownTools } from '../lint/subject.js';
import { compatVerdict } from '../lint/compat/compat.js';
import { fixPlan } from '../lint/fix-plan.js';
import type { FileReport, LintReport, UnreadableFile } from '../lint/report.js';
import { riskScore } from '../lint/risk-score.js';
import { compatPolicyOf } from '../policy/compat-policy.js';
import type { CompatPolicy } from '../policy/compat-policy.js';
import { noPolicy } from '../policy/prepared-policy.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import { PlanError } from '../../../kernel/errors.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { findFiles } from '../../../host/files/find-files.js';
import { rewriteFile } from '../../../host/files/rewrite-file.js';
import { defineOperation } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { text, texts, toggle } from '../../../operations/shared/fields.js';
import { refuseStandardInput } from '../../../operations/shared/named-file.js';
import { readLintBaseline, refuseOtherFile, writeLintBaseline } from './lint-baseline.js';
import { lintSchema } from './lint-report-schema.js';
import type { RuleReport } from './lint-report-schema.js';
import { dialectOption, standardInput } from './plan-fields.js';
import { findActionPlan, isActionPlanId } from './read-action-plan-file.js';
import type { FoundPlan } from './read-action-plan-file.js';
import { toolsFrom } from './tools-from.js';

const inputSchema = z.strictObject({
  files: texts('action plans of any dialect: paths, globs, or - for standard input', 'files'),
  input: standardInput('files'),
  policy: text('what plans may do: a policy in YAML or JSON', 'file'),
  tools: text('a tools file: steps are checked against its tools, their arguments and effects', 'file'),
  dialect: dialectOption(),
  fix: toggle('fix what can be fixed, in place'),
  compat: toggle('judge as the original Plan-Lint does'),
  baseline: text('file of known findings; only new ones count', 'file'),
  updateBaseline: toggle('write what is found now to the baseline'),
  explain: text('explain what a rule finds and why, with examples', 'rule'),
  listRules: toggle('list every rule'),
});

type LintInput = z.output<typeof inputSchema>;

/** What `lint` comes to: a report; a rule with `explain`; every rule with `listRules`. */
export type LintResult = LintedPlans | RuleReport | { readonly rules: readonly RuleReport[] };

/** A report, and what became of standard input under `fix`. */
export interface LintedPlans extends LintReport {
  /** Standard input with what could be mended mended; null unless it was read and fixed. */
  readonly fixed_input: string | null;
}

/** The name of standard input in reports. */
const STDIN = '<stdin>';

/**
 * Checks the plans of files against a policy, or says what the rules are. A file that cannot be read is named in the report
 * and hides no other.
 * @throws PlanError USAGE, POLICY_INVALID, FILE_NOT_FOUND for the policy or the baseline, INVALID_INPUT for a wrong
 *   baseline or a rule that there is not, STORAGE_FAILED when a fix or a baseline cannot be written
 */
export const lintPlans = defineOperation({
  arguments: ['files'],
  input: inputSchema,
  output: lintSchema,
  examples: [
    'plan lint refund.json --policy policy.yaml',
    'plan lint "plans/**/*.json" --format sarif > lint.sarif',
    'plan lint plan.json --fix',
    'plan lint --explain RAW_SECRET',
  ],
  mutates: true,
  async run(context, input): Promise<LintResult> {
    if (input.explain === undefined && input.listRules !== true) return checkPlans(context, input);
    const { explainRule, lintRules } = await import('./lint-rules.js');
    return input.explain === undefined ? { rules: lintRules() } : explainRule(input.explain);
  },
  exitStatus(result) {
    if (!('unreadable' in result)) return 0;
    if (result.unreadable.length > 0) return 2;
    return result.clean ? 0 : 1;
  },
});

async function checkPlans(context: Context, options: LintInput): Promise<LintedPlans> {
  refuseContradictions(options);
  const job: Job = {
    folder: context.environment.workingFolder,
    options,
    dialect: options.dialect,
    tools: await knownTools(context, options.tools),
    ...(await policiesOf(context, options)),
  };
  const checked: Checked[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const input of await inputsOf(context, options)) {
    const outcome = 'problem' in input ? input.problem : await checkFile(input, job);
    if ('report' in outcome) checked.push(outcome);
    else unreadable.push(outcome);
  }
  const { files, stale } = await heldAgainstBaseline(checked, unreadable, job);
  return {
    clean: unreadable.length === 0 && files.every(({ clean }) => clean),
    files,
    unreadable,
    stale,
    fixed_input: checked.find(({ report }) => report.file === STDIN)?.text ?? null,
  };
}

interface Job {
  readonly folder: string;
  readonly options: LintInput;
  readonly dialect: DialectName | undefined;
  readonly policy: PreparedPolicy;
  readonly tools: KnownTools | null;
  /** What the original makes of the policy, where its verdict is wanted. */
  readonly compat: CompatPolicy | null;
}

async function knownTools(context: Context, file: string | undefined): Promise<KnownTools | null> {
  const tools = await toolsFrom(context, file);
  if (tools === null) return null;
  const { createArgumentChecker } = await import('../tools/argument-checker.js');
  const effects = new Map(tools.map((tool) => [tool.name, tool.effects]));
  return { effectsOf: (tool) => effects.get(tool), check: createArgumentChecker(tools) };
}

async function policiesOf(
  context: Context,
  { policy: file, compat = false }: LintInput,
): Promise<Pick<Job, 'policy' | 'compat'>> {
  if (file === undefined) {
    const policy = noPolicy();
    return { policy, compat: compat ? compatPolicyOf(policy) : null };
  }
  const { loadBothPolicies, loadPolicy } = await import('./load-policy.js');
  return compat ? loadBothPolicies(context, file) : { policy: await loadPolicy(context, file), compat: null };
}

interface Input {
  readonly file: string;
  readonly read: () => Promise<Pick<FoundPlan, 'text' | 'sidecar'>>;
}

interface Checked {
  readonly report: FileReport;
  /** The text after mending; null where nothing was to be mended. */
  readonly text: string | null;
}

function refuseContradictions({ files = [], fix, baseline, updateBaseline }: LintInput): void {
  refuseStandardInput(baseline, 'a baseline names files as seen from its own folder');
  if (files.length === 0)
    throw new PlanError('USAGE', 'no file is given: name plans, globs, or - for standard input', {
      hint: { commandLine: '`plan lint --list-rules` needs none.' },
    });
  if (fix === true && files.includes('-') && files.length > 1)
    throw new PlanError(
      'USAGE',
      'with --fix, standard input must be the only file, because its fixed text is printed',
    );
  const stored = files.find(isActionPlanId);
  if (fix === true && stored !== undefined)
    throw new PlanError('USAGE', `${stored} is a plan of the store, which --fix does not change`, {
      hint: {
        commandLine: `Save what \`plan preview ${shellWord(stored)} --json\` prints to a file, and fix that.`,
      },
    });
  if (updateBaseline === true && baseline === undefined)
    throw new PlanError('USAGE', '--update-baseline needs --baseline <file>');
}

async function inputsOf(
  context: Context,
  { files = [], input }: LintInput,
): Promise<readonly (Input | { readonly problem: UnreadableFile })[]> {
  const inputs = new Map<string, Input | { readonly problem: UnreadableFile }>();
  const folder = context.environment.workingFolder;
  for (const name of files) {
    if (name === '-' || isActionPlanId(name)) {
      const file = name === '-' ? STDIN : name;
      inputs.set(file, { file, read: () => findActionPlan(context, { plan: name, input }) });
      continue;
    }
    const found = await findFiles(name, folder);
    for (const file of found)
      inputs.set(resolve(folder, file), {
        file,
        read: () => findActionPlan(context, { plan: resolve(folder, file) }),
      });
    if (found.length > 0) continue;
    const message = `there is no file ${name}`;
    inputs.set(name, { problem: { file: name, code: 'FILE_NOT_FOUND', message, line: null, column: null } });
  }
  return [...inputs.values()];
}

async function checkFile({ file, read }: Input, job: Job): Promise<Checked | UnreadableFile> {
  let checked: Checked;
  try {
    checked = checkText(await read(), file, job);
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || !UNREADABLE.has(thrown.code)) throw thrown;
    const { line, column, problem } = thrown.details;
    return {
      file,
      code: thrown.code,
      message: typeof problem === 'string' ? problem : thrown.message,
      line: typeof line === 'number' ? line : null,
      column: typeof column === 'number' ? column : null,
    };
  }
  const { report, text } = checked;
  if (text !== null && report.fixed > 0 && file !== STDIN) await rewriteFile(file, job.folder, text);
  return checked;
}

const UNREADABLE: ReadonlySet<string> = new Set([
  'INVALID_INPUT',
  'UNSUPPORTED_VERSION',
  'FILE_NOT_FOUND',
  'STORAGE_FAILED',
]);

function checkText(
  { text: given, sidecar }: Pick<FoundPlan, 'text' | 'sidecar'>,
  file: string,
  { options, dialect, policy, tools, compat: original }: Job,
): Checked {
  const mended = options.fix === true ? fixPlan(given, policy, { dialect, sidecar, tools }) : null;
  const text = mended?.text ?? given;
  const { fixes: _fixes, ...check } = mended?.check ?? checkPlan(text, policy, { dialect, sidecar, tools });
  const compat = original === null ? undefined : compatVerdict(text, original);
  const report: FileReport = {
    file,
    ...check,
    known: [],
    fixed: mended?.fixed ?? 0,
    ...(compat === undefined ? {} : { compat, clean: compat.status === 'pass' }),
  };
  return { report, text: mended?.text ?? null };
}

async function heldAgainstBaseline(
  checked: readonly Checked[],
  unreadable: readonly UnreadableFile[],
  { folder, options, policy }: Job,
): Promise<{ readonly files: readonly FileReport[]; readonly stale: number }> {
  const reports = checked.map(({ report }) => report);
  if (options.baseline === undefined) return { files: reports, stale: 0 };
  const path = resolve(folder, options.baseline);
  if (options.updateBaseline === true) await refuseOtherFile(path);
  const nameOf = ({ file }: Pick<FileReport, 'file'>) =>
    file === STDIN ? file : relative(dirname(path), resolve(folder, file)).replaceAll(sep, '/');
  const baseline =
    options.updateBaseline === true
      ? baselineOf(
          reports.map((report) => ({ file: nameOf(report), findings: report.findings })),
          await entriesOf(path, new Set(unreadable.map(nameOf))),
        )
      : await readLintBaseline(path);
  if (options.updateBaseline === true) await writeLintBaseline(path, baseline);
  let stale = 0;
  const files = reports.map((report) => {
    const sifted = siftFindings(baseline, nameOf(report), report.findings);
    stale += sifted.stale;
    const risk = riskScore(sifted.fresh, report.suppressed, policy);
    const clean = !risk.reached && sifted.fresh.every(({ severity }) => severity !== 'error');
    const { fresh: findings, known } = sifted;
    return { ...report, findings, known, risk, clean: report.compat === undefined ? clean : report.clean };
  });
  return { files, stale };
}

/** What the baseline that is there knows of some files; nothing where there is none that can be read. */
async function entriesOf(path: string, files: ReadonlySet<string>): Promise<Baseline['findings']> {
  if (files.size === 0) return [];
  const before = await readLintBaseline(path).catch((thrown: unknown) => {
    if (thrown instanceof PlanError && ['FILE_NOT_FOUND', 'INVALID_INPUT'].includes(thrown.code)) return null;
    throw thrown;
  });
  return before?.findings.filter(({ file }) => files.has(file)) ?? [];
}
