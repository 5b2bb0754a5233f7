import { legible, legibleLine } from '../../../kernel/text/legible.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { ExecutionEvent } from '../executor/session.js';
import type { Colors } from '../../../cli/terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { durationText } from '../../../cli/render/parts/numbers.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const MOST_SHOWN = 6;

/** What is known of a run that is carried out, drawn as a few lines. */
export interface RunProgress {
  /** Notes what happened. @returns a line that stays on the screen, plain and without anything that drives a terminal, or null */
  take(event: ExecutionEvent): string | null;
  /** Shows the lines that were said last. */
  say(messages: readonly string[]): void;
  /** The lines to show now, none wider than the terminal. */
  frame(columns: number): string;
}

/** Collects what a person wants to watch: what is under way, how much is done, what went wrong, and the time. */
export function createRunProgress(colors: Colors): RunProgress {
  const started = performance.now();
  const underWay = new Map<string, string>();
  let [done, items, failed, turns] = [0, 0, 0, 0];
  let said: readonly string[] = [];

  return {
    take(told) {
      if (told.type === 'step_waits') return `Step ${legible(told.step)} waits: ${legibleLine(told.message)}`;
      if (told.type === 'approval_asked')
        return told.isKept
          ? `Step ${legible(told.step)} asks: ${legibleLine(told.summary)}. In another terminal: plan approve ${told.code}`
          : null;
      if (told.type !== 'run_event') return null;
      const { event } = told;
      switch (event.type) {
        case 'attempt_started':
          underWay.set(event.step, `${legible(event.step)}: ${legible(event.tool)}`);
          return null;
        case 'attempt_ended':
          underWay.delete(event.step);
          if (event.outcome !== 'succeeded') failed += 1;
          else if (event.step.endsWith(']')) items += 1;
          else done += 1;
          return event.outcome === 'succeeded'
            ? null
            : `Step ${legible(event.step)}: ${legibleLine(event.error?.message ?? event.outcome)}`;
        case 'step_skipped':
          return `Step ${legible(event.step)} is skipped`;
        default:
          return null;
      }
    },
    say(messages) {
      said = messages;
    },
    frame(columns) {
      turns += 1;
      const spinner = FRAMES[turns % FRAMES.length] ?? '';
      const elapsed = durationText((performance.now() - started) / 1000);
      const trouble = failed === 0 ? '' : ` · ${quantityOf(failed, 'failed attempt')}`;
      const ofLoops = items === 0 ? '' : ` · ${quantityOf(items, 'item')} done`;
      const head = `Running · ${quantityOf(done, 'step')} done${ofLoops}${trouble} · ${elapsed}`;
      const shown = [...underWay.values()].slice(0, MOST_SHOWN).map((text) => `  › ${text}`);
      const more = underWay.size - shown.length;
      const lines = [head, ...shown, ...(more > 0 ? [`  … and ${more} more`] : []), ...said];
      const clipped = lines.map((line) => truncate(line, Math.max(10, columns - 2)));
      return `${colors.cyan(spinner)} ${clipped.map((line, index) => (index === 0 ? line : colors.dim(line))).join('\n')}`;
    },
  };
}
