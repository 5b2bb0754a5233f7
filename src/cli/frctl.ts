#!/usr/bin/env node
import { runCommandLine } from './main.js';

await runCommandLine('frctl');
