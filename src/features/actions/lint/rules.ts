import type { Rule } from './rule.js';
import { boundViolation } from './rules/bound-violation.js';
import { duplicateId } from './rules/duplicate-id.js';
import { forwardReference } from './rules/forward-reference.js';
import { implicitDependency } from './rules/implicit-dependency.js';
import { loopDetected } from './rules/loop-detected.js';
import { maxStepsExceeded } from './rules/max-steps-exceeded.js';
import { missingHandler } from './rules/missing-handler.js';
import { policyInvalid } from './rules/policy-invalid.js';
import { rawSecret } from './rules/raw-secret.js';
import { schemaInvalid } from './rules/schema-invalid.js';
import { sqlWriteRule } from './rules/sql-write.js';
import { suppressionInvalid } from './rules/suppression-invalid.js';
import { toolDeny } from './rules/tool-deny.js';
import { unknownReference } from './rules/unknown-reference.js';
import { unusedOutput } from './rules/unused-output.js';

/** Every rule, in the order of their ids' list. */
export const RULES: readonly Rule[] = [
  schemaInvalid,
  toolDeny,
  boundViolation,
  rawSecret,
  loopDetected,
  maxStepsExceeded,
  missingHandler,
  sqlWriteRule,
  duplicateId,
  unknownReference,
  forwardReference,
  implicitDependency,
  unusedOutput,
  policyInvalid,
  suppressionInvalid,
];
