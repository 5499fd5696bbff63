// The door of the stage `infer`.

export { type Inference, infer } from './infer.js'
