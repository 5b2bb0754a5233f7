import type { DocumentItem } from './document-item.js';
import { normalizedHeading } from './kinds/heading-kinds.js';

/** Last words of headings below which nothing is work, whatever the heading above them plans: "Quality metrics". */
const MEASURES =
  /^(?!(?:add|build|create|define|design|document|fix|improve|implement|make|show|update|write|track|collect|expose|record|report)\b)(?:\S+ ){0,3}(metric|kpi|glossary|glossary of term|assumption)$/;
/** What metrics tell how well a plan did, and not what a program counts: "Prometheus metrics" are built. */
const OF_SUCCESS =
  /\b(?:success|quality|key|business|product|project|team|process|engagement|adoption|growth|retention|revenue|usage|user|customer|satisfaction|outcome|impact|target|guardrail|evaluation|primary|secondary|leading|lagging)\b/;
/** A figure to be reached: "less than 2 seconds", "99.9%", "< 5". */
const TARGET =
  /\d ?(?:%|(?:percent|ms|seconds?|s|minutes?|min|hours?|days?|weeks?|x)\b)|[<>≤≥=] ?\$?\d|\b(?:under|below|over|above|within|than|least|most|to|of) \$?\d/i;

/** Whether a section only says what is measured, assumed or meant. */
export function onlyMeasures({ description, children }: DocumentItem): boolean {
  const name = normalizedHeading(description);
  const measure = MEASURES.exec(name)?.[1];
  if (measure !== 'metric' || name === 'metric' || OF_SUCCESS.test(name)) return measure !== undefined;
  const items = leaves(children);
  return items.filter((item) => TARGET.test(item.description)).length * 2 > items.length;
}

function leaves(items: readonly DocumentItem[]): readonly DocumentItem[] {
  return items.flatMap((item) => (item.children.length === 0 ? [item] : leaves(item.children)));
}
