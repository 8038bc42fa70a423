import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The venue reads these at run time: a change needs no build. */
const readAtRunTime = new Set(['recordings', 'config.json', 'products.json'])

/** The newest change below a path, in epoch milliseconds; 0 if the path does not exist. */
export function newestChange(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  return stat.isDirectory() ? newestBelow(path) : stat.mtimeMs
}

/** Each start looks at two thousand files: folders are known from their listing. */
function newestBelow(folder) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (readAtRunTime.has(entry.name) || entry.name.startsWith('.')) continue
    const path = `${folder}/${entry.name}`
    newest = Math.max(newest, entry.isDirectory() ? newestBelow(path) : newestChange(path))
  }
  return newest
}

/** What the client and the venue are built from, below the project's folder. */
const sources = [
  'contract',
  'streams',
  'src',
  'office',
  'server',
  'locales',
  'public',
  'index.html',
  'vite.config.ts',
  'scripts/build.mjs',
  'scripts/buildLogger.ts',
  'scripts/bundleScript.ts',
  'scripts/chunkGraph.ts',
  'scripts/compress.mjs',
  'scripts/prerender.ts',
  'scripts/installable.ts',
  'scripts/newerFeatures.ts',
  'scripts/oldestBrowsers.ts',
  'package-lock.json',
]
/** What the steps of the build write, and what it writes once all have ended. */
const outputs = [
  'dist/complete',
  'dist/client/sw.js',
  'dist/client/office/index.html',
  'dist/client/sw.js.br',
  'dist/server/main.js',
]

/** Whether the build is missing or older than what it is made of. */
export function isStale(root) {
  const built = Math.min(...outputs.map((path) => newestChange(join(root, path))))
  return sources.some((path) => newestChange(join(root, path)) > built)
}
