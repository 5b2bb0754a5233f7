import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { Severity } from '../policy/policy.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import type { Region } from './finding.js';
import { NEVER_SUPPRESSED, ruleIdOf } from './rule-ids.js';
import type { RuleId } from './rule-ids.js';
import type { Subject } from './subject.js';

/** That a plan asks for a rule's findings to be passed over: in a step, or everywhere. */
export interface Suppression {
  readonly rule: RuleId;
  readonly reason: string;
  /** Only findings between these offsets. */
  readonly range: { readonly start: number; readonly end: number };
  /** Only findings in steps of this id. */
  readonly step: string | null;
  /** Where it is written. */
  readonly region: Region;
}

/** A suppression that does not hold, and why. */
interface InvalidSuppression {
  readonly message: string;
  readonly about: readonly string[];
  readonly region: Region;
}

export interface Suppressions {
  readonly valid: readonly Suppression[];
  readonly invalid: readonly InvalidSuppression[];
}

/** The key under which objects hold suppressions: a list of `{rule, reason}`, for the whole plan also with `step`. */
const KEY = 'x-frctl-suppress';
/** How a string says the same, where a dialect allows no key of ours: `frctl-suppress RULE: reason`. */
const PHRASE = /^frctl-suppress\s+([A-Za-z_]+)\s*(?::\s*(.*))?$/s;

interface Found {
  readonly name: string;
  readonly reason: string;
  readonly step: string | null;
  readonly node: JsonNode;
  readonly pointer: JsonPointer;
}

/**
 * The suppressions that a plan holds. They are under `x-frctl-suppress` in the plan or a step, or in its
 * `metadata`, `meta` or `meta.vendor_context`; in an Obsidian plan, which allows no further key, as
 * `frctl-suppress RULE: reason` among the `tags` of a step or the `assumptions` of the plan.
 */
export function suppressionsOf(subject: Subject): Suppressions {
  const valid: Suppression[] = [];
  const invalid: InvalidSuppression[] = [];
  const { read, steps } = subject;
  const pointers = [read.body, ...steps.map((step) => read.pointerOf(step.pointer))];
  for (const pointer of pointers) {
    const holder = read.document.at(pointer);
    if (holder === null) continue;
    const range = { start: holder.start, end: holder.end };
    for (const found of suppressionsIn(holder, pointer)) {
      const region = { pointer: found.pointer, start: found.node.start, end: found.node.end };
      const rule = ruleIdOf(found.name);
      const problem = problemOf(found, rule);
      if (problem !== null) invalid.push({ message: problem, about: [found.name], region });
      else if (rule !== null)
        valid.push({ rule, reason: found.reason.trim(), range, step: found.step, region });
    }
  }
  return { valid, invalid };
}

/** Whether a suppression covers what was found at a place in a step. */
export function covers(suppression: Suppression, rule: RuleId, region: Region, step: string | null): boolean {
  const { range } = suppression;
  return (
    suppression.rule === rule &&
    range.start <= region.start &&
    region.end <= range.end &&
    (suppression.step === null || suppression.step === step)
  );
}

/**
 * Whether the suppressions of plans count: as far as the policy lets them, or never. They never count where something is
 * decided about a plan, such as whether a draft is good or a plan may run, for whoever writes a plan writes them too.
 */
export type SuppressionsCount = 'as the policy allows' | 'never';

/**
 * What a plan's own suppression of a finding is good for. `hides`: the finding is passed over, but its rule still weighs in
 * the risk, because the policy does not make it an error. `allowed`: the policy names the rule in `allow_suppressions`,
 * so it weighs nothing either. `none`: the finding stands.
 */
export function powerOfSuppression(
  rule: RuleId,
  severity: Severity,
  { source }: PreparedPolicy,
  count: SuppressionsCount,
): 'allowed' | 'hides' | 'none' {
  if (count === 'never' || NEVER_SUPPRESSED.has(rule)) return 'none';
  if (source.allow_suppressions?.includes(rule) === true) return 'allowed';
  return severity === 'error' ? 'none' : 'hides';
}

function problemOf({ name, reason }: Found, rule: RuleId | null): string | null {
  if (name === '') return 'a suppression must name its rule';
  if (rule === null) return `a suppression names ${JSON.stringify(truncate(name, 40))}, which is not a rule`;
  if (NEVER_SUPPRESSED.has(rule)) return `${rule} cannot be suppressed`;
  return reason.trim() === '' ? `the suppression of ${rule} gives no reason` : null;
}

function* suppressionsIn(holder: JsonNode, pointer: JsonPointer): Generator<Found> {
  for (const path of [[], ['metadata'], ['meta'], ['meta', 'vendor_context']]) {
    const node = path.reduce<JsonNode | null>((at, key) => at && memberOf(at, key), holder);
    const list = node && memberOf(node, KEY);
    if (list !== null) yield* entriesOf(list, pointerTo(pointer, ...path, KEY));
  }
  for (const key of ['tags', 'assumptions']) {
    const list = memberOf(holder, key);
    if (list?.kind !== 'array') continue;
    for (const [index, node] of list.elements.entries()) {
      const words = node.kind === 'string' ? PHRASE.exec(node.value) : null;
      if (words === null) continue;
      const [, name = '', reason = ''] = words;
      yield { name, reason, step: null, node, pointer: pointerTo(pointer, key, index) };
    }
  }
}

function* entriesOf(list: JsonNode, pointer: JsonPointer): Generator<Found> {
  const entries = list.kind === 'array' ? list.elements : [list];
  for (const [index, node] of entries.entries()) {
    const text = (key: string) => {
      const value = memberOf(node, key);
      return value?.kind === 'string' ? value.value : null;
    };
    yield {
      name: text('rule') ?? '',
      reason: text('reason') ?? '',
      step: text('step'),
      node,
      pointer: list.kind === 'array' ? pointerTo(pointer, index) : pointer,
    };
  }
}
