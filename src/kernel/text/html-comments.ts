/** A comment in a line of Markdown, with where it begins and ends. */
interface Comment {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The comments (`<!-- … -->`) of a line of Markdown, in order. What is escaped or code is no comment, nor is one that the
 * line does not end.
 */
export function commentsOf(line: string): readonly Comment[] {
  const found: Comment[] = [];
  const unpaired = new Set<string>();
  let mayEnd = true;
  for (let at = 0; at < line.length;) {
    const ticks = line[at] === '`' ? (/^`+/.exec(line.slice(at))?.[0] ?? '') : '';
    if (line[at] === '\\') at += 2;
    else if (ticks !== '') {
      const end = unpaired.has(ticks) ? -1 : endOfCode(line, ticks, at + ticks.length);
      if (end === -1) unpaired.add(ticks);
      at = end === -1 ? at + ticks.length : end;
    } else if (mayEnd && line.startsWith('<!--', at)) {
      const close = line.indexOf('-->', at + 2);
      mayEnd = close !== -1;
      const end = mayEnd ? close + '-->'.length : at + 1;
      if (mayEnd) found.push({ at, end, text: line.slice(at, end) });
      at = end;
    } else at += 1;
  }
  return found;
}

/** Where a piece of code ends that `ticks` began; -1 where nothing ends it. */
function endOfCode(line: string, ticks: string, from: number): number {
  for (let at = line.indexOf(ticks, from); at !== -1; at = line.indexOf(ticks, at)) {
    let end = at;
    while (line[end] === '`') end += 1;
    if (end - at === ticks.length) return end;
    at = end;
  }
  return -1;
}

/** HTML or Markdown of several lines without its comments, in linear time; one that is never ended runs to the end. */
export function withoutHtmlComments(text: string): string {
  return text
    .split('<!--')
    .map((part, index) =>
      index === 0 ? part : part.includes('-->') ? part.slice(part.indexOf('-->') + '-->'.length) : '',
    )
    .join('');
}

/** A line without some of its comments, and without the space that each leaves. */
export function withoutLineComments(line: string, comments = commentsOf(line)): string {
  let text = '';
  let from = 0;
  for (const { at, end } of comments) {
    text += line.slice(from, at);
    if (/\s$/.test(text) && /^\s/.test(line.slice(end, end + 1))) text = text.slice(0, -1);
    from = end;
  }
  return text + line.slice(from);
}
