import { PlanError } from '../../../kernel/errors.js';
import { mergePolicies } from './merge-policies.js';
import { policySchema } from './policy.js';
import type { Policy } from './policy.js';
import { readPolicyDocument } from './policy-document.js';
import type { PolicyDocument } from './policy-document.js';
import { policyError } from './policy-problem.js';
import type { LocatedPolicyProblem } from './policy-problem.js';
import { policyProblems } from './policy-problems.js';
import { preparePolicy } from './prepared-policy.js';
import type { PreparedPolicy } from './prepared-policy.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';

/** How files are read: those that `extends` names, relative to the file that names them. */
export interface PolicyFiles {
  /** One name for a file however it is written, after a check that it may be read. */
  resolve(name: string, from: string): Promise<string>;
  read(file: string): Promise<string>;
}

/** Most policies that may extend one another in a row. */
const MOST_FILES = 50;

interface Loaded {
  readonly policy: Policy;
  readonly file: string;
  readonly document: PolicyDocument;
}

/**
 * Reads a policy file with everything that it extends, checks it, and makes it ready.
 * @throws PlanError POLICY_INVALID with file, line and column; what `files` throws for a file that cannot be read
 */
export async function readPolicy(text: string, file: string, files: PolicyFiles): Promise<PreparedPolicy> {
  const loaded: Loaded[] = [];
  const policy = await load(text, file, { files, above: [], loaded });
  return preparePolicy(policy, {
    file,
    locate: (problem) => ({ ...problem, position: positionOf(problem, loaded) }),
  });
}

const NO_KIND =
  'is not a key of a policy; Plan-Lint documents such patterns but ignores them, as --compat does';

/** Reads one policy file alone: its YAML, its shape, its patterns. @throws PlanError POLICY_INVALID */
export function parsePolicy(text: string, file: string): Loaded {
  refuseRego(text, file);
  const document = readPolicyDocument(text);
  if ('problem' in document) {
    const { problem, line, column } = document;
    throw policyError(file, [{ path: [], message: problem, position: { line, column } }]);
  }
  const parsed = policySchema.safeParse(document.value, IN_OUR_WORDS);
  const problems = parsed.success
    ? policyProblems(parsed.data)
    : parsed.error.issues.flatMap(({ path, message, code, ...issue }) => {
        const keys = path.filter((key) => typeof key !== 'symbol');
        if (code !== 'unrecognized_keys' || !('keys' in issue)) return [{ path: keys, message }];
        const why = keys[0] === 'tool_patterns' ? NO_KIND : 'is not a key of a policy';
        return issue.keys.map((key) => ({ path: [...keys, key], message: why }));
      });
  if (!parsed.success || problems.length > 0) {
    const placed = problems.map((problem) => ({ ...problem, position: document.positionOf(problem.path) }));
    throw policyError(file, placed);
  }
  return { policy: parsed.data, file, document };
}

/** @throws PlanError POLICY_INVALID */
export function refuseRego(text: string, file: string): void {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
  if (!file.endsWith('.rego') && !/^package\s+[\w.]+$/.test(first)) return;
  const message =
    'frctl does not read Rego policies; evaluate it with Open Policy Agent, or write it in YAML with allow_tools, bounds and deny_tokens_regex';
  throw policyError(file, [{ path: [], message, position: { line: 1, column: 1 } }]);
}

interface Loading {
  readonly files: PolicyFiles;
  /** The files that led here, the outermost first. */
  readonly above: readonly string[];
  readonly loaded: Loaded[];
}

async function load(text: string, file: string, loading: Loading): Promise<Policy> {
  const own = parsePolicy(text, file);
  loading.loaded.push(own);
  if (loading.loaded.length > MOST_FILES)
    throw unusableBase(own, `more than ${MOST_FILES} policies extend each other`);
  const above = [...loading.above, file];
  let base: Policy = {};
  for (const name of [own.policy.extends ?? []].flat()) {
    const resolved = await loading.files.resolve(name, file).catch((thrown: unknown) => {
      throw thrown instanceof PlanError ? unusableBase(own, thrown.message) : thrown;
    });
    if (above.includes(resolved))
      throw unusableBase(
        own,
        `goes in a circle: ${[...above.slice(above.indexOf(resolved)), resolved].join(' → ')}`,
      );
    const inherited = await loading.files.read(resolved).catch((thrown: unknown) => {
      throw thrown instanceof PlanError ? unusableBase(own, thrown.message) : thrown;
    });
    base = mergePolicies(base, await load(inherited, resolved, { ...loading, above }));
  }
  return mergePolicies(base, own.policy);
}

function unusableBase({ file, document }: Loaded, message: string): PlanError {
  const path = ['extends'];
  return policyError(file, [{ path, message, position: document.positionOf(path) }]);
}

/** Where a problem of the whole is in the outermost file, if it is said there. */
function positionOf(
  { path }: LocatedPolicyProblem,
  loaded: readonly Loaded[],
): LocatedPolicyProblem['position'] {
  return loaded[0]?.document.positionOf(path) ?? null;
}
