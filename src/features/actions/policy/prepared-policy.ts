import type { RuleId } from '../lint/rule-ids.js';
import { ruleIdOf } from '../lint/rule-ids.js';
import { boundApplies, readingsOfBound } from './bound-keys.js';
import { compilePattern } from './patterns.js';
import type { TokenPattern } from './patterns.js';
import { POLICY_DEFAULTS } from './policy.js';
import type { Policy, Severity, ToolKind } from './policy.js';
import { policyError } from './policy-problem.js';
import type { LocatedPolicyProblem } from './policy-problem.js';
import { policyProblems, unmeetableBounds } from './policy-problems.js';
import { matchesAny } from './tool-glob.js';

/** A policy that is checked and complete, ready to be asked. */
export interface PreparedPolicy {
  /** As it was given, after `extends`. */
  readonly source: Policy;
  /** Where it is from, for messages; null where there is no policy. */
  readonly file: string | null;
  /** What makes one wonder about it, though it can be used. */
  readonly warnings: readonly LocatedPolicyProblem[];
  readonly maxSteps: number;
  readonly threshold: number;
  readonly patterns: readonly TokenPattern[];
  readonly bounds: readonly Bound[];
  /** The bounds that a tool comes under, each with the path of what it is about in the arguments. */
  readonly boundsOn: (tool: string) => readonly ToolBound[];
  /** Whether tools of a kind include this one. */
  readonly isKind: (kind: ToolKind, tool: string) => boolean;
  /** The severity that the policy gives a rule; undefined where it says nothing. */
  readonly severityOf: (rule: RuleId) => Severity | 'off' | undefined;
  /** The weight that the policy gives a rule; undefined where it says nothing. */
  readonly weightOf: (rule: RuleId) => number | undefined;
}

/** What an argument of a tool may be. */
export interface Bound {
  /** As it is written: `tool.argument`. */
  readonly key: string;
  readonly least: number;
  readonly greatest: number;
}

/** A bound as it is about one tool. */
interface ToolBound {
  readonly bound: Bound;
  readonly path: readonly string[];
}

/** The policy where there is none: every tool, no bounds, the built-in detectors. */
export function noPolicy(): PreparedPolicy {
  return preparePolicy({}, { file: null });
}

/**
 * Checks a policy and prepares it for use.
 * @param origin its file, and where in it a path is, as far as that is known
 * @throws PlanError POLICY_INVALID with every problem
 */
export function preparePolicy(
  policy: Policy,
  origin: {
    readonly file: string | null;
    readonly locate?: (problem: LocatedPolicyProblem) => LocatedPolicyProblem;
  },
): PreparedPolicy {
  const placed = (problem: Omit<LocatedPolicyProblem, 'position'>) => {
    const unlocated = { ...problem, position: null };
    return origin.locate?.(unlocated) ?? unlocated;
  };
  const problems = [...policyProblems(policy), ...unmeetableBounds(policy)];
  if (problems.length > 0) throw policyError(origin.file ?? 'the policy', problems.map(placed));
  const weights = weightsOf(policy);
  const bounds = Object.entries(policy.bounds ?? {}).map(([key, [least, greatest]]) => ({
    key,
    least: least ?? -Infinity,
    greatest: greatest ?? Infinity,
  }));
  return {
    source: policy,
    file: origin.file,
    warnings: warningsOf(policy).map(placed),
    maxSteps: policy.max_steps ?? POLICY_DEFAULTS.max_steps,
    threshold: policy.fail_risk_threshold ?? POLICY_DEFAULTS.fail_risk_threshold,
    patterns: (policy.deny_tokens_regex ?? []).flatMap((source) => {
      const compiled = compilePattern(source);
      return 'pattern' in compiled ? [compiled.pattern] : [];
    }),
    bounds,
    boundsOn: boundsByTool(bounds, policy.allow_tools ?? []),
    isKind: (kind, tool) =>
      matchesAny(policy.tool_patterns?.[kind] ?? POLICY_DEFAULTS.tool_patterns[kind], tool),
    severityOf: (rule) => policy.severities?.[rule],
    weightOf: (rule) => weights.get(rule),
  };
}

/** Where several names mean one rule, the greatest weight counts. */
function weightsOf({ risk_weights: named = {} }: Policy): ReadonlyMap<RuleId, number> {
  const weights = new Map<RuleId, number>();
  for (const [name, weight] of Object.entries(named)) {
    const rule = ruleIdOf(name);
    if (rule !== null) weights.set(rule, Math.max(weight, weights.get(rule) ?? 0));
  }
  return weights;
}

function boundsByTool(
  bounds: readonly Bound[],
  allowed: readonly string[],
): (tool: string) => readonly ToolBound[] {
  const readings = bounds.flatMap((bound) =>
    readingsOfBound(bound.key, allowed).map((reading) => ({ bound, reading })),
  );
  return (tool) =>
    readings
      .filter(({ reading }) => boundApplies(reading, tool))
      .map(({ bound, reading }) => ({ bound, path: reading.path }));
}

function warningsOf(policy: Policy): readonly Omit<LocatedPolicyProblem, 'position'>[] {
  if (policy.allow_tools?.length !== 0) return [];
  return [
    {
      path: ['allow_tools'],
      message:
        'is an empty list, which allows every tool; leave it out, or deny everything with deny_tools: ["*"]',
    },
  ];
}
