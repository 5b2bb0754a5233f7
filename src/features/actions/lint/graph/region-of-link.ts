import type { Region } from '../finding.js';
import type { Link } from './links.js';
import type { Subject } from '../subject.js';

/** Where a link is written: the dependency, or the reference within its string. */
export function regionOfLink({ reference, pointer }: Link, subject: Subject): Region {
  if (reference === null) return subject.placeOf(pointer);
  return subject.placeWithin(pointer, reference.start, reference.end);
}
