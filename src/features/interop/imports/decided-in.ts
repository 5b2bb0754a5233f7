import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ToldDecision } from '../told.js';
import { readSections } from './section-text.js';

const OPEN = /\[NEEDS CLARIFICATION:?([^\]\n]{0,500})\]/gi;
const FIELD = /^\*\*([^*\n]{1,80})\*\*:[ \t]*(\S.*)$/;

/**
 * Returns what documents say of decisions, where they stay as text too: the fields of a technical context, what needs
 * clarification, and the items under “Open Questions”.
 */
export function decidedIn(documents: readonly string[]): readonly ToldDecision[] {
  return documents.flatMap((text) => {
    const sections = readSections(text);
    const technical = sections.take(({ under }) => under.some((name) => /^Technical Context$/i.test(name)));
    const questions = sections.takeItems((name) => /^Open Questions$/i.test(name));
    const fields = technical.split('\n').flatMap((line): readonly ToldDecision[] => {
      const [, what, said = ''] = FIELD.exec(line) ?? [];
      if (what === undefined || /^(?:N\/A|none)\b/i.test(said)) return [];
      const isOpen = said.startsWith('[') || /\bNEEDS CLARIFICATION\b/.test(said);
      return [{ what: oneLine(what), choice: isOpen ? null : oneLine(said), confirmed: true }];
    });
    const unclear = [...sections.rest().matchAll(OPEN)].map(([, what = '']) => oneLine(what));
    const open = [...unclear, ...questions.map(oneLine)].filter((what) => what !== '');
    return [...fields, ...open.map((what) => ({ what, choice: null, confirmed: true as const }))];
  });
}
