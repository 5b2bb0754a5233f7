/**
 * Whether a plan is archived: as its events say; where they never said, as the folder of its files does, into which
 * 0.1 moved archived plans.
 * @param archivedAt the header's `archived_at`
 * @param inArchive whether its files are in that folder
 */
export function isArchived(archivedAt: string | null | undefined, inArchive: boolean): boolean {
  return archivedAt === undefined ? inArchive : archivedAt !== null;
}
