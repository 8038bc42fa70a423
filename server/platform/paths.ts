import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The project's folder: the nearest parent with a package.json, both for the sources and for the bundle. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const parent = dirname(from)
  if (parent === from)
    throw new Error('the venue must run from its project folder: no parent folder has a package.json')
  return findRoot(parent)
}
