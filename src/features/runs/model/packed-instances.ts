import { layeredMap } from '../../../kernel/layered-map.js';
import type { LayeredMap } from '../../../kernel/layered-map.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { PENDING } from './instance.js';
import type { Instance, RunOutput } from './instance.js';

/** Kinds that are kept once for all instances of them; those of further kinds are kept as they are. */
const MOST_KINDS = 1000;

type Kind = Omit<Instance, 'started_at' | 'ended_at' | 'output'>;

/**
 * The instances of a run. One that is over is held as a short text, since a foreach may have tens of thousands: what it
 * shares with others once, its times as numbers, and what its output is known by.
 */
export function instanceMap(): LayeredMap<Instance> {
  const kinds = kindTable();
  return mapOf(layeredMap<string | Instance>());

  function mapOf(held: LayeredMap<string | Instance>): LayeredMap<Instance> {
    return {
      size: held.size,
      get(name) {
        const found = held.get(name);
        return typeof found === 'string' ? unpacked(found) : found;
      },
      with: (name, instance) => mapOf(held.with(name, packed(instance) ?? instance)),
      *[Symbol.iterator]() {
        for (const [name, one] of held) yield [name, typeof one === 'string' ? unpacked(one) : one];
      },
    };
  }

  /** An instance as a text; null for one that will change, or is unlike others. */
  function packed({ started_at, ended_at, output, ...kind }: Instance): string | null {
    if (kind.state !== 'succeeded' && kind.state !== 'skipped') return null;
    const number = kinds.numberOf(kind);
    if (number === null) return null;
    // Joined, for a text that is put together otherwise holds its parts.
    return [number, packedTime(started_at), packedTime(ended_at), packedOutput(output)].join(' ');
  }

  function unpacked(text: string): Instance {
    const [number = '', started = '', ended = ''] = text.split(' ', 3);
    const output = unpackedOutput(text.slice(number.length + started.length + ended.length + 3));
    return {
      ...(kinds.at(Number(number)) ?? PENDING),
      started_at: unpackedTime(started),
      ended_at: unpackedTime(ended),
      output,
    };
  }
}

/** What an output is known by, after a letter that says what that is. */
function packedOutput(output: RunOutput | null): string {
  if (output === null) return '';
  if ('event' in output) return `e${output.event}`;
  return 'file' in output ? `f${output.file}` : `v${JSON.stringify(output.value)}`;
}

function unpackedOutput(text: string): RunOutput | null {
  const rest = text.slice(1);
  if (text === '') return null;
  if (text.startsWith('e')) return { event: rest };
  if (text.startsWith('f')) return { file: rest };
  const value: JsonValue = JSON.parse(rest);
  return { value };
}

interface KindTable {
  /** The number of a kind; null when there are too many of them. */
  numberOf(kind: Kind): number | null;
  at(number: number): Kind | undefined;
}

function kindTable(): KindTable {
  const kinds: Kind[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(kind) {
      const text = JSON.stringify(kind);
      const known = numbers.get(text);
      if (known !== undefined || kinds.length >= MOST_KINDS) return known ?? null;
      numbers.set(text, kinds.length);
      return kinds.push(kind) - 1;
    },
    at: (number) => kinds[number],
  };
}

/** A time in a third of its length, where it is written as this program writes times. */
function packedTime(time: string | null): string {
  if (time === null) return '';
  const ms = Date.parse(time);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === time ? ms.toString(36) : time;
}

function unpackedTime(text: string): string | null {
  if (text === '') return null;
  // A time that was left as it was has a hyphen after its year.
  return text.includes('-', 1) ? text : new Date(Number.parseInt(text, 36)).toISOString();
}
