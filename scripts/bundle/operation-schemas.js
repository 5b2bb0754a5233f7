// Writes schemas/operations/: what every command takes, and what it prints with --json, as its operation's zod schemas say.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

const FOLDER = 'schemas/operations';
const DRAFT = 'draft-2020-12';

/** Writes two files for each operation of the library that was built; nothing else is in their folder then. */
export async function writeOperationSchemas() {
  const { ALL_OPERATIONS } = await import('../../dist/features.js');
  const { warningsSchema } = await import('../../dist/operations/shared/report-schemas.js');
  const { $schema: _draft, ...warnings } = z.toJSONSchema(warningsSchema, { target: DRAFT });
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, row] of Object.entries(ALL_OPERATIONS)) {
    const { input, output } = await row.load();
    const printed = typeof output === 'function' ? await output() : output;
    write(
      `plan ${name}: input`,
      `${name}.input`,
      z.toJSONSchema(input, { target: DRAFT, io: 'input', reused: 'ref' }),
    );
    const schema = z.toJSONSchema(printed, { target: DRAFT, io: 'output', reused: 'ref' });
    write(`plan ${name}: --json`, `${name}.output`, withWarnings(schema, warnings));
  }
}

function write(title, name, { $schema, ...schema }) {
  const file = name.replaceAll(' ', '-');
  const whole = { $schema, $id: `urn:frctl:operation:${file}`, title, ...schema };
  writeFileSync(`${FOLDER}/${file}.schema.json`, `${JSON.stringify(whole, null, 2)}\n`);
}

/** Whatever is printed may have warnings beside it of what failed after a change was stored. */
function withWarnings(schema, warnings) {
  const { anyOf, properties } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map((one) => withWarnings(one, warnings)) };
  if (properties === undefined || properties.warnings !== undefined) return schema;
  return { ...schema, properties: { ...properties, warnings } };
}
