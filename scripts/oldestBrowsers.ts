/**
 * The oldest browsers that the app and the office run in whole: the first with container queries and dynamic viewport
 * heights. The builds lower syntax and style sheets to them, and `public/oldBrowser.js` sends older ones away.
 */
export const oldestBrowsers = { chrome: 108, firefox: 110, safari: 16 } as const

/** As Vite names them. */
export const buildTarget = Object.entries(oldestBrowsers).map(([name, version]) => `${name}${version}`)
