import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { UsageError } from './command.ts'

/** By the package's own name: the build puts this code into another folder. */
const samples = join(dirname(createRequire(import.meta.url).resolve('uptick/package.json')), 'samples')
const endings = /(\.(csv|gz|zip))+$/i

/**
 * A path as it is; a name is a file of the folder in `UPTICK_RECORDINGS`, or a sample of the package.
 * @throws UsageError if a name is neither
 */
export function recordingPath(name: string): string {
  if (endings.test(name) || existsSync(name)) return name
  const folders = [process.env['UPTICK_RECORDINGS'] ?? [], samples].flat()
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
  const nameOf = (file: string): string => basename(file).replace(endings, '')
  const found = files.find((file) => nameOf(file) === name)
  if (found) return found
  const names = files.filter((file) => endings.test(file)).map(nameOf)
  throw new UsageError(`no recording ${name}: there are ${names.join(', ')}`)
}

/** A recording's product, by the name of its file up to the first `_` or the date. @throws UsageError if that is empty */
export function productIdOf(path: string): string {
  const [named = ''] = basename(path)
    .replace(endings, '')
    .split(/_|-(?=\d{4})/)
  const id = named
    .toUpperCase()
    .replaceAll(/[^A-Z0-9.-]/g, '')
    .slice(0, 32)
  if (id === '')
    throw new UsageError(`${path} has no name for its product`, 'name it as BTCUSDT.csv, in A-Z and 0-9')
  return id
}
