/** The size of a goal's box, and from one to the next, in pixels. */
export const BOX = { width: 210, height: 46, column: 270, row: 58 } as const;
