#!/usr/bin/env node
import { start } from './start.js';

void start('frctl');
