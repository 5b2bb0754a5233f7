import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { PlanningEvent } from '../../../../operations/planning/planning-run.js';
import type { Colors } from '../../terminal.js';
import { costText, counted, durationText, grouped } from './numbers.js';
import { truncate } from '../../../../kernel/text/truncate.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const MOST_SHOWN = 6;

type Changed = Extract<PlanningEvent, { type: 'changed' }>;

/** What is known of a planning run, drawn as a few lines. */
export interface Progress {
  take(event: PlanningEvent): void;
  /** The lines to show now, none wider than the terminal. */
  frame(columns: number): string;
}

/** Collects what a person wants to watch: what is being expanded, how much is done, cost and time. */
export function createProgress(colors: Colors): Progress {
  const started = performance.now();
  const underWay = new Map<string, string>();
  let plan: Changed['plan'] | null = null;
  let turns = 0;

  return {
    take(event) {
      if (event.type === 'changed') plan = event.plan;
      if (event.type === 'expansion_started') underWay.set(event.goal.id, oneLine(event.goal.description));
      if (event.type === 'expansion_ended') underWay.delete(event.goal.id);
    },
    frame(columns) {
      turns += 1;
      const spinner = FRAMES[turns % FRAMES.length] ?? '';
      const head = `${colors.cyan(spinner)} ${clip(headline(), columns - 2)}`;
      const shown = [...underWay.values()].slice(0, MOST_SHOWN);
      const more = underWay.size - shown.length;
      return [
        head,
        ...shown.map((goal) => colors.dim(`  ${clip(`› ${goal}`, columns - 2)}`)),
        ...(more > 0 ? [colors.dim(`  … and ${counted(more, 'more goal')}`)] : []),
      ].join('\n');
    },
  };

  function headline(): string {
    const elapsed = durationText((performance.now() - started) / 1000);
    if (plan === null) return `Planning · ${elapsed}`;
    const { counts, header } = plan;
    const cost = header.usage === undefined ? '' : costText(header.usage);
    const goals = `${counted(counts.total, 'goal')} · ${grouped(counts.atomic)} atomic · ${grouped(counts.pending)} to go`;
    return [`Planning · ${goals}`, cost, elapsed].filter((part) => part !== '').join(' · ');
  }
}

function clip(text: string, columns: number): string {
  return truncate(text, Math.max(10, columns));
}
