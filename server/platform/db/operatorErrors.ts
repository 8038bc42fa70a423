import type { PostgresAddress } from './address.ts'
import { SettingsError } from '../settingsError.ts'
import { pgCode } from './errors.ts'
import { markAsDatabase } from './trouble.ts'
import type { PlatformSettings } from '../settings.ts'

/** PostgreSQL answers, but has no database of that name. */
const missingDatabaseCode = '3D000'
/** A pooler refuses what the venue sends when it opens a connection. */
const refusedByPoolerCode = '08P01'
const noPermissionCode = '42501'

/** Turns system errors about the data folder (missing, no permission, disk full) into errors for the operator. */
export async function withDataDirErrors<T>(
  { dataDir }: Pick<PlatformSettings, 'dataDir'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error) {
      throw new SettingsError(`DATA_DIR ${dataDir} cannot be used (${String(error.code)})`)
    }
    throw error
  }
}

/** A login that does not exist or may not log in, and a wrong password. */
const refusedLoginCodes: ReadonlySet<string> = new Set(['28000', '28P01'])

/** How the log calls the database: PostgreSQL by its address, without login and password. */
export function databaseName(url: string | null): string {
  if (url === null) return 'the embedded database'
  const { hostname, port } = new URL(url)
  return `PostgreSQL at ${hostname || 'localhost'}:${port || '5432'}`
}

/**
 * Opens a connection to PostgreSQL.
 * @throws SettingsError with one line if it does not answer, refuses, or has no such database
 */
export async function connecting<T>(
  { databaseUrl }: Pick<PostgresAddress, 'databaseUrl'>,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof SettingsError) throw error
    markAsDatabase(error)
    const code = pgCode(error)
    if (code === missingDatabaseCode) {
      const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
      throw new SettingsError(`DATABASE_URL: the database ${database} does not exist`)
    }
    if (code === refusedByPoolerCode)
      throw new SettingsError('DATABASE_URL is a pooler: set the address of the database itself')
    if (code !== null && refusedLoginCodes.has(code))
      throw new SettingsError(`DATABASE_URL: PostgreSQL refuses the login (${code})`, { cause: error })
    const reason = code ?? (error instanceof Error ? error.message : String(error))
    throw new SettingsError(`DATABASE_URL does not answer (${reason})`, { cause: error })
  }
}

/**
 * Brings the schema of a database up to date.
 * @throws SettingsError with one line if the login may not make or change its tables
 */
export async function migrating(
  { databaseUrl, ownerUrl }: Pick<PostgresAddress, 'databaseUrl' | 'ownerUrl'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (pgCode(error) !== noPermissionCode) throw error
    const { username, pathname } = new URL(ownerUrl ?? databaseUrl)
    const [login, database] = [username, pathname.slice(1)].map(decodeURIComponent)
    throw new SettingsError(
      ownerUrl === null
        ? `DATABASE_URL: ${login} may not make the tables of ${database}: it must own them, or DATABASE_OWNER_URL is who does`
        : `DATABASE_OWNER_URL: ${login} may not make the tables of ${database}: it must own them`,
    )
  }
}
