/** A reason behind a sentence: `: reason`, or nothing. */
export function withReason(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `: ${text}`;
}
