import { isExactNumber, isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';

/**
 * A value as Python prints what `json.load` makes of it: `{'a': [1, True, None]}`. Plan-Lint matches its patterns
 * against this text. Printing of floats is JavaScript's, which differs for very large and very small ones.
 */
export function pythonText(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (isExactNumber(value)) return exactNumber(String(value));
  if (typeof value === 'string') return pythonString(value);
  if (isJsonList(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (!isJsonObject(value)) return '';
  const members = Object.entries(value).map(([key, member]) => `${pythonString(key)}: ${pythonText(member)}`);
  return `{${members.join(', ')}}`;
}

function exactNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text;
  const number = Number(text);
  if (Number.isInteger(number) && Math.abs(number) < 1e16)
    return `${Object.is(number, -0) ? '-0' : number}.0`;
  return Number.isFinite(number) ? String(number) : number > 0 ? 'inf' : '-inf';
}

function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replaceAll(/[\\'\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u00A0]/gu, (character) =>
    escaped(character, quote),
  );
  return `${quote}${body}${quote}`;
}

function escaped(character: string, quote: string): string {
  if (character === "'") return quote === "'" ? "\\'" : "'";
  const known: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (known[character] !== undefined) return known[character];
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
