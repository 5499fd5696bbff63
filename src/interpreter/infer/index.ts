export { type Inference, infer } from './infer.js'
export { readings, type StarlarkReadings } from './readings.js'
