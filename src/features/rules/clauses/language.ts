import { leadingVerb, readGoal } from './goal-words.js';
import { isVerb } from '../../../planning/documents/english/lexicon.js';

/** Words of other languages that hardly stand in an English sentence. */
const FOREIGN = new Set(
  `der die das den dem ein eine einen einer und oder mit für auf aus bei nach von zu zum zur nicht ist sind wir ich
  le la les un une des du de et ou avec pour dans sur sans est nous vous aux
  el los las una unos y con para por sin en del que nuestro
  il lo gli uno e con per di della nel che sono
  o os um uma com para sem da do dos das em não
  het een en met voor van naar niet de
  och ett med för till inte på av
  i z na do dla oraz bez się nie w ve bir ile için`.split(/\s+/),
);
/** Words that are English too; they say nothing. */
const SHARED = new Set('a i o e en on per do die das sur de con no in is la le da y des'.split(' '));

/** Whether a text is, as far as its letters and small words tell, in another language than English. */
export function isOtherLanguage(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return false;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return true;
  const goal = readGoal(text);
  if (isVerb(leadingVerb(goal))) return false;
  const words = text.toLowerCase().match(/(?<![^\s("'„“])\p{L}+(?![^\s,.;:!?)"'”])/gu) ?? [];
  const foreign = words.filter((word) => FOREIGN.has(word));
  const sure = foreign.some((word) => !SHARED.has(word)) || foreign.length > 1;
  return sure && !words.some((word) => /^(?:the|and|with|for|of|to|an|our|my|your)$/.test(word));
}
