import type { DocumentItem, DocumentOutline } from '../document-item.js';
import { holdsTasks } from '../facts.js';
import { hasOwnPlan } from './plan-sections.js';

/** How a document is read that says how something is built: by its own plan, or section by section. */
export type Specification = 'by_plan' | 'by_section';

const TITLE = /\bspec(?:ification)?s?(?:[ :—–-]+v?\d[\d.]*)?$|\bformat(?: v?\d[\d.]*)?$/i;
const FILE = /(?:^|[/\\]|[-_ ])(?:tech(?:nical)?[-_ ])?(?:spec(?:ification)?s?|design[-_ ]doc)\.\w{1,8}$/i;
/** What says what a product is to do, and not how. */
const OF_PRODUCT = /\b(?:product|feature|functional|requirements?|business|user|mvp|prd|srs)\b/i;

/** Tells how a specification is read; null for any other document. */
export function specificationIn({ title, items }: DocumentOutline, file: string): Specification | null {
  const name = title ?? '';
  if (OF_PRODUCT.test(name) || OF_PRODUCT.test(file.replace(/^.*[/\\]/, ''))) return null;
  if (!TITLE.test(name) && !FILE.test(file)) return null;
  return hasOwnPlan(items) ? 'by_plan' : 'by_section';
}

/** Whether the list below a heading says how the part that it names is built. */
export function describesPart(item: DocumentItem): boolean {
  return item.kind === 'heading' && item.children.every(({ kind }) => kind === 'item') && !holdsTasks(item);
}
