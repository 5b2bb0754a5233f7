/** `text` without the key and other secrets, in an error or a message, also where JSON escapes them. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce(
      (left, secret) => left.replaceAll(new RegExp(Array.from(secret, inAnyWriting).join(''), 'g'), '[key]'),
      text,
    );
}

// A character as it stands, after backslashes, or as the escape of one JSON text within another. Their number is
// bounded, for a text of nothing but backslashes must not take long.
function inAnyWriting(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = Array.from(code, (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  return `\\\\{0,4}(?:\\u${code}|(?<=\\\\)u${digits})`;
}

/** A reply without them: a key such as `none` or `ollama`, which local servers are given, is a word that it may well hold. */
export function scrubReply(text: string, secrets: readonly string[]): string {
  return scrub(
    text,
    secrets.filter(({ length }) => length >= 16),
  );
}
