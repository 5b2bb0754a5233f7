/** What a document calls a goal, without the marks that it is listed by. */
export interface ItemName {
  readonly text: string;
  /** Its number and priority in the document: "FR-001", "T012", "P1". */
  readonly tags: readonly string[];
  /** Marked as one that may be done beside its neighbours, as `[P]` does. */
  readonly parallel: boolean;
}

const PREFIXES = 'FR|NFR|US|REQ|AC|SC|TASK|STORY|EPIC|BR|UC|TC|FEAT|BUG|ISSUE|SYS|UR|SR|TR|DR|SEC|PERF|F|R|T';
const NUMBERED = /^(?:\d+(?:\.\d+)+[.)]?|\d+[.)])\s+(?=\S)/;
const ID = new RegExp(
  String.raw`^[[(]?(#\d+|T\d{3,5}|(?:${PREFIXES})(?:-[A-Z]{2,12}){0,2}-?\d+(?:[.-]\d+)*[a-z]?)(?!\d)[\])]?(?!\s*[–—-]\s*[A-Z]{0,5}-?\d)(?:\s*[:.)–—]\s*|\s+[-–—]\s+|(?<=T\d{3,5}|#\d+)\s+|(?<=[\])])\s+|(?<=(?:FR|NFR|REQ|US)-\d+)\s+)(?=\S)`,
);
const KIND_AND_ID =
  /^(?:(user\s+story|story|requirement|feature|epic|task|use\s+case)\s+)(\d[\w.]*)\s*[:–—.-]\s+(?=\S)/i;
const KIND = /^(?:requirement|feature|epic|task|user\s+story|story|use\s+case|issue|ticket)\s*:\s+(?=\S)/i;
const MARK = /^\[(P|US\d+|[A-Z]{2,6}-?\d*)\]\s+(?=\S)/;
const PRIORITY =
  /[([]\s*(?:(?:priority|prio)\s*(?:[:=]\s*)?)?(P[0-4]|(?:must|should|could|won[’']t)(?:[\s-]+have)?|high|medium|low|critical|optional)\s*[)\]]\s*$/i;
const ADVICE = /\*?\((?:mandatory|required|include if [^()]*)\)\*?\s*$/i;
const MVP = /🎯\s*\bMVP\b\s*$|[([]MVP[)\]]\s*$/;
const ABBREVIATED: Readonly<Record<string, string>> = { 'user story': 'US', story: 'US', 'use case': 'UC' };

/**
 * Reads the name of a heading or an item: "T001 [P] [US1] Create the model" is "Create the model" with two tags.
 *
 * @param hasOwnNumber whether the number that it begins with belongs to what it says
 */
export function readItemName(description: string, hasOwnNumber = false): ItemName {
  const tags: string[] = [];
  let parallel = false;
  let text = description.trim();
  const take = (pattern: RegExp, tagsOf: (match: RegExpExecArray) => readonly string[]): boolean => {
    const match = pattern.exec(text);
    const rest = match === null ? '' : text.replace(pattern, '').trim();
    if (match === null || !/\p{L}/u.test(rest)) return false;
    for (const each of tagsOf(match)) tags.push(each);
    text = rest;
    return true;
  };
  take(/^\[[ xX]\]\s+/, () => []);
  if (!hasOwnNumber) take(NUMBERED, () => []);
  const isTask = take(ID, ([, id = '']) => [id]);
  take(KIND_AND_ID, ([, kind = '', id = '']) => [shortOf(kind, id)]);
  take(KIND, () => []);
  const takeMark = () =>
    take(MARK, ([, mark = '']) => {
      parallel ||= mark === 'P';
      return mark === 'P' ? [] : [mark];
    });
  if (isTask) while (takeMark());
  take(ADVICE, () => []);
  take(MVP, () => ['MVP']);
  take(PRIORITY, ([, priority = '']) => [priority]);
  take(MVP, () => ['MVP']);
  return { text: text.replace(/^\*\*|\*\*$/g, ''), tags: [...new Set(tags)], parallel };
}

function shortOf(kind: string, id: string): string {
  const name = kind.toLowerCase().replace(/\s+/g, ' ');
  const short = ABBREVIATED[name];
  return short === undefined ? `${name} ${id}` : `${short}${id}`;
}

const SEQUENCE =
  /^(?:.*?\b|)(phase|milestone|sprint|stage|step|iteration|week|day|month|wave|increment|release|round|m|q)\s*(?:[-#]\s*)?(\d+(?:\.\d+)*|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten)\b/i;
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ROMAN = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];

/**
 * The number that the name of an item gives it in a sequence: "Phase 2: Import" is number 2 of the phases. Null
 * for what is no part of a sequence.
 */
export function sequenceNumber(
  description: string,
): { readonly word: string; readonly position: readonly number[] } | null {
  const match = SEQUENCE.exec(description.replace(NUMBERED, '').slice(0, 40));
  const [whole = '', word = '', number = ''] = match ?? [];
  if (
    match === null ||
    !/^\P{L}*$/u.test(whole.slice(0, whole.toLowerCase().lastIndexOf(word.toLowerCase())))
  )
    return null;
  // "M-3.1" is the number of a task, "M3" that of a milestone.
  if (word.length === 1 && number.includes('.')) return null;
  const lower = number.toLowerCase();
  const named = Math.max(WORDS.indexOf(lower), ROMAN.indexOf(lower));
  const position = /^\d/.test(number) ? number.split('.').map(Number) : [named];
  return position[0] === -1 ? null : { word: word.toLowerCase(), position };
}
