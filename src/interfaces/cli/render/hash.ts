import { oneLine } from '../../../operations/front-end.js';
import type { ActionPlanHash } from '../../../operations/front-end.js';
import type { Colors } from '../terminal.js';

type WaIdentity = NonNullable<ActionPlanHash['wa']>;

/** What identifies an action plan, a line each; of wa's ids also whether those in the file hold. */
export function renderHash({ dialect, digest, wa }: ActionPlanHash, colors: Colors): string {
  const lines = [['dialect', dialect], ['digest', digest], ...(wa === null ? [] : linesOfWa(wa, colors))];
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return lines.map(([name = '', ...rest]) => `${name.padEnd(width)}  ${rest.join('  ')}\n`).join('');
}

function linesOfWa(wa: WaIdentity, colors: Colors): readonly (readonly string[])[] {
  return [
    ['plan_hash', wa.plan_hash],
    ['plan_id', wa.plan_id, planVerdict(wa, colors)],
    ...wa.steps.map((step) => [
      step.path,
      step.form === 'scoped' ? step.scoped : step.plain,
      stepVerdict(step, colors),
    ]),
    ['validation', wa.problem === null ? colors.green('ok') : colors.red(oneLine(wa.problem))],
  ];
}

function planVerdict({ holds, stated }: WaIdentity, colors: Colors): string {
  if (holds === 'no') return colors.red(`the file has ${oneLine(stated)}, which its content does not give`);
  return colors.green(`the file’s holds${holds === 'sorted' ? ', with sorted keys' : ''}`);
}

function stepVerdict(
  { form, holds, step_id: stated, scoped }: WaIdentity['steps'][number],
  colors: Colors,
): string {
  if (form === null)
    return colors.yellow(
      `the file has ${oneLine(stated)}, chosen or of other content; scoped it would be ${scoped}`,
    );
  return colors.green(`the file’s holds, ${form} form${holds === 'sorted' ? ', with sorted keys' : ''}`);
}
