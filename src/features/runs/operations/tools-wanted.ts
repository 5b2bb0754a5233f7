import type { ActionPlan } from '../../actions/model/action-plan.js';
import type { DialectName } from '../../actions/model/dialect.js';
import type { Policy } from '../../actions/policy/policy.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { PreparedRun } from '../model/prepared-run.js';
import type { Toolbox } from '../model/tool.js';
import type { NeededTools } from '../model/tools/needed-tools.js';

/** The least sandbox of every command, and whether nothing runs without it. */
type Confinement = Pick<Policy, 'sandbox' | 'require_sandbox'>;

/** What the tools of a run are opened for. */
export interface ToolsWanted {
  readonly plan: ActionPlan;
  readonly dialect: DialectName;
  /** The tools file; `.plans/tools.yaml` where it is left out. */
  readonly file: string | undefined;
  /** What the policy says of the sandbox of commands. */
  readonly confinement: Confinement | undefined;
  /** The id of the run, or what stands for one that there is not yet. */
  readonly run: string;
  /** What is run: nothing of its servers is started that is not what was prepared. */
  readonly prepared?: Pick<PreparedRun, 'tools' | 'conditions'>;
  /** Values of the host, such as what is selected, by the names that plans have for them. */
  readonly host: JsonObject;
  /** Keeps the content of a file that is about to be replaced. */
  readonly keep: (content: Buffer) => Promise<string>;
}

/** What is bound, by the names that plans use. */
interface Bound {
  readonly tools: readonly string[];
  readonly conditions: readonly string[];
}

/** The tools that a run may call. */
export interface ToolsOfRun {
  readonly toolbox: Toolbox;
  /** The tools file, as it is found again; null where a program has brought the tools. */
  readonly file: string | null;
  /** What the plan names and nothing is bound to. */
  readonly unbound: NeededTools;
  /** What it could name instead: all that is bound, whether it names it or not. */
  readonly bound: Bound;
  /** What whoever approves should know of them. */
  readonly warnings: readonly string[];
}
