import { legible } from '../../../kernel/text/legible.js';
import { printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Colors } from '../../../cli/terminal.js';

type ActionPlanHash = ResultOf<'hash'>;
type WaIdentity = NonNullable<ActionPlanHash['wa']>;

/** Shows what identifies an action plan, or the text that it is made of. */
export const hash: RendererOf<OperationNamed<'hash'>> = {
  verbatim: () => true,
  render(report, { input, terminal }) {
    if (input.canonical !== true) return renderHash(report, terminal.colors);
    // As it is hashed, to the byte: with a line feed after it `sha256sum` would say another hash.
    const hashed = report.wa?.canonical ?? report.digest_text ?? '';
    // A terminal would obey what a stranger put into it.
    return terminal.stdout.isTTY ? printable(hashed) : hashed;
  },
};

/** What identifies an action plan, a line each; of wa's ids also whether those in the file hold. */
function renderHash({ dialect, digest, wa }: ActionPlanHash, colors: Colors): string {
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
    ['validation', wa.problem === null ? colors.green('ok') : colors.red(legible(wa.problem))],
  ];
}

function planVerdict({ holds, stated }: WaIdentity, colors: Colors): string {
  if (holds === 'no') return colors.red(`the file has ${legible(stated)}, which does not match its content`);
  return colors.green(`the file’s holds${holds === 'sorted' ? ', with sorted keys' : ''}`);
}

function stepVerdict(
  { form, holds, step_id: stated, scoped }: WaIdentity['steps'][number],
  colors: Colors,
): string {
  if (form === null)
    return colors.yellow(
      `the file has ${legible(stated)}, which the author chose or which does not match the content; scoped it would be ${scoped}`,
    );
  return colors.green(`the file’s holds, ${form} form${holds === 'sorted' ? ', with sorted keys' : ''}`);
}
