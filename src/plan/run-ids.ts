/** The id of a run. Nothing else may become part of a path. */
export const RUN_ID_PATTERN = /^run-[0-9a-z]{8}$/;
