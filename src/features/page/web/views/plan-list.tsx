import { useState } from 'preact/hooks';

import { useLiveDocument, useNow } from '../hooks.js';
import { ConnectionBadge, Empty, Problem, Progress, Time } from '../parts/parts.js';
import { SearchBar, Select } from '../parts/search-bar.js';
import { hrefOfRoute } from '../route.js';
import { countInWords, planWords } from '../words.js';
import type { PlanSummary } from '../wire.js';

const FILTERS = ['all', 'planning', 'paused', 'to do', 'done', 'failed', 'archived'] as const;
type Filter = (typeof FILTERS)[number];

interface Listing {
  readonly plans: readonly PlanSummary[];
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** Every plan of the store, the newest change first, with search and filter. */
export function PlanList() {
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const path = filter === 'archived' ? '/api/plans?archived' : '/api/plans';
  const { document: listing, error, connection } = useLiveDocument<Listing>(path);
  const now = useNow(10_000);
  const found = (listing?.plans ?? []).filter((plan) => fits(plan, text, filter));
  return (
    <main class="list" id="main">
      <SearchBar title={<h1>Plans</h1>} what="plans" text={text} onText={setText}>
        <Select label="Show" choices={FILTERS} choice={filter} onChoice={setFilter} />
        <ConnectionBadge connection={connection} />
      </SearchBar>
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
      {listing?.problems.map(({ file, message }) => (
        <Problem key={file} message={`${file}: ${message}`} />
      ))}
      {listing === null ? null : found.length === 0 ? (
        <Empty>
          {listing.plans.length === 0
            ? 'There is no plan here yet. `plan init "<goal>"` makes one.'
            : 'No plan matches.'}
        </Empty>
      ) : (
        <ul class="plans">
          {found.map((plan) => (
            <PlanCard key={plan.id} plan={plan} now={now} />
          ))}
        </ul>
      )}
    </main>
  );
}

function PlanCard({ plan, now }: { readonly plan: PlanSummary; readonly now: number }) {
  const { id, description, atomic_goals, complete_goals, total_goals, failed_goals } = plan;
  return (
    <li class="card plan">
      <a href={hrefOfRoute({ page: 'plan', plan: id, view: 'tree', goal: null })} dir="auto">
        {description === '' ? id : description}
      </a>
      <Progress done={complete_goals} all={atomic_goals} />
      <p class="facts">
        <span class={`badge p-${plan.status}`}>{planWords(plan)}</span>
        <span>{countInWords(total_goals, 'goal')}</span>
        {failed_goals > 0 ? <span class="s-failed">{failed_goals} failed</span> : null}
        <span>
          changed <Time at={plan.updated_at} now={now} />
        </span>
        <code>{id}</code>
      </p>
    </li>
  );
}

function fits(plan: PlanSummary, text: string, filter: Filter): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const where = `${plan.id} ${plan.description}`.toLowerCase();
  return words.every((word) => where.includes(word)) && isOf(plan, filter);
}

function isOf({ status, progress, failed_goals }: PlanSummary, filter: Filter): boolean {
  const isDone = progress === 'done';
  if (filter === 'planning') return status === 'in_progress';
  if (filter === 'paused') return status === 'paused';
  if (filter === 'to do') return !isDone;
  if (filter === 'done') return isDone;
  return filter === 'failed' ? status === 'failed' || failed_goals > 0 : true;
}
