/** A text in well-formed Unicode: halves of characters, such as cutting leaves, are replaced. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
