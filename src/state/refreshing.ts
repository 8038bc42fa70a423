import { createWatchers } from '../watchers.ts'

const askers = createWatchers()

/** Whoever shows what the venue answered to a call says here how to ask again; the way out is returned. */
export const onRefresh = askers.watch

/** Asks the venue anew for all that is shown. What the streams hold, their own `wake` renews. */
export const refreshShown = askers.tell
