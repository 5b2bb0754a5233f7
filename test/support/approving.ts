import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import type { Workspace } from '../../src/workspace.js';
import { temporaryFolder } from './folders.js';

/** Two tools: one that writes a file, one that reads. */
export const TOOLS = `tools:
  - name: note
    run: { file: write, root: notes }
  - { name: look, effects: none, run: { command: [echo, looked] } }
`;
/** A plan of one step that writes notes/a.md. */
export const PLAN = {
  schema_version: '1.0',
  title: 'Write a note',
  steps: [{ id: 'n', tool: 'note', args: { path: 'a.md', text: 'hello' } }],
};

/** A folder with a plan, and a user who trusts its tools. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly workspace: Workspace;
  /** The same folder for somebody else, or at another time. */
  readonly as: (change: {
    home?: string;
    folder?: string;
    now?: () => number;
    path?: string;
    pid?: number;
  }) => Workspace;
}

/** Makes such a place. @param tools the text of its tools file */
export async function newPlace(plan: object = PLAN, tools = TOOLS): Promise<Place> {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, '.plans'));
  writeFileSync(join(folder, '.plans/tools.yaml'), tools);
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const as: Place['as'] = (change) =>
    openWorkspace({
      environment: {
        ...defaultEnvironment(),
        workingFolder: change.folder ?? folder,
        homeFolder: change.home ?? home,
        variables: { PATH: change.path ?? process.env.PATH },
        ...(change.pid === undefined ? {} : { pid: change.pid }),
        ...(change.now === undefined ? {} : { now: change.now }),
      },
    });
  const workspace = as({});
  const { digest } = await workspace.tools.trust({});
  await workspace.tools.trust({ digest });
  return { folder, home, workspace, as };
}

/** Prepares the plan. */
export const prepare = async (workspace: Workspace) => {
  const prepared = await workspace.prepare('plan.json', {});
  return { run: prepared.run, code: prepared.approval?.code ?? '' };
};

/** What a person does at a terminal: look, and say yes to what was shown. */
export async function agree(workspace: Workspace, code: string) {
  const { shown } = await workspace.approve({ code, dryRun: true });
  return workspace.approve({ code, agreed: { via: 'terminal', shown } });
}

/** What a person does who has read the list of signers: trusts those who approve as they are now. */
export async function trustApprovers(workspace: Workspace) {
  const { digest } = await workspace.config.trustApprovers({});
  return workspace.config.trustApprovers({ digest });
}

/** Carries a run out. */
export const carryOut = (workspace: Workspace, run: string) => workspace.run(run, {}).result;
/** Whether the plan has done what it does. */
export const written = ({ folder }: Place) => existsSync(join(folder, 'notes/a.md'));
/** The log of a run. */
export const logOf = ({ folder }: Place, run: string) =>
  readFileSync(join(folder, '.plans/runs', `${run}.events.jsonl`), 'utf8');
