#!/usr/bin/env node
import { runCommandLine } from './main.js';

void runCommandLine('plan');
