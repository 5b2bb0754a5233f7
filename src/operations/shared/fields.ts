import * as z from 'zod';

/** How a member of an input is given on the command line, where its name and its type do not say it. */
export interface CommandLineField {
  /** What stands for its value in help: `--token <token>`; for a text `text`, for a number `n`. */
  readonly value?: string;
  /** Another name than the member's: `tag` for `tags`. */
  readonly flag?: string;
  /** A former name of the option, which is taken and not shown: `because` for `--because`. */
  readonly formerly?: string;
  /** One letter: `o` for `-o`. */
  readonly short?: string;
  /** The option says no: `--no-decompose` for `decompose`. */
  readonly negated?: boolean;
  /** As an argument it is several words, which are joined with spaces. */
  readonly words?: boolean;
  /** It cannot be given on the command line. */
  readonly hidden?: boolean;
  /** The text of another member, the name of a file, when that is `-`: standard input. */
  readonly textOf?: string;
  /** Another option that cannot be given with it. */
  readonly conflicts?: string;
  /** The members of this member are options of their own, with this before their names. */
  readonly prefix?: string;
  /** What a number on the command line becomes: seconds to milliseconds. */
  readonly factor?: number;
}

/** Members of inputs as they were described; looking into a schema takes long, so that is left until it is asked for. */
const described: [schema: z.ZodType, how: CommandLineField][] = [];
/** The same, by what identifies a schema. They are kept apart from the schemas, which are published. */
const fields = new WeakMap<object, CommandLineField>();

/** How a member of an input is given on the command line; nothing for one that is not to be. */
export function fieldOf(schema: z.core.$ZodType): CommandLineField | undefined {
  for (const [member, how] of described.splice(0)) fields.set(member._zod, how);
  return fields.get(schema._zod);
}

/** Describes a member of an input: in help, in docs and in the published schema. */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  how: CommandLineField = {},
): Schema {
  const member = schema.describe(description);
  described.push([member, how]);
  return member;
}

/** A field of an operation's input for a text that may be left out. */
export function text(description: string, value = 'text', how: CommandLineField = {}) {
  return field(z.string().optional(), description, { value, ...how });
}

/** A field of an operation's input for texts that may be left out. */
export function texts(description: string, value = 'text', how: CommandLineField = {}) {
  return field(z.array(z.string()).readonly().optional(), description, { value, ...how });
}

/** A field of an operation's input for something that is done only when it is asked for. */
export function toggle(description: string, how: CommandLineField = {}) {
  return field(z.boolean().optional(), description, how);
}

/** A field of an operation's input for a number of at least 0 that may be left out. */
export function count(description: string, how: CommandLineField = {}) {
  return field(z.number().nonnegative().optional(), description, { value: 'n', ...how });
}

/** A field of an operation's input for a whole number of at least 0 that may be left out. */
export function whole(description: string, how: CommandLineField = {}) {
  return field(z.int().nonnegative().optional(), description, { value: 'n', ...how });
}

/** A field of an operation's input for one of some words, or none. */
export function choice<const Words extends readonly string[]>(
  words: Words,
  description: string,
  how: CommandLineField = {},
) {
  return field(z.enum(words).optional(), description, how);
}

/** The field for a plan, as an argument. */
export const planArgument = () =>
  text(
    'plan id, its first 3+ characters, or words of its goal (default: that of `plan use`, else the one changed last)',
    'plan',
  );

/** The field for a goal, as an argument. */
export const goalArgument = () =>
  field(z.string(), 'goal id, its suffix (k3f9x2, root) or its number (1.2.3)', { value: 'goal' });

/** The field for the plan of an operation whose argument is a goal. */
export const planOption = () =>
  text('the plan (default: that of `plan use`, else the one changed last)', 'plan');
