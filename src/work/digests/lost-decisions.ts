import { mainClause } from './candidates.js';
import type { DigestContent, DigestSource } from './digest-source.js';
import { readSourceFacts, tellsChoice } from './facts.js';
import type { Fidelity } from './fidelity.js';

/**
 * Lists the decisions of a source that a digest does not hold whole, in their words and order: neither the decision itself
 * stands there, nor does all that it tells. The words that a decision shares with another are no proof: "orders listen on 8081"
 * and "bills listen on 8082" share most of theirs.
 */
export function lostDecisions(
  source: DigestSource,
  { key_decisions }: DigestContent,
  { missing }: Fidelity,
): readonly string[] {
  const sentences = readSourceFacts(source);
  const firstDecision = sentences.length - source.decisions.length;
  const kept = new Set(key_decisions);
  const lacking = new Set(missing.flatMap((fact) => fact.sentences));
  const lost = sentences.flatMap((sentence, position) => {
    const { text } = sentence;
    if (!lacking.has(position) || (position < firstDecision && !tellsChoice(sentence))) return [];
    return kept.has(text) || kept.has(mainClause(text) ?? text) ? [] : [text];
  });
  return [...new Set(lost)];
}
