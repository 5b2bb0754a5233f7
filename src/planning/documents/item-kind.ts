import { SCENARIO } from './criteria.js';
import { holdsActions, isActionSection, isFaultSection } from './kinds/document-kind.js';
import type { DocumentKind } from './kinds/document-kind.js';
import { isForbidding, REQUIRES } from './demands.js';
import type { DocumentItem } from './document-item.js';
import { onlyMeasures } from './measures.js';
import {
  areFacts,
  isBlank,
  isContents,
  isNothingToDo,
  isPointer,
  isSaidOfOneself,
  pointsInside,
  areTold,
  isTold,
  isTopic,
  holdsBoxes,
  holdsTasks,
  readsLikeWork,
  LABELLED,
  saysNoWork,
} from './facts.js';
import {
  asksWhat,
  isWeakContext,
  kindByLastWord,
  namesFiles,
  normalizedHeading,
  sectionKind,
  type SectionKind,
} from './kinds/heading-kinds.js';
import { readItemName, sequenceNumber } from './item-names.js';
import { areStoriesBeside, holdsPlanned, isDesign, isScope, namesFaults } from './kinds/plan-sections.js';
import { areQualities, isMeasured, isQuality } from './kinds/quality-sections.js';
import { describesPart, type Specification } from './kinds/specification.js';
import { tasksIn } from './read-fault.js';
import { isScenario } from './scenarios.js';
import { headings, type LeftOut, type ReadingChoice } from './section-choice.js';
import {
  areCriteriaOf,
  areDefined,
  describeCode,
  isClaim,
  isFlow,
  proseTells,
  specifies,
} from './statements.js';

/** What is known of the document that is read. */
export interface Reader {
  readonly kind: DocumentKind;
  readonly lines: readonly string[];
  readonly choice: ReadingChoice;
  readonly inReadme: boolean;
  readonly inMinutes: boolean;
  /** Whether it tells how a product is installed and used. */
  readonly explains: boolean;
  /** Whether a section says by its heading that it holds what is to be done. */
  readonly namesWork: boolean;
  /** Whether it tells in one way or another what to do: what only explains is no work then. */
  readonly tells: boolean;
  readonly hasRoadmap: boolean;
  /** Whether it ticks what is done, so that a cross says what is still to be done. */
  readonly hasTicks: boolean;
  /** Whether it says in sections of its own what is to be done: what others list describes that. */
  readonly hasOwnPlan: boolean;
  /** How it is read, where it says how something is built. */
  readonly specification: Specification | null;
  /** Whether it is about qualities, so that these are its work. */
  readonly ofQualities: boolean;
  /** How many goals the sections of a plan, of requirements and of features hold. */
  readonly planned: number;
  readonly leftOut: LeftOut[];
}

/** What stands above what is read. */
export interface Above {
  /** Whether it is the document. */
  readonly isRoot?: boolean;
  /** Whether it, or a section around it, says that work stands in it. */
  readonly holdsWork?: boolean;
  /** Whether it describes what is designed, so that a list is work only where somebody is told to do it. */
  readonly inDesign?: boolean;
  /** Whether a list that describes what is planned elsewhere tells somebody, all in all, to do what it says. */
  readonly tells?: boolean;
  /** Whether what stands in a list is to be written or done, so that a topic in it is work: "How users sign in". */
  readonly namesTopics?: boolean;
  /** Whether a goal, or other items, stand beside what only says what must not be. */
  readonly hasOthers?: boolean;
  /** Whether the words before a list say that it is not to be done: "This part does not cover:". */
  readonly negated?: boolean;
  /** Whether a list says what there is already, of others or how often. */
  readonly isKnown?: boolean;
  readonly kind: SectionKind;
  readonly heading: string;
}

/** Returns what an item or a heading is to a plan, where it stands. */
export function kindOf(item: DocumentItem, above: Above, reader: Reader): SectionKind {
  const { description, kind, children } = item;
  const isNegated = above.negated === true && item.isTask !== true && kind === 'item';
  if (item.excluded === true || (isNegated && reader.choice.all !== true)) return 'out_of_scope';
  if (SCENARIO.test(readItemName(description).text) && (kind === 'heading' || children.length > 0))
    return 'acceptance';
  if (kind === 'heading') return headingKind(item, above, reader);
  if ((isSaidOfOneself(description) || isBlank(item)) && !holdsBoxes(item) && reader.choice.all !== true)
    return 'context';
  if (above.kind === 'acceptance' || isScenario(description)) return 'acceptance';
  if (isQuality(above.heading) && !reader.ofQualities && reader.choice.all !== true && isMeasured(item))
    return 'acceptance';
  if (children.length > 0) {
    const known = sectionKind(description, false);
    if (known === 'acceptance' || known === 'out_of_scope') return known;
    const isWork = holdsBoxes(item) || (isWeakContext(description) && readsLikeWork(children));
    if (known === 'context' && item.isTask !== true && !isWork && reader.choice.all !== true) return known;
  }
  const label = LABELLED.exec(description)?.[1] ?? '';
  const labelled = sectionKind(label, false);
  const isSaid = item.isTask !== true && children.length === 0;
  if (isSaid && (labelled === 'acceptance' || labelled === 'out_of_scope')) return labelled;
  const isLabelled = labelled === 'context' && !isWeakContext(label);
  const isNoWork =
    above.isKnown === true ||
    isLabelled ||
    (saysNoWork(description) &&
      !(description.endsWith('?') && /\btask$/.test(normalizedHeading(above.heading)))) ||
    (isTopic(description) && (above.namesTopics !== true || item.detail !== undefined)) ||
    pointsInside(item, reader.lines) ||
    (above.inDesign === true && above.tells !== true && !REQUIRES.test(description));
  if (item.isTask === true || holdsBoxes(item) || kind !== 'item' || reader.choice.all === true)
    return 'work';
  if (isNoWork) return 'context';
  return above.hasOthers === true && isForbidding(item) ? 'acceptance' : 'work';
}

function headingKind(named: DocumentItem, above: Above, reader: Reader): SectionKind {
  const { inReadme, hasRoadmap, choice } = reader;
  // "Proposal: Drawbacks" below "Proposal" are drawbacks.
  const prefix = `${above.heading.toLowerCase()}: `;
  const isPrefixed = named.description.toLowerCase().startsWith(prefix);
  const item = isPrefixed ? { ...named, description: named.description.slice(prefix.length) } : named;
  if (isChapterOfProduct(item, above)) return 'work';
  if (
    /\((?:current|existing|as[ -]is|today)\)$/i.test(item.description) &&
    !holdsTasks(item) &&
    choice.all !== true
  )
    return 'context';
  if (reader.kind === 'record' && above.holdsWork !== true) return recordKind(item, inReadme);
  if (!reader.ofQualities && choice.all !== true && areQualities(item)) return 'acceptance';
  if (reader.specification === 'by_plan' && above.holdsWork !== true && !holdsTasks(item)) {
    const known = sectionKind(item.description, inReadme);
    if (!holdsPlanned(item) && (known === 'work' || known === 'container')) return 'context';
  }
  if (areStoriesBeside(item, reader.planned) && choice.all !== true) return 'context';
  if ((weighsOption(item) || isOption(item)) && !holdsTasks(item) && choice.all !== true) return 'context';
  const isAside =
    isContents(item, reader.lines) ||
    isNothingToDo(item) ||
    FIELD.test(item.description) ||
    (/(?:\?|\(examples?\))$/i.test(item.description) &&
      !(/^\W*why\b/i.test(item.description) ? holdsBoxes(item) : holdsTasks(item)));
  if (isAside && choice.all !== true) return 'context';
  const isBesideWork = reader.tells || reader.hasOwnPlan || above.holdsWork === true;
  if (isBesideWork && namesFiles(item.description) && !holdsTasks(item) && choice.all !== true)
    return 'context';
  if (reader.hasOwnPlan && above.holdsWork !== true && isScope(item.description)) return 'context';
  if (/^gates?$/i.test(readItemName(item.description).text) && sequenceNumber(above.heading) !== null)
    return 'acceptance';
  if (onlyMeasures(item) && choice.all !== true && !holdsTasks(item) && !readsLikeWork(item.children))
    return 'context';
  const kind = sectionKind(item.description, inReadme);
  const isChosen = choice.only?.some(
    (name) => normalizedHeading(name) === normalizedHeading(item.description),
  );
  if (kind === 'out_of_scope' && (isChosen === true || (item.onHold !== undefined && holdsBoxes(item))))
    return 'work';
  if (/\bedge case\b/.test(normalizedHeading(item.description)) && areCases(item)) return 'acceptance';
  if (kind === 'container' && areLimits(item)) return 'acceptance';
  const isForbidden = item.children.length > 0 && item.children.every(isForbidding);
  const isLimits = isForbidden && kind === 'work' && item.detail === undefined && above.holdsWork !== true;
  if (isLimits && reader.tells && !isTold({ ...item, children: [] })) return 'acceptance';
  // A README with a roadmap tells what there is and what is to come; so does one of a product that can be installed.
  if (
    inReadme &&
    (hasRoadmap || reader.explains) &&
    /^(?:key |core )?feature$/.test(normalizedHeading(item.description)) &&
    choice.all !== true
  )
    return 'context';
  const isNamed = kind === 'work' || kind === 'container';
  if (isNamed && reader.explains && above.holdsWork !== true && choice.all !== true)
    return holdsTasks(item) || holdsPlanned(item) ? kind : 'context';
  const isWorkNamed = reader.tells || reader.hasOwnPlan;
  if (kind === 'work' && above.holdsWork !== true && isWorkNamed && choice.all !== true)
    return kindOfUnknown(item, reader.kind === 'design');
  if (kind !== 'context') return kind;
  const isPart = above.holdsWork === true && PART_OF_PRODUCT.test(normalizedHeading(item.description));
  // The rows of a table that compares are features, and none of them is to be made; those of open issues are questions.
  const holds = NO_TABLE.test(normalizedHeading(item.description)) ? holdsBoxes(item) : holdsTasks(item);
  if (choice.all === true || holds || (isPart && item.children.length > 0)) return 'work';
  const below = headings(item.children).map(({ description }) => sectionKind(description, inReadme));
  if (below.includes('container') && !inReadme) return 'container';
  const mayTell = isWeakContext(item.description) || asksWhat(item.description);
  const others = item.children.filter(({ description }) => !isPointer(description));
  return mayTell && readsLikeWork(others) ? 'work' : 'context';
}

/** A field with its type: "phase: "mount" | "update"". */
const FIELD =
  /^[\w$.-]{1,60}\??: (?:(?:string|number|boolean|bool|int|integer|float|object|any|void|null|undefined)\b(?: \| .{1,80}|\[\])?$|["'].{0,80}["']$|\w{1,40}<.{1,80}>$)/;

const isFigure = (item: DocumentItem): boolean =>
  /: \D{0,20}\d/.test(item.description) && areFacts([item, item]);

/** Whether requirements are nothing but figures with their names: "PHP version: 7.4 or higher". */
function areLimits({ description, children }: DocumentItem): boolean {
  return (
    children.length > 1 && /\brequirement$/.test(normalizedHeading(description)) && children.every(isFigure)
  );
}

/** Whether a heading numbers a part of what is made, and not of the document: its name says nothing of what it is to a plan. */
function isChapterOfProduct({ description }: DocumentItem, above: Above): boolean {
  return (
    above.isRoot !== true &&
    above.kind === 'work' &&
    /^(?:chapter|slide|screen|page|scene) \d+[:.]/i.test(description)
  );
}

/** Whether most of a section says what comes of what: "Empty list → a hint". */
function areCases({ children }: DocumentItem): boolean {
  const cases = children.filter(({ description }) => /\S\s*(?:→|->|=>|⇒)\s*\S/.test(description));
  return (
    cases.length * 2 > children.length &&
    !children.some(holdsTasks) &&
    children.every(({ isTask }) => isTask !== true)
  );
}

/** What a section is about that holds something against what others do. */
const NO_TABLE =
  /^why\b|^(?:open|unresolved) (?:issue|question)$|\b(?:comparison|compared|competitor|competition|competitive|versus|vs|alternative)\b/;

/** What a product has among its features, and a document for its readers. */
const PART_OF_PRODUCT =
  /^(?:feedback|help|support|contact|community|decision log|version history|list of .+|(?:background|introduction|appendix|annex) (?!(?:\d|\S(?: |$)|[ivx]+$|to|of|on|for|and|in|information|info|context|reading|material|research|note|section|knowledge)\b).+)$/;

/** One of several ways, not marked as the one that is taken: "Option B: VPN". */
const OPTION =
  /^(?:option|alternative) (?:[a-e]|\d)\b(?!.*(?:\b(?:preferred|recommended|chosen|selected|accepted|winner)\b|✅))/i;

/** Whether a section is one of several ways that are weighed. */
function isOption({ description, complete }: DocumentItem): boolean {
  return OPTION.test(description) && !complete;
}

/** Whether a section says what speaks for an option, and what against it. */
function weighsOption({ children }: DocumentItem): boolean {
  return children.some(
    ({ kind, description }) =>
      kind === 'heading' && /^(?:pro|con|advantage|disadvantage)$/.test(normalizedHeading(description)),
  );
}

/** What a section is whose heading is none of those that are known: its last word may tell. */
function kindOfUnknown({ description, children, ...item }: DocumentItem, isClaimed: boolean): SectionKind {
  if (isClaimed && isClaim(description) && !children.some(isTold)) return 'context';
  const told = kindByLastWord(description);
  if (told === undefined || told === 'container') return told ?? 'work';
  const isWork =
    holdsTasks({ ...item, description, children }) ||
    (told === 'weak' &&
      (readsLikeWork(children) || (/\bnotes?$/i.test(description) && areTold(children, false))));
  return isWork ? 'work' : 'context';
}

/** What a section of a decision record, an RFC or a post-mortem is: what it explains is no work. */
function recordKind(item: DocumentItem, inReadme: boolean): SectionKind {
  const { description, children } = item;
  if (holdsActions(item)) return 'container';
  const known = sectionKind(description, inReadme);
  if (known === 'acceptance' || known === 'out_of_scope') return known;
  if (description.endsWith('?')) return 'context';
  if (tasksIn([item]).length > 0) return 'container';
  const hasActions = headings(children).some(holdsActions);
  return isDesign(item, inReadme) || hasActions ? 'container' : 'context';
}

/** What the parts of a goal say of it where they are no goals; null where they are. */
export function explanationOf(
  item: DocumentItem,
  kind: SectionKind,
  above: Above,
  reader: Reader,
): 'facts' | 'code' | 'flow' | 'criteria' | null {
  if (kind !== 'work' || reader.choice.all === true) return null;
  const isShown = item.kind === 'heading' && SHOWN.test(item.description) && !holdsTasks(item);
  if (isShown && !item.children.some(isTold)) return 'facts';
  if (reader.specification === 'by_section' && describesPart(item)) return 'facts';
  if (areFacts(item.children) || specifies(item, reader.lines)) return 'facts';
  const mayDescribe =
    item.kind === 'item' || reader.kind === 'record' || (reader.tells && above.holdsWork !== true);
  if (mayDescribe && describeCode(item.children, reader.lines)) return 'code';
  if (areDefined(item, reader.lines)) return 'facts';
  if (above.holdsWork !== true && isFlow(item)) return 'flow';
  return areCriteriaOf(item, item.children) ? 'criteria' : null;
}

/** What somebody is to read, see or hear as it stands: its lines are no work. */
const SHOWN =
  /^slide \d|\b(?:copy|wording|(?:sample|example) (?:message|text|dialog(?:ue)?|output|conversation|prompt|email|response|quer(?:y|ie)|question)|(?:email|message|notification|error|ui) text|talking point|system prompt)s?$/i;

/** Whether a section without goals explains, in a document that tells elsewhere what to do. */
export function explainsOnly(item: DocumentItem, above: Above, reader: Reader): boolean {
  const { kind, description, detail = '', children } = item;
  return (
    kind === 'heading' &&
    ((reader.kind === 'record' && isActionSection(above.heading)) ||
      (reader.tells && above.holdsWork !== true)) &&
    (detail !== '' || children.length > 0) &&
    // A part of a specification is built as its list says.
    (reader.specification !== 'by_section' || children.length === 0) &&
    sequenceNumber(description) === null &&
    !runsCommands(item) &&
    !children.some(isFaultSection) &&
    !namesFaults(above.heading) &&
    !TICKET.test(description) &&
    !isTold({ ...item, description: readItemName(description).text, children: [] }) &&
    !proseTells(detail)
  );
}

/** The number of a ticket, which is there to be worked on whatever its text says. */
const TICKET =
  /^\W?(?:(?:issue|bug|defect|fault) ?#?\d|(?:issue|bug|defect|fault|feat(?:ure)?|task|story|epic|ticket|todo|chore)-\d|#\d)/i;

/** Whether a numbered section shows commands to run. */
export function runsCommands({ description, detail = '' }: DocumentItem): boolean {
  return /^\d{1,3}[.)] /.test(description) && /^ {0,3}(?:`{3,}|~{3,}) ?(?:ba|z)?sh\b/m.test(detail);
}
