/** The format version that this code writes. A file without one is 1.0. */
export const SCHEMA_VERSION = '1.0';

/** Whether this code reads a format version: it knows that major number. */
export function isKnownVersion(version: unknown): boolean {
  return typeof version === 'string' && version.split('.')[0] === SCHEMA_VERSION.split('.')[0];
}
