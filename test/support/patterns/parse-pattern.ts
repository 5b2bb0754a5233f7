/** A part of a regular expression, as far as texts are made of it. */
export type Part =
  /** One character: as it stands, escaped, a class or a dot. */
  | { readonly kind: 'character'; readonly source: string }
  /** What takes no character: `^`, `$`, `\b`. */
  | { readonly kind: 'edge'; readonly mark: string }
  /** What looks ahead or back. */
  | { readonly kind: 'look'; readonly part: Part }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  /** A group, by the number or name that refers back to it; null for one that nothing can refer to. */
  | { readonly kind: 'group'; readonly names: readonly string[]; readonly part: Part }
  | { readonly kind: 'back'; readonly name: string }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number; readonly most: number };

/** What begins a group, a class, a character or a mark. */
const TOKEN =
  /\\(?:[bB]|k<(?<named>[^>]*)>|(?<back>[1-9]\d*))|(?<look>\(\?<?[=!])|(?<open>\((?:\?:|\?[a-z-]+:|\?<(?<name>[^>]*)>)?)|(?<one>\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])|[^()|^$])|[()|^$]/uy;
const COUNT = /(?:[*+?]|\{(?<least>\d+)(?<more>,(?<most>\d*))?\})\??/uy;

/** Reads the source of a regular expression that compiles. */
export function parsePattern(source: string): Part {
  let at = 0;
  let groups = 0;
  const matchHere = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  };
  const choice = (): Part => {
    const parts = [sequence()];
    while (source[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  };
  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(counted(single()));
    return { kind: 'sequence', parts };
  };
  const single = (): Part => {
    const token = matchHere(TOKEN);
    if (token === null) throw new Error(`what is at ${at} of ${source}?`);
    const { named, back, look, open, name, one } = token.groups ?? {};
    if (one !== undefined) return { kind: 'character', source: one };
    const reference = named ?? back;
    if (reference !== undefined) return { kind: 'back', name: reference };
    if (look === undefined && open === undefined) return { kind: 'edge', mark: token[0] };
    const isCaptured = open === '(' || name !== undefined;
    if (isCaptured) groups += 1;
    const names = isCaptured ? [String(groups), ...(name === undefined ? [] : [name])] : [];
    const part = choice();
    at += 1;
    return look === undefined ? { kind: 'group', names, part } : { kind: 'look', part };
  };
  const counted = (part: Part): Part => {
    const count = matchHere(COUNT);
    if (count === null) return part;
    const { least, more, most } = count.groups ?? {};
    const sign = count[0][0];
    if (least === undefined)
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    const end = more === undefined ? Number(least) : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', part, least: Number(least), most: end };
  };
  return choice();
}
