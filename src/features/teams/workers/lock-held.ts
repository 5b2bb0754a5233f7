/**
 * SQL for whether somebody holds an advisory lock of this database. It takes none, which would be in the way of whoever wants it.
 * @param key SQL for the number of the lock
 */
export function lockHeldSql(key: string): string {
  // PostgreSQL shows the number of an advisory lock in two halves, and 1 as the third part.
  return `exists (
    select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = ${key})`;
}
