import type { ComponentChildren } from 'preact';
import { stateInWords } from '../../../../plan/readiness/goal-state.js';

interface SearchBarProps {
  /** What is searched, such as `goals`. */
  readonly what: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What stands before. */
  readonly title?: ComponentChildren;
  /** What stands behind. */
  readonly children: ComponentChildren;
}

/** A field to search with, in a row with what else belongs there. */
export function SearchBar({ what, text, onText, title, children }: SearchBarProps) {
  return (
    <div class="toolbar">
      {title}
      <label>
        <span class="sr">Search {what}</span>
        <input
          type="search"
          placeholder={`Search ${what}`}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      {children}
    </div>
  );
}

interface SelectProps<Choice extends string> {
  /** What the choices are called for who does not see them. */
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}

/** A choice of what is shown. */
export function Select<Choice extends string>({ label, choices, choice, onChoice }: SelectProps<Choice>) {
  return (
    <label>
      <span class="sr">{label}</span>
      <select
        value={choice}
        onChange={(event) => onChoice(choices.find((each) => each === event.currentTarget.value) ?? choice)}
      >
        {choices.map((each) => (
          <option key={each} value={each}>
            {stateInWords(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
