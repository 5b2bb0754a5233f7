/** A file of a format that is a folder, by its path in there, with `/`. */
export interface ExportedFile {
  readonly path: string;
  readonly text: string;
}
