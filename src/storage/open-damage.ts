import type { Plan } from '../plan/plan.js';
import type { Damage } from './plan-store.js';

/** What is damaged in a log and nobody has accepted: neither what was never acknowledged, nor what a newer version wrote. */
export function openDamage(damage: readonly Damage[], { header }: Plan): readonly Damage[] {
  const accepted = new Set(header.accepted_damage);
  return damage.filter(
    ({ kind, mark }) => kind === 'conflict_marker' || (kind === 'damaged' && !accepted.has(mark)),
  );
}
