import type { Severity } from '../policy/policy.js';
import type { Observation } from './finding.js';
import type { RuleId } from './rule-ids.js';
import type { Subject } from './subject.js';

/** One rule of the check. */
export interface Rule {
  readonly id: RuleId;
  /** What a finding is unless the policy or the finding itself says otherwise. */
  readonly severity: Severity;
  /** What it finds, in one line. */
  readonly summary: string;
  /** Why that matters, what exactly counts, and how to mend it: a paragraph or two of Markdown. */
  readonly explanation: string;
  readonly example: RuleExample;
  /** Looks at a plan that could be read. Must not change anything; what it throws is an error of the check. */
  check(subject: Subject): Iterable<Observation>;
}

/** A plan that breaks a rule, one that does not, and the policy for both. Tests hold that they do. */
interface RuleExample {
  readonly bad: string;
  readonly good: string;
  /** As YAML. */
  readonly policy?: string;
  /** For the good plan, where it is the policy that is bad. */
  readonly goodPolicy?: string;
}
