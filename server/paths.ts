import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The project's folder: the nearest one above with a package.json, from the sources as from the bundle. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const above = dirname(from)
  if (above === from)
    throw new Error('the venue runs from its project folder, and there is no package.json above it')
  return findRoot(above)
}
