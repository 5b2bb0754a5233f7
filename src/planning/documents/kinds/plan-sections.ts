import type { DocumentItem, DocumentOutline } from '../document-item.js';
import { isActionSection } from './document-kind.js';
import { isReadmeHeading, normalizedHeading, sectionKind } from './heading-kinds.js';
import { sequenceNumber } from '../item-names.js';
import { headings } from '../section-choice.js';

/** A heading below which what stands is to be done. */
const PART_OF_PLAN =
  /^(?:phase|stage|milestone|sprint|step|week|iteration)(?:$| (?:\d|[a-z]$|[a-z] |[ivx]+\b|one\b|two\b|three\b|four\b))|^[mq]\d{1,2}\b/;
/** "Étape 2", "阶段二": the same in other languages. */
function isPhaseAbroad(heading: string): boolean {
  const word = sequenceNumber(heading)?.word ?? '';
  return word !== '' && !/^(?:day|month|wave|increment|release|round|m|q)$/.test(word);
}
/** Sections that are the plan of a document. */
const PLAN =
  /^(?:.+ )?(?:(?:implementation|development|build|execution|delivery|project|work|tactical|action|sprint) (?:plan|phase|step|order|sequence|checklist)|roadmap|milestone|work breakdown|work breakdown structure|task breakdown|(?:implementation|development) task|phased plan)$|^(?:plan|task|phase|task list|to ?do|to ?do list|backlog)$/;
/** Sections of what is to be mended, whatever else is planned. */
const FAULTS = /^(?:(?:known|open) )?(?:issue|bug|fault|defect)$/;

/** Whether a section names what is to be mended. */
export function namesFaults(heading: string): boolean {
  return FAULTS.test(normalizedHeading(heading));
}
/** With fewer goals in it a plan is one section beside others. */
const LEAST = 6;

/** Whether a section is by its heading the plan of a document. */
export function isPlan(heading: string): boolean {
  return PLAN.test(normalizedHeading(heading));
}

/** Whether a section or a label says that what stands below it is to be done, and no part of criteria or non-goals. */
export function namesTasks(heading: string): boolean {
  return isActionSection(heading) || isPlan(heading);
}

/** Whether a section holds what users want, by its heading. */
export function namesStories(heading: string): boolean {
  return /(?:^| )(?:story|use case|job to be done|user scenario)$/.test(normalizedHeading(heading));
}

/** Whether a section of stories says in a line each why others are planned that say more. */
export function areStoriesBeside({ description, children }: DocumentItem, told: number): boolean {
  const below = leavesOf(children);
  const isShort = below.every(({ isTask, kind }) => isTask !== true && kind === 'item');
  const isProven = headings(children).some((each) => sectionKind(each.description, false) === 'acceptance');
  return namesStories(description) && isShort && !isProven && told >= Math.max(LEAST, 2 * below.length);
}

/** Returns how many goals the sections of a plan, and of requirements or features, hold. */
export function countPlanned(items: readonly DocumentItem[]): number {
  return items.reduce((sum, item) => {
    if (item.kind !== 'heading' || namesStories(item.description)) return sum;
    const isNamed =
      isPlan(item.description) ||
      sequenceNumber(item.description) !== null ||
      REQUIRED.test(normalizedHeading(item.description));
    return sum + (isNamed ? leaves(item) : countPlanned(item.children));
  }, 0);
}

const REQUIRED = /(?:^| )(?:requirement|feature|functionality|specification|must have|scope)$/;

/** Whether a section of a design says by its heading that it holds work. */
export function isPlanned(heading: string): boolean {
  const name = normalizedHeading(heading);
  const isNamed =
    sectionKind(heading, false) === 'container' &&
    !/design|architecture|model|interface|implementation(?! plan)|solution|proposal|change|approach|detail/.test(
      name,
    );
  return (
    isNamed ||
    isActionSection(heading) ||
    isPhaseAbroad(heading) ||
    [PART_OF_PLAN, PLAN, FAULTS].some((pattern) => pattern.test(name))
  );
}

/**
 * Whether a document says in sections of its own what is to be done, in order: what it lists elsewhere then describes
 * what these are about.
 */
export function hasOwnPlan(items: readonly DocumentItem[]): boolean {
  return planSections(items).reduce((sum, item) => sum + leaves(item), 0) >= LEAST;
}

/** Whether a section draws the line around what is planned in others. */
export function isScope(heading: string): boolean {
  return /^(?:project |plan )?(?:in )?scope$/.test(normalizedHeading(heading));
}

function planSections(items: readonly DocumentItem[]): readonly DocumentItem[] {
  const sections = items.filter(({ kind }) => kind === 'heading');
  const words = sections.map(({ description }) => sequenceNumber(description)?.word);
  const isPart = (index: number) =>
    words[index] !== undefined && words.filter((word) => word === words[index]).length > 1;
  return sections.flatMap((item, index) =>
    isPart(index) || isPlan(item.description) ? [item] : planSections(item.children),
  );
}

function leaves({ children }: DocumentItem): number {
  return leavesOf(children).length;
}

function leavesOf(items: readonly DocumentItem[]): readonly DocumentItem[] {
  return items.flatMap((item) => (item.children.length === 0 ? [item] : leavesOf(item.children)));
}

/** Whether any heading names a list of what is to come. */
export function hasRoadmap(items: readonly DocumentItem[]): boolean {
  return headings(items).some(({ description }) => ROADMAP.test(normalizedHeading(description)));
}

const ROADMAP =
  /^(?:roadmap|todo|to do|planned|planned feature|coming soon|next step|backlog|task|what s next)$/;

/** Whether a document is the README of a product, by its file or its headings. */
export function isReadme(outline: DocumentOutline, file: string): boolean {
  return /(?:^|\/)readme(?:\.[a-z]+)*$/i.test(file) || explainsProduct(outline);
}

/** Whether its headings tell how a product is installed and used: what they do not say to be planned is there already. */
export function explainsProduct({ items }: DocumentOutline): boolean {
  return headings(items).filter(({ description }) => isReadmeHeading(description)).length > 1;
}

/** Whether a section, or one below it, says by its heading that it holds work. */
export function holdsPlanned({ description, children }: DocumentItem): boolean {
  return isPlanned(description) || headings(children).some((each) => isPlanned(each.description));
}

/** Whether a section says by its heading that it holds what is to be done. */
export function namesWork(items: readonly DocumentItem[]): boolean {
  return headings(items).some(
    ({ description, children }) =>
      sectionKind(description, false) === 'container' && children.some((child) => !isAside(child)),
  );
}

/** Whether a part of a section names no work, as both halves of "Goals and non-goals" do. */
function isAside({ kind, description }: DocumentItem): boolean {
  return kind === 'heading' && ['aims', 'context', 'out_of_scope'].includes(sectionKind(description, false));
}

const DESIGN = /^(?:\S+ )?(?:design|proposal|solution|change)$/;

/** Whether a section of a record describes in a heading each what it would build. */
export function isDesign({ description, children }: DocumentItem, inReadme: boolean): boolean {
  const isNamed = DESIGN.test(normalizedHeading(description));
  return isNamed && sectionKind(description, inReadme) === 'container' && headings(children).length > 1;
}
