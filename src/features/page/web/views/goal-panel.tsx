import { useEffect, useRef } from 'preact/hooks';

import type { Goal } from '../../../../plan/schema.js';
import { useDocument, useNow } from '../hooks.js';
import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import { LongText, Part, Problem, StateBadge, Time } from '../parts/parts.js';
import { memberOf } from '../parts/member-of.js';
import { SourceView } from './source-view.js';
import { numberWords, stateWordClass } from '../words.js';
import type { DetailedGoal, GoalReport, ServerInfo } from '../wire.js';
import { GoalActions } from '../acting/goal-actions.js';
import type { Asking } from '../acting/goal-moves.js';
import type { ViewProps } from './view-props.js';

interface GoalPanelProps {
  readonly plan: string;
  readonly goal: string;
  /** What is known of it already; nothing for one that is gone. */
  readonly known: Goal | undefined;
  readonly live: ViewProps['live'];
  readonly server: ServerInfo;
  /** The form that is to be open, and which time it is asked for. */
  readonly asked: { readonly asks: Asking; readonly turn: number } | null;
  readonly onSelect: (goal: string | null) => void;
}

/** Everything that is known of a goal. */
export function GoalPanel({ plan, goal, known, live, server, asked, onSelect }: GoalPanelProps) {
  const { model, states } = live;
  const path = `/api/plans/${encodeURIComponent(plan)}/goals/${encodeURIComponent(goal)}`;
  const { document: report, error } = useDocument<GoalReport>(path, [known]);
  const panel = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    before.current = document.activeElement;
    panel.current?.focus();
  }, []);
  const close = () => {
    onSelect(null);
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const state = states.get(goal);
  return (
    <aside
      class="panel"
      aria-label="The goal"
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="panel-head">
        <span class="number">{model.numbers.get(goal) ?? ''}</span>
        {state === undefined ? null : <StateBadge state={state} />}
        <button type="button" class="close" aria-label="Close the goal" onClick={close}>
          ✕
        </button>
      </div>
      <h2 dir="auto">{known?.description ?? report?.goal.description ?? 'This goal is gone.'}</h2>
      {server.write && known !== undefined && state !== undefined ? (
        <GoalActions
          key={`${goal} ${asked?.turn ?? 0}`}
          plan={plan}
          goal={known}
          number={model.numbers.get(goal) ?? ''}
          state={state}
          report={report}
          asks={asked?.asks ?? null}
        />
      ) : null}
      {error === null ? null : known === undefined ? null : (
        <Problem message={error.message} hint={error.hint} />
      )}
      {report === null ? null : <GoalFacts report={report} path={path} states={states} onSelect={onSelect} />}
    </aside>
  );
}

interface FactsProps {
  readonly report: GoalReport;
  /** The address of the goal at the server. */
  readonly path: string;
  readonly states: ViewProps['live']['states'];
  readonly onSelect: (goal: string) => void;
}

function GoalFacts({ report, path, states, onSelect }: FactsProps) {
  const { goal, parent, children, dependencies, dependents, refused_results } = report;
  const { inherited_dependencies: before, inherited_dependents: after } = report;
  const ways = new Map([...before, ...after].map(({ goal: { id }, by }) => [id, by.number || 'the root']));
  const now = useNow(10_000);
  const list = (title: string, goals: readonly DetailedGoal[]) => (
    <Relatives title={title} goals={goals} ways={ways} states={states} onSelect={onSelect} />
  );
  return (
    <>
      <Claim claim={goal.claim} now={now} />
      <Failure failure={goal.failure} now={now} />
      <Texts title="Done when" value={goal.acceptance} />
      <Texts title="Decisions" value={report.decisions.map(({ line }) => line)} />
      <Texts title="Uses what no goal makes" value={report.missing_results.map(({ what }) => what)} />
      <Texts
        title="Looks wrong"
        value={report.findings?.first.map(({ code, message }) => `${code}: ${message}`)}
      />
      <Words title="Detail" value={goal.detail} />
      <Words title="Why" value={goal.reasoning} />
      <Result digest={goal.digest} />
      {list('Part of', parent === null ? [] : [parent])}
      {list('Waits for', [...dependencies, ...before.map((each) => each.goal)])}
      {list('Blocks', [...dependents, ...after.map((each) => each.goal)])}
      {list('Divided into', children)}
      <Texts title="Tags" value={goal.tags} />
      <Texts title="Likely to change" value={goal.touches} />
      <Texts title="Checks" value={goal.checks} />
      <Texts title="Action plans" value={goal.action_plans} />
      <SourceView source={goal.source} path={path} />
      {refused_results.length === 0 ? null : (
        <Part title="Refused results">
          {refused_results.map((result, index) => (
            <Fields key={index} value={result} />
          ))}
        </Part>
      )}
      <Part title="More">
        <dl>
          <dt>Id</dt>
          <dd>
            <code>{goal.id}</code>
          </dd>
          <Times goal={goal} now={now} />
          {Object.entries(goal)
            .filter(([name, value]) => !SHOWN.has(name) && value !== null && value !== 0)
            .map(([name, value]) => (
              <Field key={name} name={name} value={value} />
            ))}
        </dl>
      </Part>
    </>
  );
}

/** What has a place of its own; everything else that a goal has is told as it is. */
const SHOWN: ReadonlySet<string> = new Set([
  'id',
  'number',
  'description',
  'status',
  'parent_id',
  'child_ids',
  'dependencies',
  'depth',
  'claim',
  'failure',
  'acceptance',
  'decisions',
  'state',
  'detail',
  'reasoning',
  'digest',
  'tags',
  'action_plans',
  'touches',
  'source',
  'created_at',
  'updated_at',
]);

function Words({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (typeof value !== 'string' || value === '') return null;
  return (
    <Part title={title}>
      <LongText text={value} />
    </Part>
  );
}

function Texts({ title, value }: { readonly title: string; readonly value: unknown }) {
  const texts = textsOf(value);
  if (texts.length === 0) return null;
  return (
    <Part title={title}>
      <ul>
        {texts.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Claim({ claim, now }: { readonly claim: unknown; readonly now: number }) {
  const [by, until] = [memberOf(claim, 'by'), memberOf(claim, 'expires_at')];
  if (by === null || until === null) return null;
  return (
    <p>
      Claimed by <strong dir="auto">{by}</strong>, {Date.parse(until) > now ? 'ends' : 'ended'}{' '}
      <Time at={until} now={now} />
    </p>
  );
}

function Failure({ failure, now }: { readonly failure: unknown; readonly now: number }) {
  const [reason, at] = [memberOf(failure, 'reason'), memberOf(failure, 'at')];
  if (reason === null) return null;
  return (
    <Part title={memberOf(failure, 'phase') === 'planning' ? 'Planning it failed' : 'It failed'}>
      <LongText text={reason} />
      {at === null ? null : (
        <p class="hint">
          <Time at={at} now={now} />
        </p>
      )}
    </Part>
  );
}

function Result({ digest }: { readonly digest: unknown }) {
  if (typeof digest !== 'object' || digest === null) return null;
  return (
    <Part title="Result">
      <Fields value={digest} />
    </Part>
  );
}

function Times({ goal, now }: { readonly goal: DetailedGoal; readonly now: number }) {
  const times = [
    ['Created', goal.created_at],
    ['Changed', goal.updated_at],
  ] as const;
  return (
    <>
      {times.map(([name, at]) =>
        typeof at === 'string' ? (
          <>
            <dt>{name}</dt>
            <dd>
              <Time at={at} now={now} />
            </dd>
          </>
        ) : null,
      )}
    </>
  );
}

/** Any value as it is, in words. */
function Fields({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null) return <LongText text={String(value)} />;
  return (
    <dl>
      {Object.entries(value)
        .filter(([, each]) => each !== null && !(Array.isArray(each) && each.length === 0))
        .map(([name, each]) => (
          <Field key={name} name={name} value={each} />
        ))}
    </dl>
  );
}

function Field({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>{name.replaceAll('_', ' ')}</dt>
      <dd dir="auto">
        {typeof value === 'string' ? (
          <LongText text={value} />
        ) : typeof value === 'number' ? (
          numberWords(value)
        ) : (
          <pre>{shortJson(value)}</pre>
        )}
      </dd>
    </>
  );
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value, null, 1) ?? '';
  return text.length <= 4000 ? text : `${text.slice(0, 4000)} …`;
}

interface RelativesProps {
  readonly title: string;
  readonly goals: readonly DetailedGoal[];
  /** By the id of a goal, the number of the goal above by way of which it waits or is waited for. */
  readonly ways: ReadonlyMap<string, string>;
  readonly states: ViewProps['live']['states'];
  readonly onSelect: (goal: string) => void;
}

/** So many are listed; a goal with thousands of parts is better looked at in the tree. */
const MOST_RELATIVES = 50;

function Relatives({ title, goals, ways, states, onSelect }: RelativesProps) {
  if (goals.length === 0) return null;
  return (
    <Part title={title}>
      <ul class="relatives">
        {goals.slice(0, MOST_RELATIVES).map(({ id, number, description }) => (
          <li key={id}>
            <button
              type="button"
              class={`link ${stateWordClass(states.get(id) ?? '')}`}
              onClick={() => onSelect(id)}
            >
              {number} <span dir="auto">{description}</span>{' '}
              <small>
                ({stateInWords(states.get(id) ?? 'gone')}
                {ways.has(id) ? `, via ${ways.get(id) ?? ''}` : ''})
              </small>
            </button>
          </li>
        ))}
      </ul>
      {goals.length > MOST_RELATIVES ? <p class="hint">and {goals.length - MOST_RELATIVES} more</p> : null}
    </Part>
  );
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
