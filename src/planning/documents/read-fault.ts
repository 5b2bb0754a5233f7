import { paragraphsOf } from './criteria.js';
import type { DocumentItem, DocumentOutline } from './document-item.js';
import { isSaidOfOneself } from './facts.js';
import { expectedIn } from './kinds/document-kind.js';

/**
 * A report of a fault is one goal: all that it says is what is known of that, what was expected is its criterion. Only boxes
 * are parts.
 */
export function readFault(outline: DocumentOutline, lines: readonly string[]): DocumentOutline {
  const tasks = tasksIn(outline.items);
  const taken = new Set(
    tasks.flatMap(({ source: { start_line: from, end_line: to } }) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
    ),
  );
  const isTitle = (line: string) => line.startsWith('# ') && line.slice(2).trim() === outline.title;
  const detail = lines
    .filter((line, index) => !taken.has(index + 1) && !isTitle(line))
    .join('\n')
    .trim();
  const acceptance = expectedIn(lines).flatMap((text) => paragraphsOf(text));
  return {
    title: outline.title,
    source: outline.source,
    ...(detail === '' ? {} : { detail }),
    items: tasks,
    ...(acceptance.length === 0 ? {} : { acceptance }),
  };
}

/** Returns the boxes of a document, wherever they stand, with what is below them. */
export function tasksIn(items: readonly DocumentItem[]): readonly DocumentItem[] {
  return items.flatMap((item) => {
    if (item.isTask !== true) return tasksIn(item.children);
    return isSaidOfOneself(item.description) ? [] : [item];
  });
}
