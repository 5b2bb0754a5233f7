import type { GoalReport } from '../wire.js';
import type { Asking } from './goal-moves.js';
import { Field, filledIn, Form, splitLines } from './form.js';
import type { Written } from './form.js';

interface GoalFormProps {
  readonly asks: Asking;
  readonly report: GoalReport | null;
  /** Runs an operation on the goal. */
  readonly run: (name: string, input: object) => Promise<void>;
}

/** A field of a form: its name, its label, its lines, and what may stand there. */
type AskedField = readonly [name: string, label: string, rows: number, placeholder?: string];

interface AskedForm {
  readonly submit: string;
  readonly fields: readonly AskedField[];
  /** What is sent of what was written; without it, what was filled in. */
  readonly send?: (written: Written) => object;
}

/** What each form asks for. What is missing or wrong is the server's to say. */
const FORMS: Readonly<Record<Exclude<Asking, 'edit'>, AskedForm>> = {
  claim: {
    submit: 'Claim it',
    fields: [
      ['by', 'Who works', 1, 'you'],
      ['for', 'For how long', 1, '30m'],
    ],
  },
  complete: { submit: 'Mark as done', fields: [['summary', 'What was accomplished', 3]] },
  fail: {
    submit: 'Mark as failed',
    fields: [['reason', 'Why it could not be done', 3]],
    send: (written) => ({ reason: written.get('reason') }),
  },
  hold: {
    submit: 'Put it on hold',
    fields: [
      ['reason', 'Why it waits', 2],
      ['until', 'Until (date)', 1, '2027-03-01'],
    ],
    send: (written) => ({ reason: written.get('reason'), ...filledIn(written, ['until']) }),
  },
  add: {
    submit: 'Add it',
    fields: [
      ['description', 'What to accomplish', 2],
      ['acceptance', 'Done when (one per line)', 2],
    ],
    send: (written) => ({
      description: written.get('description'),
      acceptance: splitLines(written.get('acceptance') ?? ''),
    }),
  },
  decide: {
    submit: 'Decide it',
    fields: [
      ['what', 'What is decided', 1, 'database'],
      ['choice', 'The choice', 1],
    ],
    send: (written) => ({ what: written.get('what'), choice: written.get('choice') }),
  },
};

/** The form that something is done with a goal by. */
export function GoalForm({ asks, report, run }: GoalFormProps) {
  if (asks === 'edit')
    return report === null ? null : <EditForm report={report} onSubmit={(input) => run('edit', input)} />;
  const { submit, fields, send } = FORMS[asks];
  return (
    <Form
      submit={submit}
      onSubmit={(written) =>
        run(
          asks,
          send?.(written) ??
            filledIn(
              written,
              fields.map(([name]) => name),
            ),
        )
      }
    >
      {fields.map(([name, label, rows, placeholder]) => (
        <Field key={name} name={name} label={label} placeholder={placeholder} rows={rows} />
      ))}
    </Form>
  );
}

interface EditFormProps {
  readonly report: GoalReport;
  readonly onSubmit: (input: object) => Promise<void>;
}

const LISTS = ['acceptance', 'tags'] as const;
const CLEARED = ['detail', ...LISTS] as const;

/** The form that edits a goal: only what differs is sent. */
function EditForm({ report: { goal }, onSubmit }: EditFormProps) {
  const was: Readonly<Record<string, string>> = {
    description: goal.description,
    detail: typeof goal.detail === 'string' ? goal.detail : '',
    ...Object.fromEntries(LISTS.map((name) => [name, linesOf(goal[name])])),
  };
  return (
    <Form
      submit="Save"
      onSubmit={async (written) => {
        const changed = Object.keys(was).filter((name) => (written.get(name) ?? '') !== was[name]);
        const input = filledIn(written, changed);
        const clear = CLEARED.filter((name) => changed.includes(name) && !(name in input));
        await onSubmit({
          ...input,
          ...Object.fromEntries(
            LISTS.flatMap((name) => (name in input ? [[name, splitLines(input[name] ?? '')]] : [])),
          ),
          ...(clear.length === 0 ? {} : { clear }),
        });
      }}
    >
      <Field name="description" label="What to accomplish" rows={3} value={was.description ?? ''} />
      <Field name="acceptance" label="Done when (one per line)" rows={3} value={was.acceptance ?? ''} />
      <Field name="detail" label="Detail" rows={3} value={was.detail ?? ''} />
      <Field name="tags" label="Tags (one per line)" rows={2} value={was.tags ?? ''} />
    </Form>
  );
}

const linesOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : '');
