import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** What was written into a form, by the names of its fields. */
export type Written = ReadonlyMap<string, string>;

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (written: Written) => Promise<void>;
  readonly children: ComponentChildren;
}

/** A form that can be sent once at a time. */
export function Form({ submit, onSubmit, children }: FormProps) {
  const [isSending, setSending] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const written = new Map<string, string>();
        for (const [name, value] of new FormData(event.currentTarget))
          if (typeof value === 'string') written.set(name, value.replaceAll('\r\n', '\n'));
        setSending(true);
        void onSubmit(written).finally(() => setSending(false));
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
  readonly placeholder?: string | undefined;
  readonly value?: string;
  /** How many lines it shows; one where it is left out. */
  readonly rows?: number;
}

/** A field of a form with its label. */
export function Field({ name, label, placeholder, value, rows = 1 }: FieldProps) {
  return (
    <label class="field">
      {label}
      {rows === 1 ? (
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

/** What was written of some fields, without those that were left empty. */
export function filledIn(written: Written, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = written.get(name) ?? '';
      return value.trim() === '' ? [] : [[name, value]];
    }),
  );
}

/** The lines of a text that are not empty. */
export const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
