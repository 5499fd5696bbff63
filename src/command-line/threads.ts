// In a module of its own: the threads start faster than the commands load.

export { startThreads } from '../index.js'
