/** Whether Task Master's word for how it stands with a task says that nothing is left to do: it is done, or nobody wants it any more. */
export function isFinishedStatus(status: string | null | undefined): boolean {
  return status === 'done' || status === 'completed' || status === 'cancelled';
}
