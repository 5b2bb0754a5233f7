/** A pane of a terminal at one moment. What nobody can tell is null. */
export interface PaneState {
  /** What makes it the one it is: another pane of its number has another one. */
  readonly identity: string;
  readonly isDead: boolean;
  /** Whether a full-screen program is in it. */
  readonly altScreen: boolean | null;
  /** Why keys would not reach its program alone, such as copy mode; null where they would. */
  readonly obstacle: { readonly code: string; readonly message: string } | null;
  readonly cursor: { readonly x: number; readonly y: number };
  readonly historySize: number;
  readonly height: number;
  readonly command: string;
  readonly cwd: string;
  readonly title: string;
  /** The session, or the domain, that it belongs to. */
  readonly domain: string;
}

/** What a pane shows, in lines as programs have written them: broken by no width. */
export interface PaneScreen {
  readonly state: PaneState;
  readonly above: readonly string[];
  /** The line of the cursor. */
  readonly line: string;
  readonly below: readonly string[];
}

/** A text to send to a pane. */
export interface Sending {
  readonly text: string;
  /** Whether it is sent as a paste. */
  readonly isPaste: boolean;
  readonly hasEnter: boolean;
  /** Other than that of any other sending. */
  readonly name: string;
  /** The attempt that it is of, by which what sends it is found again. */
  readonly attempt: string;
  /** What the pane keeps under that name from the moment of sending on: letters, digits, `-` and `_`. */
  readonly note: string;
  /** The name of a sending whose note the pane need not keep any more. */
  readonly done: string | null;
}

/** A program that has panes. What it cannot be asked is thrown as RefusedCall. */
export interface Terminal {
  /** Milliseconds between two looks at a pane, by what a look costs. */
  readonly lookMs: number;
  /** Returns a pane as it is; null where there is none of the number. */
  state(pane: number): Promise<PaneState | null>;
  screen(pane: number): Promise<PaneScreen | null>;
  /**
   * Sends a text, and Enter, if the pane is still the one that `state` tells of: with tmux in one go, and where it still is
   * as `state` says.
   * @returns whether it was sent
   */
  send(pane: number, state: PaneState, sending: Sending): Promise<boolean>;
  /** Returns the note of a sending that was made to a pane, null where none of that name was; null where panes keep no notes. */
  readonly noteOf: ((pane: number, name: string) => Promise<string | null>) | null;
}

/** Whether a text is keys alone, such as Ctrl-C: control characters, or nothing. */
export function isKeys(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u001f\u007f]*$/.test(text);
}
