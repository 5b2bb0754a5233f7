import { useEffect, useState } from 'preact/hooks';

import { useLivePlan, useNow } from '../hooks.js';
import { ConnectionBadge, Problem, Progress, Time } from '../parts/parts.js';
import { goToRoute, hrefOfRoute } from '../route.js';
import type { PlanViewName } from '../route.js';
import { countInWords, planWords, wordsWithLocalTimes } from '../words.js';
import { lastClaimEnd } from '../../../../plan/plan.js';
import { isLinkWaiting, planProgress } from '../../../../plan/readiness/plan-progress.js';
import type { ServerInfo } from '../wire.js';
import { BoardView } from './board-view.js';
import type { Asking } from '../acting/goal-moves.js';
import { UndoButtons } from '../acting/undo-buttons.js';
import { CostView } from './cost-view.js';
import { DecisionsView } from './decisions-view.js';
import { FindingsView } from './findings-view.js';
import { GoalPanel } from './goal-panel.js';
import { GraphView } from './graph-view.js';
import { LogView } from './log-view.js';
import { TreeView } from './tree-view.js';
import type { ViewProps } from './view-props.js';

const TABS: readonly (readonly [PlanViewName, string])[] = [
  ['tree', 'Tree'],
  ['board', 'Board'],
  ['graph', 'Graph'],
  ['decisions', 'Decisions'],
  ['findings', 'Findings'],
  ['log', 'Log'],
];

interface PlanViewProps {
  readonly id: string;
  readonly view: PlanViewName;
  readonly goal: string | null;
  readonly server: ServerInfo;
}

/** A plan: its head, one view of it, and the goal that is looked at. */
export function PlanView({ id, view, goal, server }: PlanViewProps) {
  const live = useLivePlan(id);
  const { model, error, connection } = live;
  const [asked, setAsked] = useState<Asked | null>(null);
  const title = model?.header.description ?? '';
  useEffect(() => {
    document.title = title === '' ? 'frctl' : `${title.slice(0, 80)} · frctl`;
  }, [title]);
  if (model === null)
    return (
      <main id="main">
        <h1 class="empty">
          {error === null && connection !== 'ended' ? (
            <ConnectionBadge connection={connection} />
          ) : (
            (error?.message ?? 'There is no such plan.')
          )}
        </h1>
      </main>
    );
  const onSelect = (next: string | null) =>
    goToRoute(
      { page: 'plan', plan: id, view, goal: next },
      goal === null || next === null ? 'push' : 'replace',
    );
  const onAsk = (next: string, asks: Asking) => {
    setAsked({ goal: next, asks, turn: (asked?.turn ?? 0) + 1 });
    if (next !== goal) onSelect(next);
  };
  const props: ViewProps = { live: { ...live, model }, goal, onSelect, onAsk: server.write ? onAsk : null };
  const chosen = goal === null ? undefined : model.plan.goals.get(goal);
  return (
    <main id="main" class={`plan-view${goal === null ? '' : ' with-panel'}`}>
      <PlanHead live={props.live} canAct={server.write} />
      <nav class="tabs" aria-label="Views of the plan">
        {TABS.map(([name, label]) => (
          <a
            key={name}
            href={hrefOfRoute({ page: 'plan', plan: id, view: name, goal })}
            aria-current={name === view ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <div class="view">
        {view === 'tree' ? <TreeView {...props} /> : null}
        {view === 'board' ? <BoardView {...props} /> : null}
        {view === 'graph' ? <GraphView {...props} /> : null}
        {view === 'decisions' ? <DecisionsView {...props} /> : null}
        {view === 'findings' ? <FindingsView {...props} /> : null}
        {view === 'log' ? <LogView {...props} /> : null}
      </div>
      {goal === null ? null : (
        <GoalPanel
          plan={id}
          goal={goal}
          known={chosen}
          live={props.live}
          server={server}
          asked={asked?.goal === goal ? asked : null}
          onSelect={onSelect}
        />
      )}
    </main>
  );
}

/** A form that is asked for, of a goal. */
interface Asked {
  readonly goal: string;
  readonly asks: Asking;
  /** Which time something is asked for. */
  readonly turn: number;
}

interface PlanHeadProps {
  readonly live: ViewProps['live'];
  readonly canAct: boolean;
}

function PlanHead({ live: { model, connection, error }, canAct }: PlanHeadProps) {
  const { header, plan, archived, feed } = model;
  const now = useNow(5000);
  const { atomic, complete, failed, total, pending } = plan.counts;
  const standing = {
    status: header.status,
    atomic_goals: atomic,
    complete_goals: complete,
    failed_goals: failed,
    claimed_until: lastClaimEnd(plan),
  };
  const progress = planProgress(standing, new Date(now).toISOString(), header.planning);
  const paused_because = header.paused_because ?? null;
  const [latest] = feed;
  return (
    <header class="plan-head">
      <h1 dir="auto">{header.description}</h1>
      <p class="facts">
        <span class={`badge p-${header.status}`}>{planWords({ progress, paused_because })}</span>
        {archived ? <span class="badge">archived</span> : null}
        <span>{countInWords(total, 'goal')}</span>
        {pending > 0 ? <span>{pending} to plan</span> : null}
        {isLinkWaiting({ status: header.status, pending_goals: pending }) ? (
          <span>one question left: which goals need each other</span>
        ) : null}
        {failed > 0 ? <span class="s-failed">{failed} failed</span> : null}
        <code>{header.id}</code>
        <ConnectionBadge connection={connection} />
      </p>
      <Progress done={complete} all={atomic} />
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
      {header.missing.length === 0 ? null : (
        <p class="latest" dir="auto">
          No goal makes: {header.missing.join(' · ')}
        </p>
      )}
      <CostView header={header} />
      <div class="latest-row">
        {latest === undefined ? null : (
          <p class="latest" title={wordsWithLocalTimes(latest.message)}>
            <Time at={latest.at} now={now} /> · <span dir="auto">{latest.by}</span>{' '}
            <span dir="auto">{wordsWithLocalTimes(latest.message)}</span>
          </p>
        )}
        {canAct ? <UndoButtons plan={header.id} /> : null}
      </div>
    </header>
  );
}
