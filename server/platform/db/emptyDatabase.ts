import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtPath } from '../builtPath.ts'
import { projectRoot } from '../paths.ts'
import { functionRights, tableRights } from './roles/grants.ts'
import { readSchema, schemaHash } from './schemaFiles.ts'

/**
 * An embedded database with the venue's tables and roles and no rows of members: a tar file, compressed by gzip. A build
 * contains one, and the tests keep one, because to copy it takes a tenth of the time that creating it takes. Its name says
 * what it was made of: one of another schema, other rights or another engine is not found.
 */
export function emptyDatabaseName(): string {
  const { baseline, changes } = readSchema()
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const madeOf = [
    schemaHash([...baseline, ...changes]),
    JSON.stringify([tableRights, functionRights]),
    readFileSync(join(dirname(engine), '../package.json'), 'utf8'),
  ]
  return `emptyDatabase-${createHash('sha256').update(madeOf.join()).digest('hex').slice(0, 16)}.tar.gz`
}

/** For tests, and for builds that follow one another. */
const cacheFolder = join(projectRoot, 'node_modules/.cache/uptick')

/** The file of an empty database for this build; null if there is none, and one has to be created. */
export function findEmptyDatabase(name: string = emptyDatabaseName()): string | null {
  const built = builtPath(name)
  if (built !== null) return fileURLToPath(built)
  const cached = join(cacheFolder, name)
  return existsSync(cached) ? cached : null
}

/** Keeps one, in place of those of other schemas. Several processes may do this at once: the last rename wins. */
export function keepEmptyDatabase(content: Uint8Array): void {
  const name = emptyDatabaseName()
  mkdirSync(cacheFolder, { recursive: true })
  for (const other of readdirSync(cacheFolder))
    if (/^(emptyDatabase|memory)-/.test(other) && other !== name)
      rmSync(join(cacheFolder, other), { force: true })
  const draft = join(cacheFolder, `${randomUUID()}.part`)
  writeFileSync(draft, content)
  renameSync(draft, join(cacheFolder, name))
}
