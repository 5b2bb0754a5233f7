import type { Damage, PlanLog } from '../../plan-store.js';
import { removeConflictMarkers } from './remove-conflict-markers.js';
import { openDamage } from '../../open-damage.js';
import type { Diagnosis } from '../../maintenance.js';

const NOTES: Readonly<Record<'torn' | 'unknown', Pick<Diagnosis, 'code' | 'cure'>>> = {
  torn: {
    code: 'TORN_LINE',
    cure: 'Nothing needs to be done: the line is passed over. A writer that is stopped leaves such a line, and so does a file that was cut off.',
  },
  unknown: {
    code: 'UNKNOWN_EVENT',
    cure: 'Update frctl to a version that knows it; what it changed is not shown until then.',
  },
};

/** What cannot be read in the log of a plan. @param reopen opens the plan anew */
export function damageDiagnoses(
  log: PlanLog,
  file: string,
  reopen: () => Promise<PlanLog>,
): readonly Diagnosis[] {
  const open = openDamage(log.damage, log.plan);
  const damaged = open.filter(({ kind }) => kind === 'damaged');
  const markers = open.filter(({ kind }) => kind === 'conflict_marker');
  return [
    ...log.damage.flatMap((damage): readonly Diagnosis[] =>
      damage.kind === 'torn' || damage.kind === 'unknown'
        ? [{ ...NOTES[damage.kind], severity: 'note', file, message: messageOf(damage) }]
        : [],
    ),
    ...damaged.map((damage, index): Diagnosis => ({
      code: 'DAMAGED_EVENT',
      severity: 'error',
      file,
      message: messageOf(damage),
      cure: 'What this event changed is lost unless version control or a backup has it; the others stand. `plan doctor --accept` notes that it was looked at.',
      accept: index === 0 ? () => acceptAll(log, damaged, reopen) : async () => 'accepted with the first',
    })),
    ...(markers.length === 0 ? [] : [conflictMarkers(markers, file, reopen)]),
  ];
}

function messageOf({ line, reason }: Damage): string {
  return `line ${line}: ${reason}`;
}

async function acceptAll(
  log: PlanLog,
  damage: readonly Damage[],
  reopen: () => Promise<PlanLog>,
): Promise<string> {
  const accepted = damage.map(({ mark, reason }) => ({ mark, reason }));
  await log.append([{ type: 'damage_accepted', damage: accepted }]);
  // From the plan file on, which may have what the damaged event had changed.
  await (await reopen()).publish('now');
  return 'noted in the log that it was looked at; what stood there stays lost';
}

function conflictMarkers(
  [first, ...others]: readonly Damage[],
  file: string,
  reopen: () => Promise<PlanLog>,
): Diagnosis {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return {
    code: 'CONFLICT_MARKERS',
    severity: 'error',
    file,
    message: `a merge left its markers in the log, in line ${first?.line ?? 0}${more}; the events of both sides are read`,
    cure: '`plan doctor --fix` takes the markers out and keeps the events of both sides.',
    async mend() {
      if (!(await removeConflictMarkers(file))) return null;
      await (await reopen()).publish('now');
      return 'took the markers out; the events of both sides are kept';
    },
  };
}
