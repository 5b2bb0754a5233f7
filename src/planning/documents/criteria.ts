import type { DocumentItem } from './document-item.js';
import { sectionKind } from './kinds/heading-kinds.js';
import { readItemName } from './item-names.js';
import { isScenario, scenarioLength, scenarioText } from './scenarios.js';

/** The heading of a scenario, up to its name. */
export const SCENARIO =
  /^(?:(?:scenario|example)(?: outline)?|szenario|scénario|escenario|cenário|сценарий|сценарій|场景|場景|シナリオ|시나리오)\s*(?:\d+\s*)?[:：–—-]\s*/i;
/** The criteria that a scenario holds: an item with all that is below it, a line each. */
export function scenarioLines({ description, children }: DocumentItem): readonly string[] {
  return [description, ...children.flatMap(scenarioLines)];
}

/** The paragraphs of a detail as criteria, a line each, without those that only lead in to something, if anything follows. */
export function paragraphsOf(detail: string, follows = true): readonly string[] {
  return detail
    .split(/\n{2,}/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .map((text) => (follows ? withoutLeadSentence(text) : text))
    .filter((text) => /\p{L}/u.test(text));
}

/** A paragraph of criteria without the sentence that leads in to what is below it. */
export function withoutLeadSentence(text: string): string {
  return /[:：]$/.test(text) ? (/^.*[.!?](?=\s)/s.exec(text)?.[0] ?? '') : text;
}

/** What stands in a section of criteria beside them: prose beside a list, and the headings of its parts. */
export function besideCriteria({ kind, detail, children }: DocumentItem): readonly string[] {
  if (kind !== 'heading' || children.length === 0) return [];
  const parts = children.filter((child) => child.kind === 'heading' && !SCENARIO.test(child.description));
  return [
    ...(detail === undefined ? [] : [detail]),
    ...parts.flatMap((part) => [part.description, ...besideCriteria(part)]),
  ];
}

/** The criteria of a section: each item one, a scenario one with all its steps. */
export function sectionCriteria(item: DocumentItem): readonly string[] {
  const { description, children, kind, detail } = item;
  const said = readItemName(description).text;
  const name = said.replace(SCENARIO, '');
  if (SCENARIO.test(said)) {
    const lines = [
      ...children.flatMap(scenarioLines),
      ...(children.length === 0 && detail !== undefined ? paragraphsOf(detail) : []),
    ];
    return [lines.length === 0 ? name : scenarioText(name, lines)];
  }
  const isAlone = children.length === 0 && detail === undefined;
  if (kind !== 'heading' && (isAlone || sectionKind(description, false) !== 'acceptance')) {
    const { text } = readItemName(description, item.hasOwnNumber);
    if (isScenario(text)) return [scenarioText(null, [text, ...children.flatMap(scenarioLines)])];
    return [children.length === 0 ? text : scenarioText(null, [text, ...children.flatMap(scenarioLines)])];
  }
  const criteria: string[] = [];
  for (let at = 0; at < children.length; at += 1) {
    const rest = children.slice(at);
    const length = scenarioLength(rest.map((child) => child.description));
    const [child] = rest;
    if (length > 1) criteria.push(scenarioText(null, rest.slice(0, length).flatMap(scenarioLines)));
    else if (child !== undefined) for (const each of sectionCriteria(child)) criteria.push(each);
    at += Math.max(0, length - 1);
  }
  return children.length === 0 && detail !== undefined ? paragraphsOf(detail) : criteria;
}
