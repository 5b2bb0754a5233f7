import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

import { sha256 } from '../../../kernel/sha256.js';
import type { SettledCall } from '../../runs/model/tool.js';
import { concluded, lostOutcome, RefusedCall } from '../../runs/runners/outcomes.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import { asJson, readArgs } from '../kit.js';
import type { CarriedTool } from '../kit.js';
import { echoOf, markOf, markSchema } from './marks.js';
import { livePane, liveScreen } from './panes.js';
import type { RunPanes } from './panes.js';
import { isKeys } from './terminal.js';
import type { PaneState } from './terminal.js';

export const paneId = z.int().min(0).describe('The number of a pane: `%3` of tmux is 3.');

export const sendInput = z.strictObject({
  pane_id: paneId,
  text: z.string().max(2_000_000).describe('One Enter follows, but where it is control characters alone.'),
  paste_mode: z.boolean().nullish().describe('Sent as a paste, where the program knows of pastes.'),
});

export const sendOutput = z.strictObject({
  pane_id: z.int(),
  sent: z.boolean(),
  text_length: z.int(),
  submitted: z.boolean(),
  mark: markSchema.describe('Where it was sent, for later looks at what came after it.'),
});

/** What the options of the kit say of sending. */
export interface SendOptions {
  /** Whether no Enter follows a text. */
  readonly isAsWritten: boolean;
  /** Whether a pane counts as without a full-screen program where nobody can tell. */
  readonly isUnknownOff: boolean;
}

/** Returns the tool that sends a text to a pane. */
export function sendText(panes: RunPanes, { isAsWritten, isUnknownOff }: SendOptions): CarriedTool {
  return {
    settled: (args, _, key) => settledSending(panes, readArgs(sendInput, args), key),
    call: (call) =>
      concluded(createSecrets({}), async () => {
        const { pane_id: pane, text, paste_mode: paste } = readArgs(sendInput, call.args);
        const isPaste = paste === true;
        // oxlint-disable-next-line no-control-regex
        if (isPaste && /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
          throw new RefusedCall(
            'VALIDATION_ERROR',
            'text has control characters, which a paste must not have',
          );
        const state = await livePane(pane, panes);
        refuseObstacle(state, isUnknownOff);
        const mark = markOf(await liveScreen(pane, panes), panes.rules, text);
        const submitted = !isAsWritten && (text === '' || !isKeys(text));
        const name = nameOf(call.key);
        const note = noteOf({ mark, submitted });
        const sending = {
          text,
          isPaste,
          hasEnter: submitted,
          attempt: call.attempt,
          name,
          note,
          done: panes.notes.get(pane) ?? null,
        };
        panes.notes.set(pane, name);
        // The last one is what is meant where no pane is named.
        panes.marks.delete(pane);
        panes.marks.set(pane, mark);
        panes.pictures.delete(pane);
        let sent: boolean;
        try {
          sent = await panes.terminal.send(pane, state, sending);
        } catch (thrown) {
          if (!(thrown instanceof RefusedCall) || thrown.code !== 'NO_ANSWER') throw thrown;
          return lostOutcome(thrown.code, thrown.message);
        }
        if (!sent) {
          refuseObstacle(await livePane(pane, panes), isUnknownOff);
          throw new RefusedCall(
            'PANE_CHANGED',
            `pane ${pane} changed at the moment of sending, and nothing was sent`,
          );
        }
        return { outcome: 'succeeded', output: asJson(sentText(pane, text, { submitted, mark })) };
      }),
  };
}

/** What a pane keeps of a sending; of the text no more than what whoever sent it knows already. */
const noteSchema = sendOutput.pick({ submitted: true, mark: true });
type Note = z.output<typeof noteSchema>;

function sentText(pane: number, text: string, note: Note): z.output<typeof sendOutput> {
  return { pane_id: pane, sent: true, text_length: text.length, ...note };
}

function nameOf(key: string): string {
  return `frctl-${sha256(key).slice(0, 16)}`;
}

/** A longer note is not kept, in characters: tmux takes no longer commands. */
const MOST_NOTE = 8000;

function noteOf({ submitted, mark }: Note): string {
  const json = JSON.stringify({ submitted, mark: { ...mark, text: '' } });
  const note = Buffer.from(json, 'utf8').toString('base64url');
  return note.length > MOST_NOTE ? 'long' : note;
}

/** Milliseconds in which a command that was on its way to the terminal arrives. */
const ARRIVES_MS = 1000;

/** Tells what came of a sending whose process was killed, by what the pane has noted; null where a person must tell. */
async function settledSending(
  { terminal }: RunPanes,
  { pane_id: pane, text }: z.output<typeof sendInput>,
  key: string,
): Promise<SettledCall | null> {
  if (terminal.noteOf === null) return null;
  const state = await terminal.state(pane);
  if (state === null || state.isDead) return null;
  const name = nameOf(key);
  let note = await terminal.noteOf(pane, name);
  if (note === null) {
    await sleep(ARRIVES_MS);
    note = await terminal.noteOf(pane, name);
  }
  if (note === null) return { as: 'failed' };
  const { submitted, mark } = noteSchema.parse(JSON.parse(Buffer.from(note, 'base64url').toString('utf8')));
  const known = { ...mark, text: echoOf(text) };
  return { as: 'succeeded', output: asJson(sentText(pane, text, { submitted, mark: known })) };
}

function refuseObstacle({ altScreen, obstacle }: PaneState, isUnknownOff: boolean): void {
  if (obstacle !== null) throw new RefusedCall(obstacle.code, obstacle.message);
  if (altScreen === true)
    throw new RefusedCall(
      'ALT_SCREEN',
      'a full-screen program is in the pane, which would take the text as keys',
    );
  if (altScreen === null && !isUnknownOff)
    throw new RefusedCall(
      'ALT_SCREEN',
      'nobody can tell whether a full-screen program is in the pane; `alt_screen: unknown_is_off` of the kit sends all the same',
    );
}
