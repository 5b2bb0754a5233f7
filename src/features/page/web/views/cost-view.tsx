import { dollarsInWords, numberWords } from '../words.js';
import type { ShownHeader } from '../wire.js';

interface Row {
  readonly name: string;
  readonly spent: number;
  readonly range: { readonly low: number; readonly high: number } | null;
  readonly budget: number | undefined;
  readonly words: (value: number) => string;
}

/** What planning has cost, against what it was expected to and what it may. Nothing where no model was asked. */
export function CostView({ header }: { readonly header: ShownHeader }) {
  const { usage, estimate, budget } = header;
  if (usage === undefined || (usage.calls === 0 && header.status !== 'in_progress')) return null;
  const rows: Row[] = [
    {
      name: 'Calls',
      spent: usage.calls,
      range: estimate?.calls ?? null,
      budget: budget?.calls,
      words: numberWords,
    },
    {
      name: 'Tokens',
      spent: usage.input_tokens + usage.output_tokens,
      range: estimate?.tokens ?? null,
      budget: budget?.tokens,
      words: numberWords,
    },
  ];
  if (usage.cost_usd !== null)
    rows.push({
      name: 'Cost',
      spent: usage.cost_usd,
      range: estimate?.cost_usd ?? null,
      budget: budget?.usd,
      words: dollarsInWords,
    });
  return (
    <details class="cost" open={header.status === 'in_progress'}>
      <summary>
        Cost of planning{header.model === null ? '' : ` with ${header.model}`}: {numberWords(usage.calls)}{' '}
        calls
        {usage.cost_usd === null ? '' : `, ${dollarsInWords(usage.cost_usd)}`}
      </summary>
      <dl>
        {rows.map((row) => (
          <CostRow key={row.name} {...row} />
        ))}
      </dl>
    </details>
  );
}

function CostRow({ name, spent, range, budget, words }: Row) {
  const most = budget ?? range?.high;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {most === undefined || most === 0 ? null : (
          <meter
            min={0}
            max={Math.max(most, spent)}
            value={spent}
            high={range === null ? most : Math.min(most, range.high)}
            optimum={0}
            aria-label={`${name}: ${words(spent)} of ${words(most)}`}
          />
        )}
        {words(spent)}
        {range === null ? '' : ` of an estimated ${words(range.low)} to ${words(range.high)}`}
        {budget === undefined ? '' : `, at most ${words(budget)}`}
      </dd>
    </>
  );
}
