/**
 * The members of a plan file and of a goal, in the order in which they are written. The build puts the orders here, which
 * are those of the schemas, for looking into these needs zod; until then there are none, and the schemas are looked into.
 */
export const MEMBER_ORDER: { readonly plan?: readonly string[]; readonly goal?: readonly string[] } = {};
