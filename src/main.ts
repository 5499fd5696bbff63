#!/usr/bin/env node
// The command line's door. What there is behind it, `command-line/` knows.

import { main } from './command-line/index.js'

await main()
