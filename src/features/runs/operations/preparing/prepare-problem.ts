/** Why a plan cannot be run, told as the checks of `plan lint` tell it. */
export interface PrepareProblem {
  readonly rule: string;
  readonly message: string;
  readonly step: string | null;
  /** Where in the document, as a JSON Pointer. */
  readonly path?: string;
}
