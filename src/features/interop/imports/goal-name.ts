/** Returns what a goal of another tool is called: by its title, else by the first line of what it says, else by its number. */
export function goalName(title: unknown, text: unknown, number: string): string {
  if (typeof title === 'string' && title.trim() !== '') return title;
  const lines = typeof text === 'string' ? text.split('\n') : [];
  return lines.map((line) => line.trim()).find((line) => line !== '') ?? number;
}
