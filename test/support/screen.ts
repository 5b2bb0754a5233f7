import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { onTestFinished } from 'vitest';

import type { User } from './command.js';
import { temporaryFolder } from './folders.js';

/** Whether there is a tmux, in which commands meet a real terminal; where there is none such tests are skipped. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A terminal of a given size with a command running in it. */
export interface Screen {
  /** What can be seen, line by line, without spaces at the ends. */
  readonly lines: () => readonly string[];
  /** Types keys as tmux names them: `y`, `Enter`, `C-c`. */
  readonly type: (...keys: readonly string[]) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** Waits until the screen says something, and gives its lines. */
  readonly until: (says: RegExp) => Promise<readonly string[]>;
}

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command line of a shell in a terminal of its own; when it ends, the screen says `[exit N]`. */
export function openScreen(
  { folder, home }: Pick<User, 'folder' | 'home'>,
  commandLine: string,
  { columns = 80, rows = 24, environment = {} }: ScreenOptions = {},
): Screen {
  const socket = join(temporaryFolder(), 'tmux');
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', socket, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        LC_ALL: 'C.UTF-8',
        TZ: 'UTC',
        TERM: 'xterm-256color',
        SHELL: '/bin/sh',
        PS1: '',
        ...environment,
      },
    });
  const size = ['-x', String(columns), '-y', String(rows)];
  const shell = `${commandLine}; echo "[exit $?]"; exec sleep 600`;
  // What the terminal is sent is copied to a file: there is something new to be seen only when that has grown.
  const sent = join(temporaryFolder(), 'sent');
  tmux('new-session', '-d', ...size, shell, ';', 'pipe-pane', `exec cat >> ${sent}`);
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const lines = () =>
    tmux('capture-pane', '-p')
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd());
  return {
    lines,
    type: (...keys) => void tmux('send-keys', ...keys),
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    async until(says) {
      let looked = -1;
      for (let tries = 0; tries < 1200; tries += 1) {
        const size = statSync(sent, { throwIfNoEntry: false })?.size ?? 0;
        // Now and then in any case, for what the terminal changes by itself.
        if (size !== looked || tries % 40 === 0) {
          looked = size;
          const seen = lines();
          if (says.test(seen.join('\n'))) return seen;
        }
        await new Promise((done) => setTimeout(done, 25));
      }
      throw new Error(`the screen never said ${String(says)}:\n${lines().join('\n')}`);
    },
  };
}

/** The command as a shell runs it. */
export const PLAN_COMMAND = `${process.execPath} ${resolve('dist/cli/plan.js')}`;
