#!/usr/bin/env node
// The command line's door; `command-line/` implements it.

import { main } from './command-line/index.js'

await main()
