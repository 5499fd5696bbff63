// Apart from the commands, which take longer to load than these threads to start.

export { startThreads } from '../index.js'
