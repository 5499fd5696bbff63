// The drawing of a run's calls. Imports nothing from Node, so that pages use it, too.

export { escaped } from './escaped.js'
export { type TimelineCall, timeText } from './layout.js'
export { drawTimeline } from './svg.js'
