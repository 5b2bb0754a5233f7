/** SQL for the key of the lock by which others see that the process of a worker is alive. */
export function workerLockKey(name: string): string {
  return `hashtextextended('frctl worker ' || ${name}, 0)`;
}
