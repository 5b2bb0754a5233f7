import { fileURLToPath } from 'node:url';

/**
 * The path of a file of the installed package, such as `schemas/plan-v1.schema.json`. The build keeps this file two
 * folders below the package, on its own and in the bundles.
 */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
