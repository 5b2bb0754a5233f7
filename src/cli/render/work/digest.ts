import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { goalLine } from '../parts/goal-lines.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Below this score the facts that a digest has lost are named. */
const ENOUGH = 0.95;
const MISSING_SHOWN = 10;

type DigestedGoal = ResultOf<'digest'>['digests'][number];

/** Shows each digest with its size, its fidelity and what it has lost. */
export const digest: RendererOf<OperationNamed<'digest'>> = {
  remark({ notices }, { terminal }) {
    for (const notice of notices) terminal.tell(notice);
  },
  render({ digests, without }, { terminal }) {
    if (digests.length + without.length === 0) terminal.tell('Nothing to digest.');
    else if (without.length > 0)
      terminal.tell(`${quantityOf(without.length, 'goal')} finished with nothing submitted, and no digest.`);
    return digests.map((each) => renderDigest(each, terminal.colors)).join('\n');
  },
};

function renderDigest({ goal, number, description, digest, ...made }: DigestedGoal, colors: Colors): string {
  const body = [
    digest.summary,
    ...digest.key_decisions.map((decision) => `- ${decision}`),
    ...digest.artifacts.map((artifact) => `* ${artifact}`),
  ].join('\n');
  const lines = [
    colors.bold(goalLine({ id: goal, number, description })),
    printable(body).replaceAll(/^/gm, '  '),
  ];
  return `${[...lines, `  ${colors.dim(figures(digest, made))}`, ...lost(digest, made, colors)].join('\n')}\n`;
}

type Made = Pick<DigestedGoal, 'made_by' | 'facts' | 'missing'>;

/** How large a digest is; one that is longer than what it is of is told so. */
function sizeInWords(ratio: number | undefined): string {
  if (ratio === undefined) return 'size not measured';
  return ratio <= 1 ? `${percent(ratio)} of its source` : 'longer than its source';
}

function figures(
  { compression_ratio, fidelity_score }: DigestedGoal['digest'],
  { made_by, facts, missing }: Made,
): string {
  const found = facts === null ? '' : ` (${facts - missing.length} of ${quantityOf(facts, 'fact')})`;
  const parts = [
    sizeInWords(compression_ratio),
    fidelity_score === undefined ? 'fidelity not measured' : `fidelity ${fidelity_score}${found}`,
    made_by === null ? 'as it was' : `by ${made_by === 'model' ? 'the model' : 'extraction'}`,
  ];
  return parts.join(' · ');
}

function lost(
  { fidelity_score = 1 }: DigestedGoal['digest'],
  { missing }: Made,
  colors: Colors,
): readonly string[] {
  if (fidelity_score >= ENOUGH) return [];
  const more = missing.length - MISSING_SHOWN;
  return [
    ...missing
      .slice(0, MISSING_SHOWN)
      .map(({ kind, text }) => `  ${colors.yellow('lost')} ${kind}: ${oneLine(text)}`),
    ...(more > 0 ? [colors.dim(`  … and ${quantityOf(more, 'more fact')}; --json has them all`)] : []),
  ];
}

function percent(ratio: number): string {
  return `${Math.ceil(ratio * 100)} %`;
}
