import { isForbidding } from '../demands.js';
import type { DocumentItem } from '../document-item.js';
import { isClearClause, phraseOf } from '../english/phrase.js';
import { holdsTasks } from '../facts.js';
import { readItemName } from '../item-names.js';
import { normalizedHeading } from './heading-kinds.js';

/** What is asked of all that is made, and made by nobody alone: "Performance requirements", "Non-functional". */
const QUALITY =
  /^(?:(?:key|general|technical|system|product|overall) )?(?:non ?functional|nfr|quality|performance|usability|reliability|availability|scalability|maintainability|portability|robustness|efficiency|responsiveness)(?: (?:and|or) (?:quality|performance|usability|reliability|availability|scalability|maintainability|portability|resilience|robustness|efficiency|responsiveness|cost|stability))?(?: (?:requirement|target|attribute|goal|expectation|standard|budget|nfr|constraint))?$/;

/** Whether a heading names a quality that all of a product is to have. */
export function isQuality(heading: string): boolean {
  return QUALITY.test(normalizedHeading(heading));
}

/** Whether an item of a section of qualities says how something is to be, and tells nobody to do it: "Pages load in 2 s". */
export function isMeasured(item: DocumentItem): boolean {
  const { kind, isTask, children, description } = item;
  if (kind !== 'item' || isTask === true || children.length > 0) return false;
  return isForbidding(item) || !isClearClause(phraseOf(readItemName(description).text));
}

/** Whether a section says of all that is made how it is to be. */
export function areQualities(item: DocumentItem): boolean {
  return (
    isQuality(item.description) &&
    item.children.length > 0 &&
    !holdsTasks(item) &&
    item.children.every((child) => (child.kind === 'heading' ? areQualities(child) : isMeasured(child)))
  );
}
