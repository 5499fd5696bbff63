// The drawing of a run's calls. Imports nothing from Node, so that pages use it, too.

export { escaped } from './escaped.js'
export {
  aboutCall,
  type Bar,
  type Block,
  type Layout,
  type LayoutOptions,
  type Look,
  layout,
  type Row,
  type TimelineCall,
  type TimelineSection,
  timeText,
} from './layout.js'
export { type DrawOptions, drawTimeline } from './svg.js'
