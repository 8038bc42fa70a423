import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtPath } from '../builtPath.ts'

/** The areas of the venue, each after those that its tables need. */
const areas = ['platform', 'market', 'notices', 'money', 'trading', 'members', 'office', 'checks', 'start']

/** A file with SQL, by its name in messages: `money/schema.sql`. It may have many statements. */
export type SchemaFile = { readonly name: string; readonly sql: string }
/** A change after the baseline. */
export type SchemaChange = SchemaFile & { readonly number: number }
export type VenueSchema = {
  /** What an empty database gets, in this order. */
  readonly baseline: readonly SchemaFile[]
  /** By their number, which rises over all areas. */
  readonly changes: readonly SchemaChange[]
}

/** `schema.NUMBER-WORDS.sql` in the folder of an area. */
const changeName = /^schema\.(\d+)-[a-z0-9-]+\.sql$/

/** The folder of each area, with its files of the schema and nothing else in a build. */
const schemaFolder = (): URL => builtPath('schema/') ?? new URL('../../', import.meta.url)

/** The files of the schema, `AREA/NAME` below `server/` or the build's `schema/`, in the order in which they are applied. */
export function schemaFileNames(folder: URL = schemaFolder()): string[] {
  const ofArea = (area: string): string[] =>
    existsSync(new URL(`${area}/`, folder)) ? readdirSync(new URL(`${area}/`, folder)) : []
  const named = areas.flatMap((area) => ofArea(area).map((name) => ({ area, name })))
  const baseline = named.filter(({ name }) => name === 'schema.sql')
  const changes = named.filter(({ name }) => changeName.test(name))
  changes.sort((one, other) => numberOf(one.name) - numberOf(other.name))
  return [...baseline, ...changes].map(({ area, name }) => `${area}/${name}`)
}

const numberOf = (name: string): number => Number(changeName.exec(name)?.[1])

/** Reads the schema of this build. */
export function readSchema(folder: URL = schemaFolder()): VenueSchema {
  const files = schemaFileNames(folder).map((name) => ({
    name,
    number: numberOf(name.slice(name.indexOf('/') + 1)),
    sql: readFileSync(new URL(name, folder), 'utf8'),
  }))
  const changes = files.filter(({ number }) => !Number.isNaN(number))
  changes.forEach(({ name, number }, i) => {
    const before = changes[i - 1]
    if (number === 0 || before?.number === number)
      throw new Error(`${name} has the number of ${before?.name ?? 'the baseline'}`)
  })
  return { baseline: files.filter(({ number }) => Number.isNaN(number)), changes }
}

/** SHA-256 of files, hex, as `schema_version` stores it. */
export function schemaHash(files: readonly SchemaFile[]): string {
  const hash = createHash('sha256')
  for (const { name, sql } of files) hash.update(`${name}\n${sql}\n`)
  return hash.digest('hex')
}
