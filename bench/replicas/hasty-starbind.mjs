// `starbind`, which counts a process without a sign of life as gone after another time: node hasty-starbind.mjs MS serve …

import { timing } from '../../dist/state/redis/timing.js'

timing.leaseMs = Number(process.argv.splice(2, 1)[0])
const { main } = await import('../../dist/command-line/index.js')
await main()
