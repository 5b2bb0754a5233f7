import { wellFormed } from '../../../kernel/text/well-formed.js';
import { sha256 } from '../../../kernel/sha256.js';

/** Returns a title in small letters, digits and hyphens, of every script; of nothing that is left, `note-` and 8 digits. */
export function slugOf(title: string, maxLength: number): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return withoutEnds(cut(withoutEnds(words, '-'), maxLength), '-') || unnamed(title);
}

/** Returns a title as a name that paths accept and links can have. */
export function fileNameOf(title: string, maxLength: number): string {
  const plain = wellFormed(title.normalize('NFC'))
    .replaceAll(/\[\[([^[\]]*)\]\]/g, (_link, inner: string) => inner.slice(inner.lastIndexOf('|') + 1))
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f-\u009f:*?"<>|/\\#^[\]]+/g, ' ')
    .replaceAll(/\s+/g, ' ');
  let name = cut(withoutEnds(plain, '. '), maxLength);
  while (Buffer.byteLength(name) > 240) name = cut(name, Array.from(name).length - 1);
  return withoutEnds(name, '. ') || unnamed(title);
}

/** Returns a text without some characters at its ends. */
function withoutEnds(text: string, characters: string): string {
  let [start, end] = [0, text.length];
  while (start < end && characters.includes(text[start] ?? '')) start += 1;
  while (start < end && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}

function cut(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}

function unnamed(title: string): string {
  return `note-${sha256(title).slice(0, 8)}`;
}
