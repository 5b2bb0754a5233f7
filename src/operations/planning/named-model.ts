import type { ProjectConfig } from '../settings/config.js';

interface Flags {
  readonly settings?: ProjectConfig | undefined;
  readonly replay?: string | undefined;
}

/** Whether a model, or a server to ask, is named: then a model is asked for. */
export function asksForModel({ settings }: Flags): boolean {
  return settings?.model !== undefined || settings?.base_url !== undefined;
}

/** Whether anything is said about who plans, be it by a named model or by rules. */
export function namesPlanner({ settings, replay }: Flags): boolean {
  return settings?.expander !== undefined || asksForModel({ settings }) || replay !== undefined;
}
