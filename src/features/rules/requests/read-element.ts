import type { Phrase } from '../../../planning/documents/english/phrase.js';
import { unquoted } from '../clauses/quotation.js';
import type { SlotValue } from '../slot-value.js';

/** What people call the parts of a page, by their ARIA role. */
const ROLES: readonly (readonly [RegExp, string])[] = [
  [/^(?:search(?: ?(?:box|bar|field|input)))$/i, 'searchbox'],
  [/^(?:(?:text|input) ?(?:box|field|area)|field|box|input|textarea)$/i, 'textbox'],
  [/^(?:drop ?down(?: (?:list|menu))?|select(?: box)?|combo ?box|list)$/i, 'combobox'],
  [/^radio(?: button)?$/i, 'radio'],
  [/^check ?box$/i, 'checkbox'],
  [/^(?:push )?button$/i, 'button'],
  [/^(?:hyper)?link$/i, 'link'],
  [/^tab$/i, 'tab'],
  [/^menu ?item$/i, 'menuitem'],
  [/^heading$/i, 'heading'],
  [/^(?:image|picture)$/i, 'img'],
];
const NOUN =
  '(?:search ?(?:box|bar|field|input)|(?:text|input) ?(?:box|field|area)|field|box|input|textarea|drop ?down(?: (?:list|menu))?|select(?: box)?|combo ?box|list|radio(?: button)?|check ?box|(?:push )?button|(?:hyper)?link|tab|menu ?item|heading|image|picture)';
const QUOTE = `"[^"]+"|“[^”]+”|‘[^’]+’|«[^»]+»|'[^']+'`;
const BEFORE = new RegExp(`^(${QUOTE})\\s+(${NOUN})$`, 'i');
const BEHIND = new RegExp(
  `^(${NOUN})\\s+(?:(?:named|called|labell?ed|titled|saying|with the text)\\s+)?(${QUOTE})$`,
  'i',
);
const TEXT_BEFORE = /^(?:text|message|label|words?)\s+(?=["“‘«'])/i;
const TEXT_BEHIND = new RegExp(`^(${QUOTE})\\s+(?:text|message|label|element)$`, 'i');
const LAST_NOUN = new RegExp(`(?<!\\S)${NOUN}$`, 'i');
const SELECTOR = /^(?:(?:css|css selector|selector)\s+)(\S.*)$/i;
const TAGS =
  'a|article|aside|body|button|div|fieldset|footer|form|h[1-6]|header|iframe|img|input|label|li|main|nav|ol|option|p|section|select|span|summary|table|tbody|td|textarea|th|thead|tr|ul|video';
const BARE_SELECTOR = new RegExp(`^(?:${TAGS})?(?:[#.][A-Za-z_]|\\[[^\\]]+\\])\\S*$`);
/** Words in an unquoted name that say more than a name does. */
const MORE_THAN_A_NAME =
  /\b(?:and|or|if|unless|until|when|while|after|before|times|twice|again|each|every|all|except|because|which)\b/i;
/** Where something is, or where it is to happen, is no part of its name: "Docs in the sidebar", "country from the list". */
const PLACE =
  /\b(?:in|into|on|onto|from|inside|within|under|below|above|near|at|with|using)\s+(?:the|an?|another|this|that|its|my|your|our|new|same|separate|private)\b/i;
/** "in a new tab", "in another window": no step can do it. */
const OTHER_TAB =
  /\b(?:in|into|on|onto|as|using)\s+(?:(?:an?|the|its|their|my|your|each)\s+)?(?:(?:own|new|another|separate|background|different|other|same|fresh|next|incognito|private|browser)\s+)+(?:tab|window)s?\b/i;
/** Which one of several is no name. */
const ORDINAL =
  /^(?:first|second|third|fourth|fifth|last|next-to-last|\d+(?:st|nd|rd|th)|any|each|every|some|other|another|same|only|random)(?:\s+\S+)*$/i;
/** Nor is what a browser does with tabs. */
const TAB_OF_BROWSER =
  /^(?:new|next|previous|current|open|active|blank|empty|private|incognito|browser|right|left)$/i;
const PASSWORD = /pass\s?(?:word|code|phrase)|passwort|kennwort|\bpwd\b/i;
const PRONOUN = /^(?:it|this|that|these|those|them|there|here|one)$/i;
const MOST_WORDS = 8;

/**
 * The element of a page that a text names. A selector (`css "…"`, in backticks, or bare as `#id`) is `Css`; a name with the
 * kind of the element, or in a slot with a role, is `Aria`; any other name is `Text`, exact when it is quoted.
 *
 * @param role the ARIA role of an element whose kind is not named
 */
export function readElement({ text, mask }: Phrase, role: string | undefined): SlotValue {
  if (OTHER_TAB.test(mask))
    return {
      problem: `no step opens another tab or window, as “${text}” asks; put a name in quotation marks`,
    };
  const bare = text.replace(/^(?:the|an?|my|your)\s+/i, '');
  const selector = selectorOf(bare);
  if (selector !== null) return { value: { Css: selector }, shown: selector };
  const [, quotedName, nounAfter] = BEFORE.exec(bare) ?? [];
  const [, nounBefore, namedBehind] = BEHIND.exec(bare) ?? [];
  const quotation = quotedName ?? namedBehind ?? bare.replace(TEXT_BEFORE, '').replace(TEXT_BEHIND, '$1');
  const name = unquoted(quotation);
  const noun = nounAfter ?? nounBefore;
  if (name !== null) return noun === undefined ? named(name, role, true) : part(roleOf(noun), name);
  return readBareName(bare, mask.slice(text.length - bare.length), role);
}

/** An element whose kind is named: `the "Docs" link`, `button Save`; or a selector. */
export function readPart(phrase: Phrase): SlotValue {
  const element = readElement(phrase, undefined);
  const isPart =
    'problem' in element ||
    (typeof element.value === 'object' && element.value !== null && !('Text' in element.value));
  return isPart ? element : { problem: `${phrase.text} does not say what kind of element it is` };
}

function selectorOf(text: string): string | null {
  if (/^`[^`]+`$/.test(text)) return text.slice(1, -1);
  const [, rest] = SELECTOR.exec(text) ?? [];
  if (rest !== undefined) return unquoted(rest) ?? rest;
  return BARE_SELECTOR.test(text) ? text : null;
}

function readBareName(text: string, mask: string, role: string | undefined): SlotValue {
  const doubt = doubtAbout(text, mask);
  if (doubt !== null) return { problem: doubt };
  const noun = LAST_NOUN.exec(text);
  if (noun === null) return named(text, role, false);
  const kind = roleOf(noun[0]);
  const name = text.slice(0, noun.index).trimEnd();
  if (name !== '' && (ORDINAL.test(name) || (kind === 'tab' && TAB_OF_BROWSER.test(name))))
    return { problem: `“${text}” does not say which one by its name; put a name in quotation marks` };
  if (name !== '') return part(kind, name);
  return kind === 'searchbox' ? searchBox('search') : { problem: `“${text}” does not say which one` };
}

function doubtAbout(text: string, mask: string): string | null {
  if (text === '' || PRONOUN.test(text)) return `“${text}” does not say which element`;
  if (/["“”«»`]/.test(text)) return `${text} is more than one name`;
  if (MORE_THAN_A_NAME.test(mask) || PLACE.test(mask))
    return `“${text}” may be more than a name; put the name in quotation marks`;
  if (/^\d[\d.,]*\s*\p{L}*$/u.test(text)) return `“${text}” is a number; put a name in quotation marks`;
  if (/[\p{L}\p{N}]\+[\p{L}\p{N}]/u.test(text))
    return `“${text}” may be keys pressed together; put a name in quotation marks`;
  return text.split(/\s+/).length > MOST_WORDS
    ? `“${text}” is long for a name; put the name in quotation marks`
    : null;
}

function named(name: string, role: string | undefined, exact: boolean): SlotValue {
  if (role !== undefined) return part(role, name);
  return { value: { Text: { content: name, exact } }, shown: `“${name}”` };
}

/** An element by its role and name. A password field has no role, and is found by its type where there is but one. */
function part(role: string, name: string): SlotValue {
  if (role !== 'textbox') return aria(role, name);
  if (isSearch(name)) return searchBox(name);
  if (!PASSWORD.test(name)) return aria(role, name);
  if (/^(?:the |my |your )?password$/i.test(name))
    return { value: { Css: 'input[type="password"]' }, shown: 'the password field' };
  return {
    problem: `“${name}” is a password field, which has no role to find it by; name it with a selector, such as css "#password-2"`,
  };
}

function aria(role: string, name: string): SlotValue {
  return { value: { Aria: { role, name } }, shown: `the ${role} “${name}”` };
}

function searchBox(name: string): SlotValue {
  return aria('searchbox', name);
}

function isSearch(name: string): boolean {
  return /^search$/i.test(name);
}

function roleOf(noun: string): string {
  return ROLES.find(([pattern]) => pattern.test(noun))?.[1] ?? 'button';
}
