/** Whether a text has a letter or a digit that can be seen; one without says nothing to anybody. */
export function saysSomething(text: string): boolean {
  return SEEN.test(text);
}

const SEEN = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;
