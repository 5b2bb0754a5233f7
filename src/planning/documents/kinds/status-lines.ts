import { STATUS_ABROAD } from './column-names.js';

const LABEL = /^(?:(?:current|implementation|task|work) )?(?:status|state)$/i;
/** What stands between the facts of a line: "Priority: high | Status: done". */
const BETWEEN = /\s(?:\||·|•|\/{2})\s/;
const FACT = /^([^:：]{2,40})[:：]\s*(\S.{0,80})$/u;
const MARKS = /^[\s>*_`|+-]+|[\s*_`|]+$/g;

/** Returns the status that lines tell beside other facts, as "**Status**: done", or a table of two columns does; null without one. */
export function statusIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const [, name, value] = /^\s*\|([^|]{1,60})\|([^|]{1,100})\|?\s*$/.exec(line) ?? [];
    const facts =
      name === undefined ? line.slice(0, 400).split(BETWEEN) : [`${name.trim()}: ${value?.trim()}`];
    for (const fact of facts) {
      const plain = fact.replaceAll(/\*\*|__|`/g, '').replaceAll(MARKS, '');
      const [, label = '', said = ''] = FACT.exec(plain) ?? [];
      const words = label.replace(/^\P{L}+/u, '').trim();
      if (LABEL.test(words) || (STATUS_ABROAD.test(words) && !DONE_LABEL.test(words))) return said.trim();
    }
  }
  return null;
}

/** Columns that ask whether something is done, which in a line is what is done: "Erledigt: Entwurf". */
const DONE_LABEL = /^(?:erledigt|fertig|fait|hecho|feito|готово|完成|完了|완료)$/iu;
