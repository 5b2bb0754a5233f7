import { endianness } from 'node:os';

/** The tokens of an encoding, each with its rank, as a table in which one is found without reading the others. */
export interface RankTable {
  /** The rank of the token that these bytes are: the lower, the sooner it is put together; Infinity where they are none. */
  readonly rankOf: (bytes: Uint8Array, start: number, end: number) => number;
}

/** Slots of the table beside a token: with fewer, looking takes longer; with more, the table does. */
const SLOTS_PER_TOKEN = 1.5;
const FREE = 0xffff_ffff;
/** Before the tables stand the number of tokens and that of slots. */
const HEAD_LENGTH = 8;

/**
 * The bytes of a table: how many tokens and slots, the slots with the rank of a token or with none, the length of each
 * token, and the tokens one after the other.
 * @param list by rank, each a text or, where it is none, its bytes: at most 255
 */
export function rankTableOf(list: readonly (string | readonly number[])[]): Buffer {
  const tokens = list.map((token) =>
    typeof token === 'string' ? Buffer.from(token) : Uint8Array.from(token),
  );
  const slotCount = Math.ceil(tokens.length * SLOTS_PER_TOKEN);
  const slots = Array<number>(slotCount).fill(FREE);
  for (const [rank, token] of tokens.entries()) {
    let slot = hashOf(token, 0, token.length) % slotCount;
    while (slots[slot] !== FREE) slot = (slot + 1) % slotCount;
    slots[slot] = rank;
  }
  const numbers = inFileOrder(Buffer.from(Uint32Array.from([tokens.length, slotCount].concat(slots)).buffer));
  const lengths = Uint8Array.from(tokens, ({ length }) => length);
  return Buffer.concat([numbers, lengths, ...tokens]);
}

/** @param file as `rankTableOf` makes it */
export function readRankTable(file: Buffer): RankTable {
  const [tokenCount, slotCount] = [file.readUInt32LE(0), file.readUInt32LE(4)];
  const lengthsStart = HEAD_LENGTH + slotCount * 4;
  // A copy, for numbers of four bytes are read in place only where they begin at a multiple of four.
  const { buffer } = Uint8Array.from(inFileOrder(file.subarray(HEAD_LENGTH, lengthsStart)));
  const slots = new Uint32Array(buffer);
  const lengths = file.subarray(lengthsStart, lengthsStart + tokenCount);
  const tokens = file.subarray(lengthsStart + tokenCount);
  const starts = new Uint32Array(tokenCount);
  for (let rank = 1; rank < tokenCount; rank += 1)
    starts[rank] = (starts[rank - 1] ?? 0) + (lengths[rank - 1] ?? 0);
  const isToken = (rank: number, bytes: Uint8Array, start: number, end: number): boolean => {
    const length = end - start;
    if (lengths[rank] !== length) return false;
    const from = starts[rank] ?? 0;
    for (let index = 0; index < length; index += 1)
      if (tokens[from + index] !== bytes[start + index]) return false;
    return true;
  };
  return {
    rankOf(bytes, start, end) {
      let slot = hashOf(bytes, start, end) % slotCount;
      for (;;) {
        const rank = slots[slot] ?? FREE;
        if (rank === FREE) return Infinity;
        if (isToken(rank, bytes, start, end)) return rank;
        slot = (slot + 1) % slotCount;
      }
    },
  };
}

/** Numbers of four bytes in the order of the file, least byte first, or from it, in place. */
function inFileOrder(numbers: Buffer): Buffer {
  return endianness() === 'LE' ? numbers : numbers.swap32();
}

/** FNV-1a of 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x0100_0193);
  return hash >>> 0;
}
