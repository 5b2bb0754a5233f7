/** How long the database may leave a member without an answer before it is taken to be out of reach. */
const ANSWER_MS = 10_000;

/** Waits for an answer of the database only so long. @throws when it does not answer */
export async function answerInTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database does not answer')), ANSWER_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
