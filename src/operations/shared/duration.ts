const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a time such as `90s`, `15m`, `2h` or `30d`: a whole number with its unit. Null for any other text. */
export function parseDuration(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  return amount === undefined ? null : Number(amount) * (MILLISECONDS[unit] ?? 0);
}
