import { readFileSync } from 'node:fs'
import { UsageError } from './usageError.ts'

/** @throws UsageError if there is no such file */
export function readFile(path: string | undefined): string {
  try {
    return readFileSync(path ?? '', 'utf8')
  } catch {
    throw new UsageError(`${path ?? 'the file'} cannot be read`)
  }
}
