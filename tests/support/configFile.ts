import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a CONFIG_FILE with these fields into a folder of the test, and returns its path. */
export function configFile(folder: string, fields: object, name = 'config.json'): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), JSON.stringify(fields))
  return join(folder, name)
}
