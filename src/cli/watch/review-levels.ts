import { oneLine } from '../../kernel/text/safe-text.js';
import { keptGoals } from '../../operations/planning/init/review-planning.js';
import type {
  LevelVerdict,
  ProposedLevel,
  ReviewLevel,
  WantedGoal,
} from '../../operations/planning/init/review-planning.js';
import type {
  PlanningEvent,
  PlanningResult,
  PlanningRun,
} from '../../operations/planning/planning-progress.js';
import { askLines } from '../input/ask-lines.js';
import type { AskedLines } from '../input/ask-lines.js';
import { interruption } from '../interruption.js';
import type { Interruption } from '../interruption.js';
import type { Terminal } from '../terminal.js';

const HELP = 'Enter keep · d 2 drop · e 2 WORDS edit · + WORDS add · x undivided · q later';

/** Plans with a person at the terminal who looks at each proposed level. */
export async function runReviewed<Result extends PlanningResult>(
  terminal: Terminal,
  start: (
    given: Pick<Interruption, 'signal' | 'dropSignal'> & { readonly review: ReviewLevel },
  ) => PlanningRun<Result>,
): Promise<Result> {
  const { release, ...signals } = interruption();
  const lines = askLines(terminal);
  try {
    const run = start({ ...signals, review: async (level) => reviewOn(terminal, lines, level) });
    const tell = waitingTeller(terminal);
    for await (const event of run) tell(event);
    return await run.result;
  } finally {
    lines.end();
    release();
  }
}

/** Says what a model is asked about, for that takes a while; and what must be known. */
function waitingTeller(terminal: Terminal): (event: PlanningEvent) => void {
  let takesLong = false;
  return (event) => {
    if (event.type === 'changed') takesLong = event.plan.header.settings?.expander === 'model';
    if (event.type === 'notice') terminal.tell(event.message, { isDim: true });
    if (event.type === 'expansion_started' && takesLong)
      terminal.tell(`asking about “${oneLine(event.goal.description)}” …`, { isDim: true });
  };
}

async function reviewOn(terminal: Terminal, lines: AskedLines, level: ProposedLevel): Promise<LevelVerdict> {
  let wanted: readonly WantedGoal[] = level.subGoals.map(({ description }, index) => ({
    from: index + 1,
    description,
  }));
  show(terminal, level, wanted);
  for (;;) {
    const line = await lines.ask('> ');
    const next = answered(line, wanted);
    if (typeof next === 'string') terminal.tell(next);
    else if ('kind' in next) return next;
    else {
      wanted = next.wanted;
      show(terminal, level, wanted);
    }
  }
}

/** What an answer comes to: a verdict, the level as it is then, or what is wrong with the answer. */
function answered(
  line: string | null,
  wanted: readonly WantedGoal[],
): LevelVerdict | { readonly wanted: readonly WantedGoal[] } | string {
  const [, word = '', rest = ''] = /^(\+|\S+)\s*(.*)$/s.exec(line ?? 'q') ?? [];
  switch (word) {
    case '':
    case 'a':
      return wanted.length === 0 ? { kind: 'dropped' } : { kind: 'accepted', subGoals: wanted };
    case 'x':
      return { kind: 'dropped' };
    case 'q':
      return { kind: 'stopped' };
    case '+':
      return rest === '' ? HELP : { wanted: [...wanted, { from: null, description: rest }] };
    case 'd': {
      const numbers = rest.split(/[\s,]+/).map(Number);
      if (!numbers.every((number) => wanted[number - 1] !== undefined)) return notThere(rest, wanted);
      return { wanted: wanted.filter((_one, index) => !numbers.includes(index + 1)) };
    }
    case 'e': {
      const [, number = '', words = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
      if (wanted[Number(number) - 1] === undefined) return notThere(number, wanted);
      if (words === '') return `Say the words: e ${number} WORDS`;
      return {
        wanted: wanted.map((one, index) =>
          index + 1 === Number(number) ? { ...one, description: words } : one,
        ),
      };
    }
    default:
      return HELP;
  }
}

function notThere(named: string, wanted: readonly WantedGoal[]): string {
  return wanted.length === 0
    ? 'Nothing is left of this level; Enter leaves the goal undivided.'
    : `There is no ${named === '' ? 'such goal' : JSON.stringify(named)} here; 1 to ${wanted.length} are.`;
}

function show(terminal: Terminal, { goal, subGoals }: ProposedLevel, wanted: readonly WantedGoal[]): void {
  const { errorColors: colors } = terminal;
  // As they will be stored: what waited for one that is dropped waits for what that waited for.
  const lines = keptGoals(subGoals, ({ after }) => after, wanted).map(({ description, after }, index) => {
    const numbers = after.map((place) => place + 1);
    const waits = after.length === 0 ? '' : colors.dim(`  (after ${numbers.join(', ')})`);
    return `  ${colors.dim(String(index + 1))} ${oneLine(description)}${waits}\n`;
  });
  const number = goal.number === '' ? '' : `${goal.number} `;
  terminal.error(
    `\n${colors.bold(`${number}${oneLine(goal.description)}`)}\n${lines.join('')}${colors.dim(HELP)}\n`,
  );
}
