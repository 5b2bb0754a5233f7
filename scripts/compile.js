// Compiles what is built for the Node that runs this, beside what is compiled for others: the build does so for its own.
import { compileCommands } from './bundle/compile.js';

await compileCommands('dist/cli');
