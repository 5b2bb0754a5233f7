/** The id of an event in the text of its line, also of one that this version cannot read; empty where there is none. */
export function eventIdIn(text: string): string {
  const event: unknown = JSON.parse(text);
  return typeof event === 'object' && event !== null && 'id' in event ? String(event.id) : '';
}
