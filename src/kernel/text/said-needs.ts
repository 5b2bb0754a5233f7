/** Words right before "blocked by" that take it back: "is not", "no longer", "used to be". */
const DENIED =
  /(?:\b(?:not|cannot|(?:do|does|is|are|was|were|wo)nt|never|no|nothing|none|nobody|neither|nor|hardly|without|instead of|rather than|used to|was|were|had|formerly|previously|originally|once|un-?)|n['’]t)(?:\s(?:be|been|being|have|has|had|need|it|to|in fact|at all|any ?more|any longer|longer|hard|more|yet|now|even|really|(?!only|merely|solely|simply)[a-z]{2,12}ly)){0,4}[\s-]?$/i;
/** Words right behind it that say that it is over: ", now free". */
const OVER =
  /^[\s,;:([–—-]{0,4}(?:(?:but|and|which|that|this|it)\s){0,2}(?:(?:is|are|was|were|has been|have been)\s)?(?:(?:now|already|since|meanwhile)\s){0,2}(?:free|unblocked|resolved|lifted|done|gone|removed|solved|fixed|closed|merged|dropped|not any ?more|no longer|no more|any ?more)\b(?!\s(?:by(?! now)|before|when|until|once|first|in)\b)/i;
const STRUCK = /~~[^~]{1,500}~~/g;

/**
 * Returns what a text says that something waits for: all that `needs` finds in its first group, but what is struck through,
 * denied ("not blocked by #12"), or was so once ("used to depend on #12", "blocked by #12, now free").
 */
export function saidNeeds(text: string, needs: RegExp): readonly string[] {
  const said = text.replaceAll(STRUCK, '');
  return [...said.matchAll(needs)].flatMap(({ 0: whole, 1: list = '', index }) => {
    const isDenied = DENIED.test(said.slice(Math.max(0, index - 60), index));
    return isDenied || OVER.test(said.slice(index + whole.length, index + whole.length + 60)) ? [] : [list];
  });
}

/** Whether a text says behind a comma or a dash that what it says before is over: "the door, now free". */
export function saysOver(text: string): boolean {
  return [...text.matchAll(/[,;–—]/g)].some(({ index }) => OVER.test(text.slice(index, index + 60)));
}

/** What stands between the first and the last of several numbers. */
const TO = String.raw`(?: ?(?:[-–—]|\.{2,3}) ?| (?:to|through) )`;

/** Makes the source of a pattern for a number, or all from one to another: "#12–#14", "#12-14". */
export function rangeOf(number: string): string {
  return String.raw`${number}(?:${TO}${number}|(?:[-–—]|\.{2,3})\d{1,6})?(?![\w-])`;
}

/** More numbers than these no range has: one of its ends is mistyped. */
const MOST = 1000;

/** Returns all numbers that "#12–#14", "T008-T010" or "#12-14" spans, the ends among them; null for what spans nothing. */
export function spanned(said: string): readonly string[] | null {
  const [, prefix = '', first = '', between = '', end = ''] =
    /^(\D{0,14}(?:\d{1,4}\.){0,4})(\d{1,9})(\D.{0,20}?)(\d{1,9})$/.exec(said) ?? [];
  const again = between.replace(/^(?: ?(?:[-–—]|\.{2,3}) ?| (?:to|through) )/, '');
  const isSame = again !== between && (again === '' || again.toLowerCase() === prefix.toLowerCase());
  const length = Number(end) - Number(first) + 1;
  if (!isSame || length < 2 || length > MOST) return null;
  return Array.from(
    { length },
    (_, index) => prefix + String(Number(first) + index).padStart(first.length, '0'),
  );
}
