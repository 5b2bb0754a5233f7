/** A number of a text. */
export interface TextNumber {
  /** As it is written, unit included. */
  readonly text: string;
  readonly value: number;
  /** The unit in one spelling, times in milliseconds and sizes in bytes; empty without one. */
  readonly unit: string;
  readonly start: number;
  readonly end: number;
}

/** Spellings of a unit, what it is called here, and what a value of it is multiplied by. */
const UNITS: readonly (readonly [pattern: string, unit: string, factor: number])[] = [
  ['µs|μs|us|microseconds?', 'ms', 0.001],
  ['ms|msecs?|milliseconds?', 'ms', 1],
  ['s|secs?|seconds?', 'ms', 1000],
  ['min|mins|minutes?', 'ms', 60_000],
  ['h|hrs?|hours?', 'ms', 3_600_000],
  ['d|days?', 'ms', 86_400_000],
  ['weeks?', 'ms', 604_800_000],
  ['months?', 'month', 1],
  ['years?', 'month', 12],
  ['B|bytes?', 'byte', 1],
  ['[kK]B|kilobytes?', 'byte', 1e3],
  ['MB|megabytes?', 'byte', 1e6],
  ['GB|gigabytes?', 'byte', 1e9],
  ['TB|terabytes?', 'byte', 1e12],
  ['KiB', 'byte', 1024],
  ['MiB', 'byte', 1024 ** 2],
  ['GiB', 'byte', 1024 ** 3],
  ['%|percent|per cent', '%', 1],
  ['[kK]|thousand', '', 1e3],
  ['M|million', '', 1e6],
  ['bn|billion', '', 1e9],
  ['x|×|times', '×', 1],
  ['px', 'px', 1],
  ['Hz', 'Hz', 1],
  ['kHz', 'Hz', 1e3],
  ['MHz', 'Hz', 1e6],
  ['GHz', 'Hz', 1e9],
  ['USD|dollars?', '$', 1],
  ['EUR|euros?', '€', 1],
];
const BY_SPELLING = UNITS.map(([pattern, unit, factor]) => ({
  spelling: new RegExp(`^(?:${pattern})$`),
  unit,
  factor,
}));
const UNIT = UNITS.map(([pattern]) => pattern).join('|');
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,#/-])((?<=^|[\s(])[-−])?([$€£])?(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d+)?(?![\p{N}_]|[.,]\d)` +
    `(?:[ \\u00A0\\u202F-]?(${UNIT})(?![\\p{L}\\p{N}])|(?![\\p{L}\\p{No}]))`,
  'gu',
);
const NAMED = new Map(
  Object.entries({ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 }).concat(
    Object.entries({ eleven: 11, twelve: 12, twenty: 20, thirty: 30, fifty: 50, hundred: 100 }),
  ),
);
const NAMED_NUMBER = new RegExp(
  `(?<![\\p{L}-])(${[...NAMED.keys()].join('|')})\\b(?:[ -](${UNIT})(?![\\p{L}\\p{N}]))?`,
  'giu',
);

const DATE = /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g;

/** The numbers of a sentence in order: digits with their units, ISO dates, and the commonest number words. */
export function numbersOf(sentence: string): readonly TextNumber[] {
  const dates = [...sentence.matchAll(DATE)].map((match) => {
    const span = { start: match.index, end: match.index + match[0].length };
    return { text: match[0], value: Number(match[0].replaceAll('-', '')), unit: 'date', ...span };
  });
  const withoutDates = sentence.replaceAll(DATE, (date) => ' '.repeat(date.length));
  const digits = [...withoutDates.matchAll(NUMBER)].map((match) => {
    const [, sign, money, whole = '', fraction = '', unit] = match;
    const value = Number(whole.replaceAll(',', '') + fraction) * (sign === undefined ? 1 : -1);
    return numberOf(match, value, unit, money);
  });
  const words = [...sentence.matchAll(NAMED_NUMBER)].map((match) =>
    numberOf(match, NAMED.get((match[1] ?? '').toLowerCase()) ?? 0, match[2], undefined),
  );
  return [...dates, ...digits, ...words].sort((a, b) => a.start - b.start);
}

function numberOf(
  match: RegExpExecArray,
  value: number,
  spelling: string | undefined,
  money: string | undefined,
): TextNumber {
  const known = BY_SPELLING.find((each) => spelling !== undefined && each.spelling.test(spelling));
  return {
    text: match[0],
    value: Number((value * (known?.factor ?? 1)).toPrecision(12)),
    unit: money ?? known?.unit ?? '',
    start: match.index,
    end: match.index + match[0].length,
  };
}
