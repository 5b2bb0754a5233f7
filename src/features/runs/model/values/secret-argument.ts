/** Returns the name of the secret that an argument stands for; undefined where it is a text of its own. */
export function secretOfArgument(text: string): string | undefined {
  return /^secret:([\w-]+)$/.exec(text)?.[1];
}
