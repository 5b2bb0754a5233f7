import type { Result } from '../../plan/events/result.js';
import type { Digest } from '../../plan/schema.js';

/** What a digest is made of: the text of it, and what was named outright as a decision or an artifact. */
export interface DigestSource {
  readonly text: string;
  readonly decisions: readonly string[];
  readonly artifacts: readonly string[];
}

/** The part of a digest that carries its content. */
export type DigestContent = Pick<Digest, 'summary' | 'key_decisions' | 'artifacts'>;

/** What was submitted with a finished goal, as the source of its digest; null when nothing was. */
export function sourceOfResult(result: Result | undefined): DigestSource | null {
  if (result === undefined) return null;
  const { summary = '', decisions = [], artifacts = [], text = '', commits = [] } = result;
  const subjects = commits.map(({ subject }) => `- ${subject}`).join('\n');
  const source = {
    text: [summary, text, subjects].filter((part) => part.trim() !== '').join('\n\n'),
    decisions: distinct(decisions),
    artifacts: distinct(artifacts),
  };
  return sourceText(source) === '' ? null : source;
}

/** The digests of a goal's children, in their order, as the source of its own. */
export function sourceOfDigests(digests: readonly DigestContent[]): DigestSource {
  return {
    text: digests
      .map(({ summary }) => summary.trim())
      .filter((summary) => summary !== '')
      .join('\n\n'),
    decisions: distinct(digests.flatMap(({ key_decisions }) => key_decisions)),
    artifacts: distinct(digests.flatMap(({ artifacts }) => artifacts)),
  };
}

/** A source, or a digest, written out: what its tokens are counted of. */
export function sourceText(content: DigestSource | DigestContent): string {
  const [text, decisions] =
    'text' in content ? [content.text, content.decisions] : [content.summary, content.key_decisions];
  return [text, ...decisions, ...content.artifacts].filter((part) => part.trim() !== '').join('\n');
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
