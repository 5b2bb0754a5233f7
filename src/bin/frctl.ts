#!/usr/bin/env node
import { start } from '../cli/start.js';

void start('frctl', async () => (await import('./commands.js')).COMMANDS);
