#!/usr/bin/env node
import { start } from '../cli/start.js';

void start('plan', async () => (await import('./commands.js')).COMMANDS);
