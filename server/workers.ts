import { existsSync } from 'node:fs'

/**
 * The entry of a thread: in a bundle a file of its own beside the main file, from source TypeScript behind a loader.
 * @param name its path under `server/` without the ending, e.g. `db/embeddedWorker`
 */
export function workerUrl(name: string): URL {
  if (import.meta.url.endsWith('.ts')) return new URL(`./${name}.dev.mjs`, import.meta.url)
  const file = name.slice(name.lastIndexOf('/') + 1)
  const found = [`./${file}.js`, `../${file}.js`]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))
  if (found === undefined) throw new Error(`${file}.js is missing from the build`)
  return found
}
