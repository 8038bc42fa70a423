import { existsSync } from 'node:fs'

/**
 * A file or folder of the build, beside the bundle that runs.
 * @returns null if the sources run, or the build has none
 */
export function builtPath(path: string): URL | null {
  if (import.meta.url.endsWith('.ts')) return null
  const places = [`./${path}`, `../${path}`].map((place) => new URL(place, import.meta.url))
  return places.find((place) => existsSync(place)) ?? null
}
