/** Options that every command takes. */
export const SHARED_OPTIONS: readonly {
  readonly flags: string;
  readonly description: string;
}[] = [
  { flags: '--json', description: 'print exactly one JSON document' },
  { flags: '--dir <path>', description: 'the store’s folder (default: the nearest .plans/ upward)' },
  { flags: '--no-color', description: 'no colours' },
  { flags: '--debug', description: 'show the stack of an unexpected error' },
];
