import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import * as z from 'zod';

import type { User } from './command.js';
import { ERAS } from './mcp-client.js';
import type { Era } from './mcp-client.js';
import type { TreeNode } from './model-server.js';
import { UNLINKED } from './unlinked.js';

const deedSchema = z.object({
  server: z.number().optional(),
  sent: z.array(z.string()).optional(),
  acknowledged: z.array(z.string()).optional(),
  refused: z.array(z.unknown()).optional(),
  done: z.boolean().optional(),
});

/** What a host did: the process of its server, the goals it answered for, those it was told are stored. */
export type HostDeed = z.output<typeof deedSchema>;

export interface PlanningHost {
  readonly pid: number;
  /** Everything it has done so far. */
  readonly deeds: () => readonly HostDeed[];
  /** The next thing that it does; null once it has ended. */
  readonly next: () => Promise<HostDeed | null>;
  readonly ended: Promise<void>;
}

/** Starts a host in a process of its own, which plans a tree that it knows over `plan mcp`. */
export function startPlanningHost(user: User, tree: TreeNode, era: Era): PlanningHost {
  const file = join(user.home, 'tree.json');
  writeFileSync(file, JSON.stringify(tree));
  const args = [resolve('test/support/mcp/planning-host.mjs'), file, resolve('dist/cli/plan.js')];
  const child = spawn(process.execPath, [...args, JSON.stringify(ERAS[era])], {
    cwd: user.folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: user.home,
      XDG_CONFIG_HOME: `${user.home}/.config`,
      ...UNLINKED,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  let seen = 0;
  let wake = () => undefined as void;
  let isOver = false;
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString();
    wake();
  });
  const ended = new Promise<void>((done) => {
    child.on('close', () => {
      isOver = true;
      wake();
      done();
    });
  });
  const deeds = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => deedSchema.parse(JSON.parse(line)));
  const next = async (): Promise<HostDeed | null> => {
    for (;;) {
      const deed = deeds()[seen];
      if (deed !== undefined) {
        seen += 1;
        return deed;
      }
      if (isOver) return null;
      await new Promise<void>((resolveNext) => (wake = resolveNext));
    }
  };
  return { pid: child.pid ?? 0, deeds, next, ended };
}
