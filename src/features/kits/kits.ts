import { browser } from './browser/browser.js';
import { git } from './git/git.js';
import { http } from './http/http.js';
import type { Kit } from './kit.js';
import { shell } from './shell/shell.js';
import { terminalKit } from './terminal/kit.js';
import { tmuxTerminal } from './terminal/tmux.js';
import { weztermTerminal } from './terminal/wezterm.js';
import { vault } from './vault/vault.js';

const tmux = terminalKit('tmux', ['tmux'], (socket = 'default', call) => tmuxTerminal(socket, call));
const wezterm = terminalKit('wezterm', ['wezterm'], weztermTerminal);

/** Every kit, in the order in which they are listed. */
export const KITS: readonly Kit[] = [vault, tmux, wezterm, browser, shell, git, http];
