import { readdirSync, readFileSync } from 'node:fs';

import { DIALECT_NAMES } from '../../src/features/actions/model/dialect.js';
import type { DialectName } from '../../src/features/actions/model/dialect.js';

const FOLDER = 'test/fixtures/action-plans';

/** A plan of the fixtures. */
export interface ActionPlanFile {
  readonly dialect: DialectName;
  /** `wa/retries` */
  readonly name: string;
  readonly text: string;
}

/** Every plan of `test/fixtures/action-plans`, and the vectors of wa that wa itself would read. */
export const ACTION_PLAN_FILES: readonly ActionPlanFile[] = DIALECT_NAMES.flatMap((dialect) => [
  ...filesIn(dialect, `${FOLDER}/${dialect}`),
  ...(dialect === 'wa' ? filesIn(dialect, 'test/fixtures/wa') : []),
]);

function filesIn(dialect: DialectName, folder: string): readonly ActionPlanFile[] {
  return readdirSync(folder)
    .filter((file) => file !== 'manifest.json' && !file.includes('version-99'))
    .toSorted()
    .map((file) => ({
      dialect,
      name: `${dialect}/${file.replace('.json', '')}`,
      text: readFileSync(`${folder}/${file}`, 'utf8'),
    }));
}
