import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What lets a browser in. */
export interface BrowserSession {
  readonly token: string;
  /** A name that only those know who have the token: tabs of a browser find each other by it. */
  readonly channel: string;
  /** Whether a text is the token; how long that takes says nothing of it. */
  isToken(given: string): boolean;
  /** A code that stands for the token once, within {@link CODE_MS}. @param whenUsed called when it was exchanged */
  newCode(whenUsed?: () => void): string;
  /** The token for such a code; null for any other, or the second time. */
  redeem(given: string): string | null;
}

/** How long a code is good, in milliseconds. */
export const CODE_MS = 60_000;

/** Begins a session with a token of 256 bits. @param now milliseconds, of whatever clock */
export function newSession(now: () => number): BrowserSession {
  const token = secret();
  const codes = new Map<string, { readonly until: number; readonly whenUsed: () => void }>();
  return {
    token,
    channel: secret(),
    isToken: (given) => isSame(given, token),
    newCode(whenUsed = () => undefined) {
      const code = secret();
      codes.set(code, { until: now() + CODE_MS, whenUsed });
      return code;
    },
    redeem(given) {
      const found = [...codes].find(([code]) => isSame(given, code));
      if (found === undefined) return null;
      const [code, { until, whenUsed }] = found;
      codes.delete(code);
      whenUsed();
      return now() <= until ? token : null;
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
