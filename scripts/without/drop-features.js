import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cutImports } from './cut-imports.js';

/**
 * Takes features out of a copy of the project: their folders, the folders of others that bear their names, and what names
 * them in lists. A feature that imports one of them from elsewhere is nothing without it, and goes as well.
 * @param {string} root of the copy @param {readonly string[]} names
 * @returns {readonly string[]} the features that are gone
 */
export function dropFeatures(root, names) {
  const features = join(root, 'src/features');
  const gone = new Set(names);
  // The set grows while it is walked.
  for (const name of gone) {
    if (!existsSync(join(features, name))) throw new Error(`there is no feature ${name}`);
    rmSync(join(features, name), { recursive: true });
    for (const other of readdirSync(features))
      rmSync(join(features, other, name), { recursive: true, force: true });
    for (const other of readdirSync(features))
      if (ownSources(features, other).some((file) => namesFeature(file, features, name))) gone.add(other);
  }
  for (const file of sourcesIn(join(root, 'src'))) {
    const text = readFileSync(file, 'utf8');
    const left = cutImports(text, file, (specifier) => !isThere(file, specifier));
    if (left !== text) writeFileSync(file, left);
  }
  return [...gone];
}

/** The files of a feature but for those in folders that bear the names of others, which go with these. */
function ownSources(features, feature) {
  const shared = readdirSync(features).map((name) => join(features, feature, name, '/'));
  return sourcesIn(join(features, feature)).filter(
    (file) => !shared.some((folder) => file.startsWith(folder)),
  );
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/** Whether a file imports from the folder of a feature. */
function namesFeature(file, features, name) {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g);
  return Array.from(specifiers, ([, specifier]) => join(dirname(file), specifier)).some((path) =>
    path.startsWith(join(features, name, '/')),
  );
}

function isThere(file, specifier) {
  if (!specifier.startsWith('.')) return true;
  const path = join(dirname(file), specifier);
  return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].some((each) => existsSync(each));
}
