import { readTextFile } from '../../../host/files/text-files.js';
import { packageFile } from '../../../host/package-file.js';

/** A file of the page, as it is sent. */
export interface PageAsset {
  readonly type: string;
  readonly text: string;
}

const ASSETS = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/favicon.svg', 'favicon.svg', 'image/svg+xml'],
] as const;

/** The files of the page by their paths on the server, as the build has made them. @throws PlanError FILE_NOT_FOUND */
export async function pageAssets(): Promise<ReadonlyMap<string, PageAsset>> {
  const read = ASSETS.map(async ([path, file, type]) => {
    const text = await readTextFile(packageFile(`dist/web/${file}`));
    return [path, { type, text }] as const;
  });
  return new Map(await Promise.all(read));
}
