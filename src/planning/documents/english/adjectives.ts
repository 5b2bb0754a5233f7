const ADJECTIVES = new Set(
  `fast secure simple small big large clean robust modern safe stable cheap quick lean light lightweight public private internal
  external new old good strong fresh full free real live open smart easy short long low high friendly tested typed`.split(
    /\s+/,
  ),
);

/** Whether `word` is, by a short list and its ending, an adjective: "fast", "scalable", "responsive". */
export function isAdjective(word: string): boolean {
  return ADJECTIVES.has(word) || /(?:able|ible|ive|ful|less|ous|al|ant|ent|ic)$/.test(word);
}
