export { isGroupGone, noteGroup, ownGroup, postGuard, signalGroup } from './orphans.js'
