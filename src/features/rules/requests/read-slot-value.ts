import { normalPhrase } from '../clauses/goal-words.js';
import { readElement, readPart } from './read-element.js';
import type { SlotFile } from '../method-schema.js';
import type { Phrase } from '../../../planning/documents/english/phrase.js';
import { unquoted } from '../clauses/quotation.js';
import type { SlotValue } from '../slot-value.js';

/** Reads the text of a slot as the slot says. Nothing is guessed: what is in doubt is a problem, in words. */
export function readSlotValue(phrase: Phrase, { as, role, except }: SlotFile): SlotValue {
  const name = normalPhrase(unquoted(phrase.text) ?? phrase.text).join(' ');
  if (except.some((one) => normalPhrase(one).join(' ') === name))
    return { problem: `${phrase.text} may mean something else there` };
  switch (as) {
    case 'text':
      return readText(phrase);
    case 'url':
      return readUrl(phrase);
    case 'element':
      return readElement(phrase, role);
    case 'part':
      return readPart(phrase);
    case 'milliseconds':
      return readDuration(phrase.text);
    case 'pixels':
      return readPixels(phrase.text, 1);
    case 'pixels_up':
      return readPixels(phrase.text, -1);
  }
}

function readText(phrase: Phrase): SlotValue {
  const bare = phrase.text.replace(
    /^the\s+(?:text|words?|string|value|phrase|query|term)\s+(?=["“‘«'`])/i,
    '',
  );
  const content = unquoted(bare);
  if (content !== null) return { value: content, shown: `“${content}”` };
  if (/["“”«»`]/.test(bare)) return { problem: `${bare} is more than one quotation` };
  if (namesText(bare))
    return {
      problem: `“${bare}” says what the text is about, not what it is; put the text in quotation marks`,
    };
  return { value: bare, shown: `“${bare}”` };
}

const DATA =
  'passwords?|pass ?codes?|pass ?phrases?|pin|pins|secrets?|tokens?|keys?|log-?in|credentials?|user ?names?|names?|surnames?|e-?mails?|address(?:es)?|codes?|numbers?|dates?|birthdays?|birth|phone|mobile|text|texts|values?|query|queries|terms?|words?|strings?|phrases?|answers?|messages?|comments?|details?|data|info|information|account|city|country|street|zip|age|title|amount|one';
/** "my …": whoever wrote it knows it, the plan does not. */
const OWN = /^(?:my|your|his|her|its|our|their|one['’]s|someone['’]s|somebody['’]s)\s/i;
/** "the code", "a random name", "the user's password", "user's name". */
const ABOUT = new RegExp(
  `^(?:(?:the|an?|some|any|this|that|these|those|another)\\s+(?:\\S+\\s+){0,4}|(?:\\S+\\s+){0,3}\\S+['’]s?\\s+(?:\\S+\\s+){0,2})(?:${DATA})$`,
  'i',
);
const STAND_IN =
  /^(?:it|this|that|these|those|them|something|anything|whatever|everything|stuff|text|nothing)$/i;

/** Whether words say what is to be typed without being it: nothing of "my password" is typed. */
function namesText(text: string): boolean {
  return OWN.test(text) || ABOUT.test(text) || STAND_IN.test(text);
}

const PAGE = /^(?:the\s+)?(?:(?:web\s?)?(?:page|site)|url|address|link)\s+(?:at\s+)?/i;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u;
const LOCAL = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\])(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/** An address as it is written; one without a scheme is https, or http on the own machine. */
function readUrl({ text }: Phrase): SlotValue {
  const bare = text.replace(PAGE, '');
  const written = unquoted(bare) ?? bare;
  const scheme = LOCAL.test(written) ? 'http://' : DOMAIN.test(written) ? 'https://' : '';
  const address = scheme + written;
  if (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address)) return { value: address, shown: address };
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return { problem: `${address} is not an http or https address` };
  return { problem: `${text} is not a web address` };
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, 1000],
  [/^(?:m|mins?|minutes?)$/i, 60_000],
];
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const LONGEST_MS = 86_400_000;

/** "3 seconds", "1.5 s", "500ms", "half a second", "two minutes": a whole number of milliseconds. */
function readDuration(text: string): SlotValue {
  const [, amount = '', unit = ''] =
    /^(?:exactly\s+|another\s+)?(\d[\d.,]*|half an?|an?|[a-z]+(?=\s))\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const scale = UNITS.find(([pattern]) => pattern.test(unit))?.[1];
  const number = numberOf(amount.toLowerCase());
  if (scale === undefined || number === null)
    return { problem: `${text} is not a time with its unit, such as “3 seconds” or “500 ms”` };
  const ms = Number((number * scale).toFixed(6));
  if (!Number.isInteger(ms) || ms > LONGEST_MS)
    return { problem: `${text} is not a whole number of milliseconds up to a day` };
  return { value: ms, shown: text };
}

function numberOf(amount: string): number | null {
  if (/^half an?$/.test(amount)) return 0.5;
  if (/^an?$/.test(amount)) return 1;
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(amount)) return Number(amount.replaceAll(',', ''));
  if (/^\d+(?:\.\d+)?$/.test(amount)) return Number(amount);
  const word = NUMBERS.indexOf(amount);
  return word < 0 ? null : word;
}

function readPixels(text: string, direction: 1 | -1): SlotValue {
  const [, amount = ''] = /^(?:by\s+)?(\d{1,7})\s*(?:px|pixels?)?$/i.exec(text.trim()) ?? [];
  return amount === ''
    ? { problem: `${text} is not a number of pixels` }
    : { value: direction * Number(amount), shown: `${amount} pixels` };
}
