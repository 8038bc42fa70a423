/** The first page of the open orders, as every page of the app asks for it: at most 100, the largest page. */
export const positionsQuery = { tab: 'positions', limit: '100' } as const
