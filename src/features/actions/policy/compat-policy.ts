import * as z from 'zod';

import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';
import { compileAnyPattern } from './patterns.js';
import type { TokenPattern } from './patterns.js';
import { policySchema } from './policy.js';
import type { Policy } from './policy.js';
import { readPolicyDocument } from './policy-document.js';
import { policyError } from './policy-problem.js';
import type { LocatedPolicyProblem } from './policy-problem.js';
import { policyProblems, unmeetableBounds } from './policy-problems.js';
import { preparePolicy } from './prepared-policy.js';
import type { Bound, PreparedPolicy } from './prepared-policy.js';
import { refuseRego } from './read-policy.js';

/** What the original Plan-Lint takes of a policy. Its weights and its threshold decide nothing. */
export interface CompatPolicy {
  readonly allowTools: readonly string[];
  readonly bounds: readonly Bound[];
  readonly patterns: readonly TokenPattern[];
  readonly maxSteps: number;
}

/** As the original reads it: unknown keys are passed over, `tool_patterns` and names of weights included. */
const originalSchema = z.object({
  allow_tools: z.array(z.string()).default([]),
  bounds: z.record(z.string(), z.array(z.number())).nullable().default({}),
  deny_tokens_regex: z.array(z.string()).default([]),
  max_steps: z.int().default(100),
  risk_weights: z.record(z.string(), z.number()).default({}),
  fail_risk_threshold: z.number().default(0.8),
});

/** What the original takes of a policy that is one here. */
export function compatPolicyOf({ source, bounds, patterns, maxSteps }: PreparedPolicy): CompatPolicy {
  return { allowTools: source.allow_tools ?? [], bounds, patterns, maxSteps };
}

/**
 * Reads a policy as the original Plan-Lint does, which takes what is refused here: patterns such as `"||"` that match every
 * text, weights of any name, keys that it does not know.
 * @throws PlanError POLICY_INVALID for what the original does not take, for Rego, and for a pattern that is none of RE2's
 */
export function readCompatPolicy(text: string, file: string): CompatPolicy {
  refuseRego(text, file);
  const document = readPolicyDocument(text);
  if ('problem' in document) {
    const { problem, line, column } = document;
    throw policyError(file, [{ path: [], message: problem, position: { line, column } }]);
  }
  const refuse = (path: readonly (string | number)[], message: string) =>
    policyError(file, [{ path, message, position: document.positionOf(path) }]);
  const parsed = originalSchema.safeParse(document.value, IN_OUR_WORDS);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(
      (issue?.path ?? []).filter((key) => typeof key !== 'symbol'),
      issue?.message ?? '',
    );
  }
  const { allow_tools, bounds, deny_tokens_regex, max_steps } = parsed.data;
  return {
    allowTools: allow_tools,
    bounds: Object.entries(bounds ?? {}).flatMap(([key, [least, greatest]]) =>
      least === undefined || greatest === undefined ? [] : [{ key, least, greatest }],
    ),
    patterns: deny_tokens_regex.map((source, index) => {
      const compiled = compileAnyPattern(source);
      if ('pattern' in compiled) return compiled.pattern;
      throw refuse(['deny_tokens_regex', index], `${JSON.stringify(source)} ${compiled.refused}`);
    }),
    maxSteps: max_steps,
  };
}

/**
 * What of a policy of the original's can be used here, for the findings beside its verdict; what is wrong with the rest is
 * among the warnings.
 */
export function usablePolicy(text: string, file: string): PreparedPolicy {
  const document = readPolicyDocument(text);
  let value: unknown = 'problem' in document ? {} : document.value;
  const dropped: LocatedPolicyProblem[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { policy, problems } = problemsIn(value);
    if (problems.length === 0) {
      const prepared = preparePolicy(policy, { file });
      return { ...prepared, warnings: [...prepared.warnings, ...dropped] };
    }
    for (const { path, message } of problems) {
      const position = 'problem' in document ? null : document.positionOf(path);
      dropped.push({ path, message: `${message}; it is ignored`, position });
    }
    // From the last on, so that places in a list stay what they are.
    value = problems.toReversed().reduce<unknown>((left, { path }) => without(left, path), value);
  }
  return { ...preparePolicy({}, { file }), warnings: dropped };
}

/** Each round drops a mistake at least; no policy has more kinds of them that hide each other. */
const MOST_ROUNDS = 10;

type Problems = readonly { readonly path: readonly (string | number)[]; readonly message: string }[];

function problemsIn(value: unknown): { readonly policy: Policy; readonly problems: Problems } {
  const parsed = policySchema.safeParse(value, IN_OUR_WORDS);
  if (parsed.success)
    return {
      policy: parsed.data,
      problems: [...policyProblems(parsed.data), ...unmeetableBounds(parsed.data)],
    };
  const problems = parsed.error.issues.flatMap(({ path, message, ...issue }) => {
    const keys = path.filter((key) => typeof key !== 'symbol');
    const unknown = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : null;
    return unknown === null
      ? [{ path: keys, message }]
      : unknown.map((key) => ({ path: [...keys, key], message: 'is not a key of a policy' }));
  });
  return { policy: {}, problems };
}

function without(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return {};
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, index) => index !== key)
      : value.map((item: unknown, index) => (index === key ? without(item, rest) : item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, item]) => {
    if (name !== String(key)) return [[name, item] as const];
    return rest.length === 0 ? [] : [[name, without(item, rest)] as const];
  });
  return Object.fromEntries(entries);
}
