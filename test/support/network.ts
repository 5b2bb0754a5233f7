import { execFileSync, spawnSync } from 'node:child_process';
import { getuid } from 'node:process';

/** A machine with a network of its own: a network namespace of Linux. */
export interface FarMachine {
  /** What a command begins with that is to run there. */
  readonly within: readonly string[];
  /** Joins it to this machine by one more cable. */
  connect(): Cable;
  remove(): void;
}

/** Both ways, or only what this machine sends. */
export type Loss = 'everything' | 'what is sent from here';

/** A cable between this machine and another. */
export interface Cable {
  /** The address of this machine on it. */
  readonly here: string;
  /** Loses what is sent from now on, without a word to anybody. */
  cut(what: Loss): void;
  mend(): void;
}

/** Why there can be no other machine here; null when there can. */
export function whyNoFarMachine(): string | null {
  if (getuid?.() !== 0) return 'only root makes network namespaces';
  const name = `frctl-test-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (made.error !== undefined) return 'there is no `ip` (of iproute2) here';
  if (made.status !== 0) return made.stderr.trim();
  ip('netns', 'delete', name);
  return null;
}

let machines = 0;

/** Makes a machine that has nothing but itself. The addresses are of a range for tests (RFC 2544). */
export function newFarMachine(): FarMachine {
  machines += 1;
  const id = `${process.pid}${machines}`;
  const name = `frctl-${id}`;
  const within = ['ip', 'netns', 'exec', name];
  const there = (...words: readonly string[]) => ip('-netns', name, ...words);
  ip('netns', 'add', name);
  there('link', 'set', 'lo', 'up');
  let cables = 0;
  return {
    within,
    connect() {
      cables += 1;
      const network = `198.18.${process.pid % 250}.${(machines * 16 + cables * 4) % 252}`.split('.');
      const addressOf = (last: number) => [...network.slice(0, 3), Number(network[3]) + last].join('.');
      return layCable({ name, there, device: `fr${id}${cables}`, here: addressOf(1), far: addressOf(2) });
    },
    remove: () => ip('netns', 'delete', name),
  };
}

interface Ends {
  readonly name: string;
  readonly there: (...words: readonly string[]) => void;
  readonly device: string;
  readonly here: string;
  readonly far: string;
}

const HERE = '02:00:00:00:00:01';
const FAR = '02:00:00:00:00:02';
const NOBODY = '02:00:00:00:00:99';

/** What is sent to a wrong hardware address is lost without a word, as in a network that is cut. */
function layCable({ name, there, device, here, far }: Ends): Cable {
  const farDevice = `${device}f`;
  const peer = ['peer', 'name', farDevice, 'address', FAR, 'netns', name];
  ip('link', 'add', device, 'address', HERE, 'type', 'veth', ...peer);
  ip('address', 'add', `${here}/30`, 'dev', device);
  there('address', 'add', `${far}/30`, 'dev', farDevice);
  ip('link', 'set', device, 'up');
  there('link', 'set', farDevice, 'up');
  const sendTo = (toFar: string, toHere: string) => {
    ip('neighbour', 'replace', far, 'lladdr', toFar, 'dev', device, 'nud', 'permanent');
    there('neighbour', 'replace', here, 'lladdr', toHere, 'dev', farDevice, 'nud', 'permanent');
  };
  sendTo(FAR, HERE);
  return {
    here,
    cut: (what) => sendTo(NOBODY, what === 'everything' ? NOBODY : HERE),
    mend: () => sendTo(FAR, HERE),
  };
}

function ip(...words: readonly string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' });
}
