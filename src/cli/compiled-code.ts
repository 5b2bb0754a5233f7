import process from 'node:process';
import type { Script } from 'node:vm';

/** Before what V8 made of a file stand two checksums, as scripts/bundle/write-compiled.cjs writes them: of the file, and of what V8 made. */
const CHECKSUMS_LENGTH = 8;

/**
 * Has the files of the commands run as V8 compiled them when the commands were built, which takes a tenth of the time. What
 * was compiled is for the Node it was made with alone: any other finds none, and one with other settings of V8 refuses it.
 * Then, and where a file or what belongs to it is another than it was, the file is compiled as ever.
 * Such a file cannot import a module while it runs: the build has another file do so (scripts/bundle/imports.js).
 * Modules of Node are taken when they are needed, since an import of one makes the version wait for a further file.
 * @param folder of the built commands; what was compiled stands in it by Node
 */
export function useCompiledCode(folder: string): void {
  const path = process.getBuiltinModule('node:path');
  const compiled = path.join(folder, 'compiled', `${process.version}-${process.platform}-${process.arch}`);
  if (!process.getBuiltinModule('node:fs').existsSync(compiled)) return;
  const { createRequire } = process.getBuiltinModule('node:module');
  const { extensions } = createRequire(path.join(folder, 'start.js'));
  const load = extensions['.js'];
  extensions['.js'] = (module, file) => {
    const script = path.dirname(file) === folder ? compiledScript(file, compiled) : null;
    const run: unknown = script?.runInThisContext();
    if (typeof run !== 'function') return void load(module, file);
    Reflect.apply(run, module.exports, [module.exports, createRequire(file), module, file, folder]);
  };
}

/** A script that gives a file as a function over what a module has; null where what was compiled is missing or of another file. */
function compiledScript(file: string, folder: string): Script | null {
  const path = process.getBuiltinModule('node:path');
  const compiled = bytesOf(path.join(folder, `${path.basename(file)}.bin`));
  if (compiled.length < CHECKSUMS_LENGTH) return null;
  const { Script } = process.getBuiltinModule('node:vm');
  const { crc32 } = process.getBuiltinModule('node:zlib');
  const [source, cachedData] = [bytesOf(file), compiled.subarray(CHECKSUMS_LENGTH)];
  if (compiled.readUInt32LE(0) !== crc32(source) || compiled.readUInt32LE(4) !== crc32(cachedData))
    return null;
  return new Script(
    `(function (exports, require, module, __filename, __dirname) {\n${source.toString()}\n})`,
    {
      // What was compiled says this name in stack traces, wherever it is installed, so that it says no folder of whoever built it.
      filename: `frctl/${path.basename(file)}`,
      // The first line is not the file's.
      lineOffset: -1,
      cachedData,
    },
  );
}

function bytesOf(file: string): Buffer {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(file);
  } catch {
    return Buffer.of();
  }
}
