import { SettingsError } from '../config.ts'
import type { Settings } from '../config.ts'

/** PostgreSQL answers, but has no database of that name. */
const missingDatabaseCode = '3D000'

/** Turns system errors about the data folder (missing, no permission, disk full) into errors for the operator. */
export async function withDataDirErrors<T>(
  { dataDir }: Pick<Settings, 'dataDir'>,
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

/** Does the same for opening the database: it does not answer, or does not exist. */
export function withOperatorErrors<T>(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  open: () => Promise<T>,
): Promise<T> {
  const { databaseUrl } = settings
  return withDataDirErrors(settings, async () => {
    try {
      return await open()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      // An error with a path is about the data folder.
      if (databaseUrl === null || code === '' || (error instanceof Error && 'path' in error)) throw error
      if (code !== missingDatabaseCode) throw new SettingsError(`DATABASE_URL does not answer (${code})`)
      const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
      throw new SettingsError(`DATABASE_URL: the database ${name} does not exist`)
    }
  })
}
