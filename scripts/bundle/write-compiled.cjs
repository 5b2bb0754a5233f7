const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { crc32 } = require('node:zlib');

/** So many bytes stand before what V8 made, as src/cli/compiled-code.ts reads them: two checksums. */
exports.CHECKSUMS_LENGTH = 8;

/**
 * Writes what V8 made of a file as src/cli/compiled-code.ts reads it.
 * @param {string} folder @param {string} file @param {Buffer} made
 */
exports.writeCompiled = (folder, file, made) => {
  const checksums = Buffer.alloc(exports.CHECKSUMS_LENGTH);
  checksums.writeUInt32LE(crc32(readFileSync(file)), 0);
  checksums.writeUInt32LE(crc32(made), 4);
  writeFileSync(path.join(folder, `${path.basename(file)}.bin`), Buffer.concat([checksums, made]));
};
