import { readStatus } from '../status-words.js';

/** What words of labels mean, from 0, the most urgent; the first of each is written. */
const WORDS = [['critical', 'urgent'], ['high'], ['medium', 'normal'], ['low'], ['someday']] as const;
const WORD = WORDS.flat().join('|');
/** `priority: high`, `prio/1`, `P1`, `high priority`. */
const NAMED = new RegExp(`^(?:prio(?:rity)?[ :/_-]{1,3}|p(?=\\d))(${WORD}|[0-4])$`, 'i');
const BEHIND = new RegExp(`^(${WORD})[ _-]prio(?:rity)?$`, 'i');

/** What the labels of an issue say of how it stands with it: GitHub has no other place for that. */
export interface LabelledStanding {
  /** The word of the label that keeps it from being worked on. */
  readonly onHold?: string;
  readonly priority?: number;
}

/** Reads what labels say; each stays a label. */
export function readLabels(labels: readonly string[]): LabelledStanding {
  const onHold = labels.flatMap((label) => heldBy(label) ?? [])[0];
  const priority = labels.flatMap((label) => priorityIn(label) ?? [])[0];
  return {
    ...(onHold === undefined ? {} : { onHold }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** Returns the labels of a goal without those that it no longer bears out; its priority is written in the form of the label before. */
export function labelsNow(labels: readonly string[], now: LabelledStanding): readonly string[] {
  let isFirst = true;
  return labels.flatMap((label) => {
    if (heldBy(label) !== undefined) return now.onHold === undefined ? [] : label;
    const was = priorityIn(label);
    if (was === undefined || !isFirst) return label;
    isFirst = false;
    if (was === now.priority) return label;
    return now.priority === undefined ? [] : withPriority(label, now.priority);
  });
}

function heldBy(label: string): string | undefined {
  const word = label.replace(/^stat(?:us|e)[ :/_-]{1,3}/i, '');
  // What is pinned there is only shown first.
  return /^(?:pinned|hooked)$/i.test(word) ? undefined : readStatus(word).onHold;
}

function wordIn(label: string): string | undefined {
  return (NAMED.exec(label) ?? BEHIND.exec(label))?.[1]?.toLowerCase();
}

function priorityIn(label: string): number | undefined {
  const word = wordIn(label);
  if (word === undefined) return undefined;
  return /\d/.test(word) ? Number(word) : WORDS.findIndex((words) => words.some((each) => each === word));
}

function withPriority(label: string, priority: number): string {
  const word = wordIn(label) ?? '';
  const at = label.toLowerCase().lastIndexOf(word);
  const is = /\d/.test(word) ? String(priority) : (WORDS[priority]?.[0] ?? word);
  return `${label.slice(0, at)}${is}${label.slice(at + word.length)}`;
}
