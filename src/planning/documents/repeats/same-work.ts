import { contentStems } from '../../../kernel/text/content-stems.js';
import type { DocumentItem } from '../document-item.js';
import { isVerb } from '../english/lexicon.js';
import { readItemName } from '../item-names.js';

/** How many pairs are compared at most: longer documents keep what they tell twice. */
export const MOST = 1_000_000;

/** Words that say of no work what it is about. */
export const GENERIC: ReadonlySet<string> = new Set(
  contentStems(
    `implement implementation integrate integration integrated function functionality functional system systems basic full core
    simple enhanced enhance initial feature features support add create build develop development set setup complete app
    application page screen user users able new advanced manage management improve improvements data use provide
    test tests testing document documentation deploy deployment design ui ux update make allow enable module component service
    project work task handle handling main key general additional optional mvp first version phase`,
  ),
);

/** How a story begins, before what is wanted. */
export const STORY =
  /^\W*As an? .{1,200}?,? I(?: would|['’]d)? (?:want|need|like|can|wish|should)(?: to)?\b/i;

/** Whether one of two goals may be the other in other words: not where one is a box, nor where they are done by other deeds. */
export function maySaySame(one: DocumentItem, other: DocumentItem): boolean {
  if (areSameWords(one, other)) return true;
  if (one.isTask === true || other.isTask === true) return false;
  const deeds = [one, other].map(deedOf);
  return deeds.every((each) => each === deeds[0]) || deeds.every((each) => each === '' || MAKING.has(each));
}

/** Verbs that say of a thing no more than that there is to be one. */
const MAKING = new Set(
  contentStems(
    `implement integrate add create build develop set setup complete use provide make allow enable support introduce write
    design show display view see manage handle define configure include offer have get`,
  ),
);

/** The verb that a goal begins with, and what turns its meaning: "turn off"; empty where it has neither. */
function deedOf({ description }: DocumentItem): string {
  const { text } = readItemName(description.replace(STORY, ''));
  const [, first = '', next] = /^([^\s:(]+)(?:\s+(\S+))?/.exec(text) ?? [];
  // "Export of sheets" is a thing.
  const verb = isVerb(first) && next !== 'of' ? (contentStems(first)[0] ?? '') : '';
  return [verb, ...(text.toLowerCase().match(TURNS) ?? [])].filter((word) => word !== '').join(' ');
}

const TURNS = /(?<![\p{L}\p{N}])(?:off|out|down|no|not|never|without|before|after)(?![\p{L}\p{N}])/gu;

export function areSameWords(one: DocumentItem, other: DocumentItem): boolean {
  const [first, second] = [one, other].map(({ description }) =>
    readItemName(description)
      .text.toLowerCase()
      .match(/[\p{L}\p{N}]{1,1000}/gu)
      ?.join(' '),
  );
  return first === second;
}
