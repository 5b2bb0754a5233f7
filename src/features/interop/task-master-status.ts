/** Whether Task Master's status of a task says that nothing is left to do: it is done, or nobody wants it any more. */
export function isTaskMasterFinished(status: string | null | undefined): boolean {
  return status === 'done' || status === 'completed' || status === 'cancelled';
}
