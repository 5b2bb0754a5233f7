// Loaded before a command when the commands are built: at its end, writes what V8 has compiled of each file of the bundle.
const path = require('node:path');
const process = require('node:process');
const vm = require('node:vm');

const { writeCompiled } = require('./write-compiled.cjs');

const made = new Map();

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    if (this.cachedDataRejected && options.cachedData.length > 0)
      throw new Error(`${options.filename} is not taken as it was compiled`);
    made.set(options.filename, this);
  }
};

process.on('exit', () => {
  for (const [file, script] of made)
    writeCompiled(
      process.env.COMPILED,
      path.resolve(process.env.COMPILED, '../..', path.basename(file)),
      script.createCachedData(),
    );
});
