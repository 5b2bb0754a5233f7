import { PlanError, messageOf } from '../../../kernel/errors.js';
import type { DialectName } from '../model/dialect.js';
import { dialectOf } from '../model/dialects.js';
import type { JsonDocument } from '../../../kernel/json/json-document.js';
import { readJsonDocument } from '../../../kernel/json/json-document.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { Severity } from '../policy/policy.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import { examineActionPlan } from '../model/read-action-plan.js';
import type { ExaminedActionPlan, ReadActionPlan } from '../model/read-action-plan.js';
import type { Finding, Region, Observation, SuppressedFinding, TextEdit } from './finding.js';
import { fingerprintOf } from './fingerprint.js';
import { riskScore } from './risk-score.js';
import type { RiskScore } from './risk-score.js';
import type { Rule } from './rule.js';
import { RULES } from './rules.js';
import { schemaInvalid } from './rules/schema-invalid.js';
import { suppressionInvalid } from './rules/suppression-invalid.js';
import { regionOfObservation, schemaObservations } from './schema-observations.js';
import { createSubject } from './subject.js';
import type { KnownTools, Subject } from './subject.js';
import { stepLocator } from './step-locator.js';
import type { LocatedStep } from './step-locator.js';
import { covers, powerOfSuppression, suppressionsOf } from './suppressions.js';
import type { Suppression, Suppressions, SuppressionsCount } from './suppressions.js';

/** What the check of one plan came to. */
export interface PlanCheck {
  /** Whether nothing of severity error was found and the risk stays below its threshold. */
  readonly clean: boolean;
  /** Null where the document has the shape of no action plan. */
  readonly dialect: DialectName | null;
  /** By place in the document, then by rule. */
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  readonly risk: RiskScore;
}

/** A check together with what mends what it found. */
export interface FixableCheck extends PlanCheck {
  /** The edits of each finding that can be fixed, suppressed ones aside. */
  readonly fixes: () => readonly (readonly TextEdit[])[];
}

export interface CheckOptions {
  /** The dialect; found by the shape of the document when it is left out. */
  readonly dialect?: DialectName | undefined;
  /** The text of `*.ext.json` beside an Obsidian plan: what the plan has no place for is checked with it. */
  readonly sidecar?: string | undefined;
  /** The rules (default: every one). */
  readonly rules?: readonly Rule[] | undefined;
  /** The tools that are bound: steps are held against their schemas and effects. */
  readonly tools?: KnownTools | null | undefined;
  /** What is known to be wrong with the form besides, of a plan that was no text. */
  readonly deviations?: readonly { readonly pointer: JsonPointer; readonly message: string }[] | undefined;
  /** Whether what the plan itself wants to be passed over is (default: as the policy allows). */
  readonly suppressions?: SuppressionsCount | undefined;
}

/**
 * Checks the text of an action plan against every rule: the one engine of command and library.
 * @throws PlanError INVALID_INPUT for what is no JSON, UNSUPPORTED_VERSION for a plan of a newer version
 */
export function checkPlan(text: string, policy: PreparedPolicy, options: CheckOptions = {}): FixableCheck {
  const examined = examine(text, options);
  if (!('plan' in examined)) return judgeForm(examined, null, policy);
  if (examined.plan === null) return judgeForm(examined.document, examined, policy);
  const subject = createSubject(examined, policy, options.tools);
  const rules = (options.rules ?? RULES).filter(({ id }) => policy.severityOf(id) !== 'off');
  const also = (options.deviations ?? []).map(({ pointer, message }) => ({
    rule: schemaInvalid,
    observation: { message, about: [message], region: regionOfObservation(examined.document, pointer) },
    firm: true,
  }));
  const found = [...also, ...rules.flatMap((rule) => observationsOf(rule, subject))];
  return checkOf(found, subject, options.suppressions ?? 'as the policy allows');
}

const NO_PLAN = 'this has the shape of no action plan: there is no list of steps that a dialect knows';

/** What a rule said, before the policy says how grave it is. */
export interface Found {
  readonly rule: Rule;
  readonly observation: Observation;
  /** Nothing may hide it or make it milder: the rule itself failed, or there is no plan to judge. */
  readonly firm?: boolean | undefined;
  /** The rule threw. */
  readonly failed?: boolean;
}

/** What a rule says of a plan, or of a call. One that throws has not passed: that is an error of the check. */
export function observationsOf(rule: Rule, subject: Subject): readonly Found[] {
  try {
    return Array.from(rule.check(subject), (observation) => ({ rule, observation }));
  } catch (thrown) {
    const message = `the rule itself failed, so the plan is not checked by it: ${messageOf(thrown)}`;
    const observation: Observation = { message, about: [], region: subject.placeOf(''), severity: 'error' };
    return [{ rule, observation, firm: true, failed: true }];
  }
}

function checkOf(found: readonly Found[], subject: Subject, count: SuppressionsCount): FixableCheck {
  const { read, policy } = subject;
  const stepAt = stepLocator(subject);
  const suppressions = suppressionsOf(subject);
  const used = new Set<Suppression>();
  const powerless = new Set<Suppression>(count === 'never' ? suppressions.valid : []);
  const kept: Kept[] = [];
  const suppressed: SuppressedFinding[] = [];
  for (const one of found) {
    const finding = findingOf(one, read.document, stepAt, policy);
    const cover = one.firm === true ? undefined : coverOf(one, finding.step, suppressions);
    const power =
      cover === undefined ? 'none' : powerOfSuppression(finding.rule, finding.severity, policy, count);
    if (cover !== undefined && power !== 'none') {
      used.add(cover);
      suppressed.push({ ...finding, reason: cover.reason, weighs: power === 'hides' });
      continue;
    }
    if (cover !== undefined) powerless.add(cover);
    kept.push({ finding, fix: one.observation.fix });
  }
  for (const one of aboutSuppressions(suppressions, used, powerless, policy))
    kept.push({ finding: findingOf(one, read.document, stepAt, policy), fix: undefined });
  return { ...summed(kept, suppressed.toSorted(compare), policy), dialect: read.dialect };
}

interface Kept {
  readonly finding: Finding;
  readonly fix: Observation['fix'];
}

function summed(
  kept: readonly Kept[],
  suppressed: readonly SuppressedFinding[],
  policy: PreparedPolicy,
): Omit<FixableCheck, 'dialect'> {
  const sorted = kept.toSorted((a, b) => compare(a.finding, b.finding));
  const findings = sorted.map(({ finding }) => finding);
  const risk = riskScore(findings, suppressed, policy);
  return {
    clean: !risk.reached && findings.every(({ severity }) => severity !== 'error'),
    findings,
    suppressed,
    risk,
    fixes: () => sorted.flatMap(({ fix }) => (fix === undefined ? [] : [fix()])),
  };
}

function coverOf({ rule, observation }: Found, step: string | null, { valid }: Suppressions) {
  return valid.find((suppression) => covers(suppression, rule.id, observation.region, step));
}

function aboutSuppressions(
  { valid, invalid }: Suppressions,
  used: ReadonlySet<Suppression>,
  powerless: ReadonlySet<Suppression>,
  policy: PreparedPolicy,
): readonly Found[] {
  const rule = suppressionInvalid;
  if (policy.severityOf(rule.id) === 'off') return [];
  const idle = valid
    .filter((suppression) => !used.has(suppression))
    .map((suppression) => ({
      rule,
      observation: {
        message: powerless.has(suppression)
          ? `the suppression of ${suppression.rule} does not count: a plan cannot pass over what is held against it; a baseline can, or allow_suppressions of the policy`
          : `nothing of ${suppression.rule} is found here that would be suppressed`,
        about: [suppression.rule, powerless.has(suppression) ? 'powerless' : 'idle'],
        region: suppression.region,
        severity: 'warning' as const,
      },
    }));
  return [...invalid.map((observation) => ({ rule, observation })), ...idle];
}

function findingOf(
  { rule, observation, firm, failed }: Found,
  document: JsonDocument,
  stepAt: (region: Region) => LocatedStep | null,
  policy: PreparedPolicy,
): Finding {
  const { message, region, fix } = observation;
  const step = stepAt(region);
  const where = { rule: rule.id, pointer: region.pointer, step: step?.id ?? null };
  return {
    ...where,
    severity: severityOfFound({ rule, observation, firm }, policy),
    message,
    ...positions(document, region),
    fixable: fix !== undefined,
    fingerprint: fingerprintOf(rule.id, observation, step),
    ...(failed === true ? { failed } : {}),
  };
}

/** How grave a finding is. A policy's word is for those as grave as the rule usually makes them; milder ones stay milder. */
export function severityOfFound({ rule, observation, firm }: Found, policy: PreparedPolicy): Severity {
  const { severity = rule.severity } = observation;
  const wanted = firm === true ? undefined : policy.severityOf(rule.id);
  return wanted === undefined || wanted === 'off' || severity !== rule.severity ? severity : wanted;
}

function positions(document: JsonDocument, { start, end }: Region) {
  const from = document.positionOf(start);
  const to = document.positionOf(end);
  return {
    line: from.line,
    column: from.column,
    end_line: to.line,
    end_column: to.column,
  };
}

function compare(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : Number(a.rule > b.rule));
}

type Unreadable = Extract<ExaminedActionPlan, { plan: null }>;

function examine(
  text: string,
  { dialect, sidecar }: CheckOptions,
): ReadActionPlan | Unreadable | JsonDocument {
  try {
    return examineActionPlan(text, { format: dialect, sidecar });
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'INVALID_INPUT') throw thrown;
    if (sidecar !== undefined) {
      const alone = examine(text, { dialect });
      // The plan can be read, and what is beside it cannot.
      if ('plan' in alone) throw thrown;
      return alone;
    }
    // Where the text is JSON after all, which this would throw for, it has the shape of no action plan.
    return readJsonDocument(text);
  }
}

/** Of a document that is no plan, only its form can be judged. */
function judgeForm(document: JsonDocument, read: Unreadable | null, policy: PreparedPolicy): FixableCheck {
  const observations =
    read === null
      ? [{ message: NO_PLAN, about: [], region: regionOfObservation(document, '') }]
      : schemaObservations(
          { ...read, variant: null, body: dialectOf(read.dialect).find(document.root) ?? '' },
          read.problems,
        );
  const found = observations.map((observation) => ({ rule: schemaInvalid, observation, firm: true }));
  const kept = found.map((one) => ({
    finding: findingOf(one, document, () => null, policy),
    fix: one.observation.fix,
  }));
  return { ...summed(kept, [], policy), dialect: read?.dialect ?? null };
}
