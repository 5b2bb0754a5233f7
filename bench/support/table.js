/**
 * Prints a table: the first column to the left, numbers to the right. A last column of targets is only
 * shown beside what was measured; nothing fails because of it.
 * @param {string} title
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function printTable(title, head, rows) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const lineOf = (/** @type {readonly string[]} */ cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  console.log([`\n${title}`, lineOf(head), rule, ...rows.map(lineOf)].join('\n'));
}

/** @param {number} value */
export const ratio = (value) => value.toFixed(2);

/** @param {number} value */
export const percent = (value) => `${(value * 100).toFixed(1)} %`;

/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString('en');

/** @param {number} value */
export const milliseconds = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
