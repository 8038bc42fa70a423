import { createEmitter } from '../emitter.ts'

const refreshEmitter = createEmitter()

/** Whoever shows what the venue answered to a call says here how to ask again; the way out is returned. */
export const onRefresh = refreshEmitter.subscribe

/** Asks the venue anew for all that is shown. What the streams hold, their own `wake` renews. */
export const refreshShown = refreshEmitter.emit
