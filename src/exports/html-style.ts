import { STATE_COLORS } from './state-colors.js';

const inkOf = (which: 'ink' | 'inkInDark'): string =>
  Object.entries(STATE_COLORS)
    .map(([state, colors]) => `--${state}: ${colors[which]};`)
    .join(' ');

/** The style sheet of the HTML export; it fetches nothing, follows the reader's light or dark scheme, and prints. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --ink: #1d2126; --soft: #565e68; --page: #ffffff; --card: #f5f6f8; --line: #d3d8de;
  --link: #1f55c4; ${inkOf('ink')} }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebee; --soft: #a6aeb8; --page: #14171b; --card: #1d2126; --line: #363d45;
    --link: #8ab4ff; ${inkOf('inkInDark')} }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.25; }
a { color: var(--link); }
.soft, .facts { color: var(--soft); font-size: .875rem; }
progress { width: 100%; height: .75rem; margin: 1rem 0 .25rem; accent-color: var(--done); }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 1.5rem; padding: 0; }
.counts div { flex: 1 1 6rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
.counts dt { color: var(--soft); font-size: .8rem; }
.counts dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; }
details > ul { margin-left: .45rem; padding-left: 1.1rem; border-left: 1px solid var(--line); }
ul ul ul ul ul ul ul ul details > ul { margin-left: 0; padding-left: .25rem; }
li { padding: .2rem 0; }
li:target > .goal, li:target > details > summary { outline: 2px solid var(--link); outline-offset: 3px; border-radius: .25rem; }
summary { cursor: pointer; }
.leaf { padding-left: 1.1rem; }
.number { color: var(--soft); font-variant-numeric: tabular-nums; }
.status { display: inline-block; padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em; font-size: .75rem; white-space: nowrap; }
${Object.keys(STATE_COLORS)
  .map((state) => `.${state} { color: var(--${state}); }`)
  .join(' ')}
.facts { margin: .1rem 0 .25rem 1.1rem; }
.facts p { margin: .1rem 0; white-space: pre-line; }
.facts ul { list-style: disc; padding-left: 1.25rem; }
code { font-size: .85em; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  details::details-content { content-visibility: visible; block-size: auto; }
  li { break-inside: avoid-page; } li:has(ul) { break-inside: auto; }
}
`;
