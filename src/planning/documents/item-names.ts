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

const ABROAD =
  'meilenstein|schritt|etappe|woche|étape|jalon|semaine|fase|etapa|hito|paso|semana|iteración|marco|passo|iteração|этап|фаза|шаг|веха|спринт|неделя|итерация|阶段|階段|步骤|步驟|里程碑|迭代|冲刺|フェーズ|ステップ|段階|マイルストーン|スプリント|단계|마일스톤|스프린트|페이즈';
const HAN = '一二三四五六七八九十';
/** "Etappe 2: …", "阶段二：…"; and "第2阶段", "2단계", where the number stands first. */
const SEQUENCES_ABROAD = [
  new RegExp(
    String.raw`^[^\p{L}\p{N}]{0,8}(?<word>${ABROAD})\s{0,2}[-#№]?\s{0,2}(?<number>\d{1,4}(?:\.\d{1,4}){0,4}|[${HAN}]{1,3}|[ivx]{1,5}(?!\p{L}))(?![\p{N}\p{sc=Latin}\p{sc=Cyrillic}])`,
    'iu',
  ),
  new RegExp(
    String.raw`^[^\p{L}\p{N}]{0,8}(?:第|제)?\s?(?<number>\d{1,4}|[${HAN}]{1,3})\s?(?:个|個)?(?<word>阶段|階段|步|周|週|迭代|冲刺|フェーズ|ステップ|段階|スプリント|단계|주차|스프린트|차)(?![\p{L}\p{N}]{12})`,
    'iu',
  ),
];

/** Reads a number in words, Roman or Chinese; -1 for none. */
function numberIn(said: string): number {
  const lower = said.toLowerCase();
  const han = /^([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)$/.exec(lower);
  if (han === null) return Math.max(WORDS.indexOf(lower), ROMAN.indexOf(lower));
  const [tens = 0, ten = 0, ones = 0] = han.slice(1).map((sign) => (sign === '' ? 0 : HAN.indexOf(sign) + 1));
  return ten === 0 ? tens : 10 * Math.max(1, tens) + ones;
}

/**
 * The number that the name of an item gives it in a sequence: "Phase 2: Import" is number 2 of the phases. Null
 * for what is no part of a sequence.
 */
export function sequenceNumber(
  description: string,
): { readonly word: string; readonly position: readonly number[] } | null {
  const name = description.replace(NUMBERED, '').slice(0, 40);
  const match = SEQUENCE.exec(name);
  const [whole = '', word = '', number = ''] = match ?? [];
  const isFirst =
    match !== null && /^\P{L}*$/u.test(whole.slice(0, whole.toLowerCase().lastIndexOf(word.toLowerCase())));
  return isFirst ? placeIn(word, number) : sequenceAbroad(name);
}

function sequenceAbroad(name: string): ReturnType<typeof sequenceNumber> {
  const found = SEQUENCES_ABROAD.map((pattern) => pattern.exec(name)).find((match) => match !== null);
  return found === undefined ? null : placeIn(found?.groups?.['word'] ?? '', found?.groups?.['number'] ?? '');
}

function placeIn(word: string, number: string): ReturnType<typeof sequenceNumber> {
  // "M-3.1" is the number of a task, "M3" that of a milestone.
  if (word.length === 1 && number.includes('.')) return null;
  const position = /^\d/.test(number) ? number.split('.').map(Number) : [numberIn(number)];
  return position[0] === -1 ? null : { word: word.toLowerCase(), position };
}
