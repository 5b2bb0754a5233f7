import type { KitBinding } from '../../actions/tools/bindings.js';
import type { Condition, Panes, Tool } from '../model/tool.js';
import type { RunnerEnvironment } from './runner-environment.js';

/** What the tools of kits are carried out with. */
export interface KitCall {
  readonly environment: RunnerEnvironment;
  /** A mark for processes of a look at a condition, another each time. */
  readonly markOfLook: () => string;
}

/** Carries out the tools of kits, for one run. */
export interface KitCarrier {
  /** @throws RefusedCall for a tool that cannot be used */
  tool(name: string, binding: KitBinding, call: KitCall): Promise<Omit<Tool, 'definition'>>;
  /** @throws RefusedCall for a condition that cannot be looked at */
  condition(type: string, binding: KitBinding, call: KitCall): Promise<Condition>;
  panes(binding: KitBinding, call: KitCall): Promise<Panes>;
  /** Ends what was started for the tools that a toolbox has by it. */
  close(call: KitCall): Promise<void>;
}
