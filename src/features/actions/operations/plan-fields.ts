import * as z from 'zod';

import { DIALECT_NAMES } from '../model/dialect.js';
import { choice, field } from '../../../operations/shared/fields.js';

/** The file of an action plan, as an argument. */
export const planFileArgument = () =>
  field(z.string(), 'an action plan of any dialect, or - for standard input', { value: 'file' });

/**
 * The field of an operation on action plans for the text of standard input.
 * @param of the member that names it as `-`
 */
export const standardInput = (of: string) =>
  field(z.string().optional(), 'the text of standard input', { textOf: of });

/** The field for the dialect of a file with an action plan; left out, its shape tells. */
export const dialectOption = () =>
  choice(DIALECT_NAMES, 'the dialect of the file (default: by its shape)', { value: 'dialect' });

/**
 * The field for the dialect of an action plan under the name that it had first, which elsewhere is the form of a
 * report.
 */
export const dialectAsFormat = () => choice(DIALECT_NAMES, 'the same as --dialect', { value: 'dialect' });

/** A dialect as it is named in a report. */
export const dialectSchema = z.enum(DIALECT_NAMES);
