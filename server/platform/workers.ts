import { builtPath } from './builtPath.ts'

/**
 * The entry file of a thread. In a build it is a file beside the main bundle; from source it is TypeScript behind a
 * loader.
 * @param name its path under `server/` without the extension, e.g. `platform/db/embeddedWorker`
 */
export function workerUrl(name: string): URL {
  if (import.meta.url.endsWith('.ts')) return new URL(`../${name}.dev.mjs`, import.meta.url)
  const file = name.slice(name.lastIndexOf('/') + 1)
  const url = builtPath(`${file}.js`)
  if (url === null) throw new Error(`${file}.js is missing from the build`)
  return url
}
