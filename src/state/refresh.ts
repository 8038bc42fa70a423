import { createEmitter } from '../emitter.ts'

const refreshEmitter = createEmitter()

/** Registers a function that reloads what is shown; returns the function that removes it. */
export const onRefresh = refreshEmitter.subscribe

/** Reloads everything shown that comes from requests. The streams have their own `refresh`. */
export const refreshShown = refreshEmitter.emit
