import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { PRIORITIES } from '../../../../plan/readiness/priorities.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import type { Goal } from '../../../../plan/schema.js';
import { ApiError, postToApi } from '../api.js';
import { Problem } from '../parts/parts.js';
import type { GoalReport } from '../wire.js';

interface GoalActionsProps {
  readonly plan: string;
  readonly goal: Goal;
  readonly state: GoalState;
  readonly report: GoalReport | null;
}

type Doing = 'claim' | 'complete' | 'edit' | 'hold' | null;

/** The tokens of claims that were made in this tab, by goals; whoever has one may complete the goal. */
const tokenKey = (goal: string) => `frctl-claim-${goal}`;

/** What can be done with a goal. Everything is checked by the server, as it is for the commands. */
export function GoalActions({ plan, goal, state, report }: GoalActionsProps) {
  const [doing, setDoing] = useState<Doing>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const token = sessionStorage.getItem(tokenKey(goal.id)) ?? undefined;
  const run = async (name: string, input: object): Promise<unknown> => {
    try {
      const result = await postToApi<unknown>(name, { goal: goal.id, plan, ...input });
      setError(null);
      setDoing(null);
      return result;
    } catch (thrown) {
      if (thrown instanceof ApiError) setError(thrown);
      return null;
    }
  };
  const proof = token === undefined ? {} : { token };
  const toggle = (next: Doing) => setDoing((before) => (before === next ? null : next));
  const isOpen = state === 'ready' || state === 'claimed';
  return (
    <div class="actions">
      <div class="buttons">
        {state === 'ready' ? (
          <button type="button" onClick={() => toggle('claim')}>
            Claim …
          </button>
        ) : null}
        {isOpen ? (
          <button type="button" onClick={() => toggle('complete')}>
            Complete …
          </button>
        ) : null}
        {state === 'claimed' ? (
          <button
            type="button"
            onClick={() => {
              void run('release', proof).then((result) => {
                // A claim that is still there needs its token.
                if (result !== null) sessionStorage.removeItem(tokenKey(goal.id));
              });
            }}
          >
            Give back
          </button>
        ) : null}
        {state === 'done' ? null : (
          <button type="button" onClick={() => toggle('edit')}>
            Edit …
          </button>
        )}
        {state === 'done' ? null : <Standing goal={goal} run={run} onHold={() => toggle('hold')} />}
      </div>
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
      {doing === 'claim' ? (
        <Form
          submit="Claim it"
          onSubmit={async (values) => {
            const result = await run('claim', given({ by: values.get('by'), for: values.get('for') }));
            const claimed = tokenIn(result);
            if (claimed !== null) sessionStorage.setItem(tokenKey(goal.id), claimed);
          }}
        >
          <Field name="by" label="Who works" placeholder="you" />
          <Field name="for" label="For how long" placeholder="30m" />
        </Form>
      ) : null}
      {doing === 'complete' ? (
        <Form
          submit="It is done"
          onSubmit={async (values) => {
            await run('complete', { ...proof, ...given({ summary: values.get('summary') }) });
          }}
        >
          <Field name="summary" label="What was accomplished" rows={3} />
        </Form>
      ) : null}
      {doing === 'hold' ? <HoldForm run={run} /> : null}
      {doing === 'edit' ? <EditForm report={report} onSubmit={(input) => void run('edit', input)} /> : null}
    </div>
  );
}

type Run = (name: string, input: object) => Promise<unknown>;

/** What changes how it stands with a goal that is not done: its hold and its priority. */
function Standing({
  goal: { on_hold: hold, priority },
  run,
  onHold,
}: {
  readonly goal: Goal;
  readonly run: Run;
  readonly onHold: () => void;
}) {
  return (
    <>
      {hold === undefined ? (
        <button type="button" onClick={onHold}>
          Hold …
        </button>
      ) : (
        <button type="button" onClick={() => void run('unhold', {})}>
          End the hold
        </button>
      )}
      <Priority value={priority} onChoose={(input) => void run('edit', input)} />
    </>
  );
}

function HoldForm({ run }: { readonly run: Run }) {
  return (
    <Form
      submit="Put it on hold"
      onSubmit={async (values) => {
        // A reason that is missing is the server's to say.
        await run('hold', { reason: values.get('reason'), ...given({ until: values.get('until') }) });
      }}
    >
      <Field name="reason" label="Why it waits" rows={2} />
      <Field name="until" label="Until, a day" placeholder="2027-03-01" />
    </Form>
  );
}

/** A choice of how urgent a goal is; without one it is as urgent as what it is part of. */
function Priority({
  value,
  onChoose,
}: {
  readonly value: number | undefined;
  readonly onChoose: (input: object) => void;
}) {
  return (
    <label>
      Priority{' '}
      <select
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChoose(chosen === '' ? { clear: ['priority'] } : { priority: chosen })
        }
      >
        <option value="">as above it</option>
        {PRIORITIES.map((word, priority) => (
          <option key={word} value={String(priority)}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

type EditedField = 'description' | 'detail' | 'acceptance' | 'tags';

function EditForm({
  report,
  onSubmit,
}: {
  readonly report: GoalReport | null;
  readonly onSubmit: (input: object) => void;
}) {
  if (report === null) return null;
  const was = {
    description: report.goal.description,
    detail: textOf(report.goal.detail),
    acceptance: linesOf(report.goal.acceptance),
    tags: linesOf(report.goal.tags),
  };
  return (
    <Form
      submit="Change it"
      onSubmit={async (values) => {
        const now = (name: EditedField) => values.get(name) ?? '';
        const isNew = (name: EditedField) => now(name) !== was[name] && now(name).trim() !== '';
        const clear = (['detail', 'acceptance', 'tags'] as const).filter(
          (name) => was[name] !== '' && now(name).trim() === '',
        );
        onSubmit({
          ...(isNew('description') ? { description: now('description') } : {}),
          ...(isNew('detail') ? { detail: now('detail') } : {}),
          ...(isNew('acceptance') ? { acceptance: splitLines(now('acceptance')) } : {}),
          ...(isNew('tags') ? { tags: splitLines(now('tags')) } : {}),
          ...(clear.length === 0 ? {} : { clear }),
        });
      }}
    >
      <Field name="description" label="What to accomplish" rows={3} value={was.description} />
      <Field name="acceptance" label="Done when, a line each" rows={3} value={was.acceptance} />
      <Field name="detail" label="Detail" rows={3} value={was.detail} />
      <Field name="tags" label="Tags, a line each" rows={2} value={was.tags} />
    </Form>
  );
}

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (values: ReadonlyMap<string, string>) => Promise<void>;
  readonly children: ComponentChildren;
}

/** A form that can be sent once at a time. */
export function Form({ submit, onSubmit, children }: FormProps) {
  const [isSending, setSending] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const values = new Map<string, string>();
        for (const [name, value] of new FormData(event.currentTarget))
          if (typeof value === 'string') values.set(name, value.replaceAll('\r\n', '\n'));
        setSending(true);
        void onSubmit(values).finally(() => setSending(false));
      }}
    >
      {children}
      <button type="submit" class="primary" disabled={isSending}>
        {submit}
      </button>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** Of several lines; one where it is left out. */
  readonly rows?: number;
}

/** A field of a form with its label. */
export function Field({ name, label, placeholder, value, rows }: FieldProps) {
  return (
    <label class="field">
      {label}
      {rows === undefined ? (
        <input
          name={name}
          placeholder={placeholder}
          defaultValue={value}
          autoComplete="off"
          spellcheck={false}
        />
      ) : (
        <textarea name={name} rows={rows} defaultValue={value} dir="auto" />
      )}
    </label>
  );
}

function given(values: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

function tokenIn(result: unknown): string | null {
  const claimed = memberOf(result, 'claimed');
  const token = memberOf(claimed, 'token');
  return typeof token === 'string' ? token : null;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([each]) => each === name)?.[1] as unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const linesOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : '');
const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
