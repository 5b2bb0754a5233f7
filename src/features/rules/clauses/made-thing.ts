import { isAdjective } from '../../../planning/documents/english/adjectives.js';
import { isDeterminer } from '../../../planning/documents/english/lexicon.js';
import { readGoal } from './goal-words.js';

/** What a goal does, and to what. */
export interface Doing {
  /** As the goal has it: "Build", "Set up". */
  readonly verb: string;
  /** What it is done to, as one speaks of it afterwards: "the REST API", "authentication"; empty when nothing is named. */
  readonly thing: string;
  /** Whether an article or the like stood before it, so that it is one thing rather than a stuff: "a bot", "logging". */
  readonly isThing: boolean;
  /** Where the words about the thing end in the goal's text. */
  readonly end: number;
}

const TWO_WORDS =
  /^(?:set|roll|spin|build|clean|clear|tidy|back|write|put|carry|speed|break|work|sort|figure|empty|tear|rip|take|pull|strip|pick|draw|lay|fit|dig|fix|do|pack|fill|close|open|wind|shut|print|cut|map|plan|hand|give|throw|mark|measure|type|start)\s+(?:up|out|down|together|over|away|off)\b/i;
/** What is said of a thing once and not each time that it is named: "a fast and secure API". */
const PRAISE =
  /^((?:the|our|my|your|its|their)?\s*)(?:(?:very|really|fully|truly)\s+)?(?:fast|secure|simple|small|big|large|clean|robust|modern|safe|cheap|quick|lean|lightweight|new|brand-new|fresh|smart|easy|beautiful|pretty|nice|good|great|scalable|reliable|minimal|basic|complete|full-featured|production-ready|high-quality|user-friendly|responsive|accessible|little|tiny|stable)(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+)(?=\S)/i;
const ARTICLE = /^(?:an?|some|one|another)\s+/i;

/**
 * Reads from an imperative the verb and the thing that is made or done: up to the first preposition, comma or
 * clause.
 */
export function readDoing(goal: string): Doing {
  const { text, words } = readGoal(goal);
  const verb = TWO_WORDS.exec(text)?.[0] ?? /^\S+/.exec(text)?.[0] ?? '';
  const first = words.findIndex(({ start }) => start >= verb.length);
  const object = words.slice(Math.max(first, 1));
  const until = object.findIndex(
    ({ ends, normal }, index) =>
      ends && !(isAdjective(normal) && isAdjective(object[index - 1]?.normal ?? '')),
  );
  const last = object[until < 0 ? object.length - 1 : until - 1];
  const end = last?.end ?? verb.length;
  const said = first < 0 ? '' : text.slice(object[0]?.start ?? end, end).trim();
  const isThing = isDeterminer(said.split(/\s+/)[0] ?? '');
  return { verb, thing: withoutPraise(said.replace(ARTICLE, 'the ')), isThing, end };
}

function withoutPraise(thing: string): string {
  const plain = thing.replace(PRAISE, '$1');
  return plain === thing ? thing : withoutPraise(plain);
}
