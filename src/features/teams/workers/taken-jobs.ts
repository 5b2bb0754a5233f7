/** A job as the database has it that a pool of the engine holds, told from the same job at another time by when it was taken. */
export interface TakenJob {
  readonly id: string;
  readonly locked_at: Date;
}

/** What of the jobs that a pool of the engine holds by the database it will never get, and what it may still get. */
interface Unknown<Job> {
  /** Nobody has them in hand, nor will: the answer that would have brought them is lost. */
  readonly lost: readonly Job[];
  /** Whether there are others whose answers may be on their way. */
  readonly isUnsure: boolean;
}

/** The jobs that looks have brought to one pool of the engine. */
export interface TakenJobs {
  /** A look for a job is sent. */
  asks(looking: object): void;
  /** What came of that look: a job, or none. Nothing more will come of it. */
  gets(looking: object, job: TakenJob | null): void;
  /** Nothing is left to do of a job but to tell the database. */
  ends(job: TakenJob): void;
  /** Resolves once no job is in hand, and no look under way that could bring one. */
  idle(): Promise<void>;
  /**
   * To be called before the database is asked which jobs the pool holds.
   * @returns judges the answer, when it is there
   */
  compare(): <Job extends TakenJob>(held: readonly Job[]) => Unknown<Job>;
}

/** Keeps account of the jobs of a pool that holds none yet. */
export function createTakenJobs(): TakenJobs {
  let asked = 0;
  const underWay = new Map<object, number>();
  const taken = new Set<string>();
  const ended = new Set<string>();
  /** Strangers, each with how many looks were sent when it was first seen: one of those may bring it, no later one. */
  let strangers: ReadonlyMap<string, number> = new Map();
  const waiting: (() => void)[] = [];

  return {
    asks(looking) {
      underWay.set(looking, (asked += 1));
    },
    gets(looking, job) {
      underWay.delete(looking);
      if (job !== null) taken.add(keyOf(job));
      tellIdle();
    },
    ends(job) {
      ended.add(keyOf(job));
      tellIdle();
    },
    idle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        tellIdle();
      }),
    compare() {
      const over = [...ended];
      return (held) => {
        const keys = new Set(held.map(keyOf));
        for (const key of over.filter((one) => !keys.has(one)))
          for (const set of [ended, taken]) set.delete(key);
        const unknown = held.filter((job) => !taken.has(keyOf(job)));
        strangers = new Map(unknown.map((job) => [keyOf(job), strangers.get(keyOf(job)) ?? asked]));
        const lost = unknown.filter((job) => isLost(keyOf(job)));
        return { lost, isUnsure: lost.length < unknown.length };
      };
    },
  };

  function tellIdle(): void {
    if (underWay.size > 0 || taken.size > ended.size) return;
    for (const resolve of waiting.splice(0)) resolve();
  }

  function isLost(key: string): boolean {
    const sent = strangers.get(key) ?? asked;
    return [...underWay.values()].every((look) => look > sent);
  }
}

function keyOf({ id, locked_at }: TakenJob): string {
  return `${id} ${locked_at.getTime()}`;
}
