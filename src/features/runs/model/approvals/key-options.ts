/** A time of an allowed-signers file: as it is written there, and in milliseconds since 1970. */
interface KeyTime {
  readonly text: string;
  readonly at: number;
}

/** What an allowed-signers file says of a key. */
export interface KeyOptions {
  /** Whether it signs certificates, whose keys approve, and does not approve itself. */
  readonly isAuthority: boolean;
  /** For which kinds of signatures it counts; null for all. */
  readonly namespaces: string | null;
  readonly validAfter: KeyTime | null;
  readonly validBefore: KeyTime | null;
}

const OPTION = /(cert-authority)|(namespaces|valid-after|valid-before)="([^"]*)"/iy;
const TIME = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z|UTC)?$/i;

/** The options of a key, each said once; else what is wrong with them. @param text `cert-authority,namespaces="git"` */
export function keyOptionsOf(text: string): KeyOptions | string {
  const said = new Map<string, string>();
  // Behind a comma there is another.
  for (let at = text === '' ? 1 : 0; at <= text.length;) {
    OPTION.lastIndex = at;
    const [whole, flag, name = flag, value = ''] = OPTION.exec(text) ?? [];
    if (whole === undefined || name === undefined) return 'has an option that is not known';
    const key = name.toLowerCase();
    if (said.has(key)) return `has the option ${key} twice`;
    said.set(key, value);
    at += whole.length;
    if (at < text.length && text[at] !== ',') return 'has an option that is not known';
    at += 1;
  }
  const [validAfter, validBefore] = [timeOf(said.get('valid-after')), timeOf(said.get('valid-before'))];
  if (validAfter === undefined || validBefore === undefined)
    return 'has a time that is not one: 20270131 or 202701311530Z are';
  const namespaces = said.get('namespaces') ?? null;
  return { isAuthority: said.has('cert-authority'), namespaces, validAfter, validBefore };
}

/** Null where none is said; undefined for what is no time. */
function timeOf(text: string | undefined): KeyTime | null | undefined {
  if (text === undefined) return null;
  const found = TIME.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const parts = [year, month - 1, day, hours, minutes, seconds] as const;
  const isUtc = found[7] !== undefined;
  const date = new Date(isUtc ? Date.UTC(...parts) : new Date(...parts).getTime());
  const isThere = isUtc
    ? date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    : date.getMonth() === month - 1 && date.getDate() === day;
  return isThere && hours < 24 && minutes < 60 && seconds < 61 ? { text, at: date.getTime() } : undefined;
}
